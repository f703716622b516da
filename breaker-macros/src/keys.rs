//! The table of the keys, and what is said of a key that is not in it.

use crate::value::{MOST_CALLS, Measure};

/// A key of the attribute.
pub(crate) struct Key {
    pub(crate) name: &'static str,
    /// How to write it, shown in errors.
    pub(crate) example: &'static str,
    /// What it takes, if it is a setting of the breaker that takes a measure.
    pub(crate) measure: Option<Measure>,
}

/// All keys, in the order of the documentation.
pub(crate) const KEYS: &[Key] = &[
    measured("threshold", "threshold = 20", Measure::Integer(MOST_CALLS)),
    measured("rate", "rate = 0.5", Measure::Share(0.000_001)),
    measured("window", "window = \"30s\"", Measure::Window),
    measured("consecutive", "consecutive = 5", Measure::Integer(u32::MAX as u64)),
    measured("max_failures", "max_failures = 50", Measure::Integer(u32::MAX as u64)),
    measured("slow_call", "slow_call = \"2s\"", Measure::Duration(1, "above zero")),
    measured("slow_rate", "slow_rate = 0.8", Measure::Share(0.000_001)),
    measured("cooldown", "cooldown = \"15s\"", WAIT),
    measured("max_cooldown", "max_cooldown = \"5m\"", WAIT),
    measured("jitter", "jitter = 0.2", Measure::Share(0.0)),
    measured("probes", "probes = 3", Measure::Integer(u16::MAX as u64)),
    measured("probe_concurrency", "probe_concurrency = 1", Measure::Integer(u16::MAX as u64)),
    measured("probe_timeout", "probe_timeout = \"60s\"", WAIT),
    other("classify", "classify = outcome_of"),
    other("failure_if", "failure_if = Error::is_timeout"),
    other("cancelled", "cancelled = Failure"),
    other("fallback", "fallback = |rejected| answer_without(rejected)"),
    other("name", "name = \"payments\""),
    other("breaker", "breaker = &PAYMENTS"),
    other("key", "key = host"),
    other("capacity", "capacity = 10_000"),
    other("handle", "handle = payments_breaker"),
    other("on_transition", "on_transition = log_transition"),
    other("timeout", "timeout = \"2s\""),
    other("crate", "crate = ::breakerbox"),
];

/// What other breakers call a key. The longest of them begin with one of these.
const ELSEWHERE: &[(&str, &[&str])] = &[
    ("threshold", &["minimum_", "min_", "request_volume", "volume_threshold"]),
    ("rate", &["failure_rate", "failure_ratio", "error_rate", "error_threshold", "ratio"]),
    ("window", &["sliding_window", "window_", "sampling_duration", "interval", "rolling_window"]),
    ("consecutive", &["failure_threshold", "consecutive_", "max_consecutive"]),
    ("slow_call", &["slow_call_duration"]),
    ("slow_rate", &["slow_call_rate"]),
    (
        "cooldown",
        &[
            "reset_timeout",
            "recovery_time",
            "open_",
            "wait_duration",
            "break_duration",
            "sleep_window",
        ],
    ),
    ("max_cooldown", &["max_backoff", "max_wait", "backoff"]),
    ("probes", &["half_open", "permitted_", "success_threshold", "max_requests", "trial"]),
    ("failure_if", &["is_failure", "failure_predicate", "predicate", "should_handle", "record_"]),
    ("classify", &["ignore_", "is_error", "is_excluded"]),
    ("fallback", &["fallback_"]),
    ("on_transition", &["on_state", "on_open", "on_break", "listener"]),
    ("timeout", &["timeout_", "call_timeout", "time_limit"]),
];

/// Keys kept at most.
pub(crate) const CAPACITY: Measure = Measure::Integer(u32::MAX as u64);

/// At least a millisecond.
pub(crate) const WAIT: Measure = Measure::Duration(1_000_000, "of at least 1ms");

const fn measured(name: &'static str, example: &'static str, measure: Measure) -> Key {
    Key { name, example, measure: Some(measure) }
}

const fn other(name: &'static str, example: &'static str) -> Key {
    Key { name, example, measure: None }
}

/// Finds a key by its name.
pub(crate) fn key(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.name == name)
}

/// The message for a key that does not exist.
pub(crate) fn unknown_key(typed: &str) -> String {
    let meant = nearest(typed).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    let keys: Vec<_> = KEYS.iter().map(|key| format!("`{}`", key.name)).collect();
    format!("there is no key `{typed}`{meant}\nthe keys are {}", keys.join(", "))
}

/// The key that was probably meant.
pub(crate) fn nearest(typed: &str) -> Option<&'static str> {
    let elsewhere =
        ELSEWHERE.iter().flat_map(|(key, names)| names.iter().map(move |name| (*key, name)));
    let known = elsewhere.filter(|(_, name)| typed.starts_with(**name));
    if let Some((key, _)) = known.max_by_key(|(_, name)| name.len()) {
        return Some(key);
    }
    KEYS.iter()
        .map(|key| (distance(typed, key.name), key.name))
        .min()
        .filter(|(distance, near)| *distance <= near.len().max(3) / 3)
        .map(|(_, near)| near)
}

/// How many letters must be added, removed, changed or swapped to make `other` of `word`.
fn distance(word: &str, other: &str) -> usize {
    let (word, other): (Vec<char>, Vec<char>) = (word.chars().collect(), other.chars().collect());
    let mut rows = vec![(0..=other.len()).collect::<Vec<_>>()];
    for (i, letter) in word.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, wanted) in other.iter().enumerate() {
            let changed = rows[i][j] + usize::from(letter != wanted);
            let mut least = changed.min(row[j] + 1).min(rows[i][j + 1] + 1);
            if i > 0 && j > 0 && *letter == other[j - 1] && word[i - 1] == *wanted {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[word.len()][other.len()]
}

#[cfg(test)]
mod tests {
    use super::{KEYS, distance, key, unknown_key};

    #[test]
    fn suggests_the_nearest_key() {
        for (typed, meant) in [
            ("treshold", "threshold"),
            ("thresholds", "threshold"),
            ("cool_down", "cooldown"),
            ("probe", "probes"),
            ("clasify", "classify"),
            ("failback", "fallback"),
            ("maxfailures", "max_failures"),
            ("on_transitions", "on_transition"),
            ("reset_timeout", "cooldown"),
            ("recovery_timeout", "cooldown"),
            ("failure_threshold", "consecutive"),
            ("failure_rate_threshold", "rate"),
            ("sliding_window_size", "window"),
            ("window_size", "window"),
            ("minimum_number_of_calls", "threshold"),
            ("slow_call_rate_threshold", "slow_rate"),
            ("slow_call_duration_threshold", "slow_call"),
            ("half_open_max_calls", "probes"),
            ("permitted_number_of_calls_in_half_open_state", "probes"),
            ("timeout_ms", "timeout"),
        ] {
            assert!(unknown_key(typed).contains(&format!("did you mean `{meant}`?")), "{typed}");
        }
    }

    #[test]
    fn suggests_nothing_far_fetched() {
        for typed in ["retries", "x", "bulkhead", "foo"] {
            assert!(!unknown_key(typed).contains("did you mean"), "{typed}");
        }
    }

    #[test]
    fn measures_distance() {
        assert_eq!(distance("rate", "rate"), 0);
        assert_eq!(distance("raet", "rate"), 1);
        assert_eq!(distance("", "rate"), 4);
    }

    #[test]
    fn what_others_call_a_key_is_none_of_ours() {
        for (meant, names) in super::ELSEWHERE {
            assert!(key(meant).is_some(), "{meant}");
            assert!(names.iter().all(|name| key(name).is_none()), "{names:?}");
        }
    }

    #[test]
    fn every_example_begins_with_its_key() {
        for known in KEYS {
            assert!(known.example.starts_with(&format!("{} = ", known.name)));
            assert!(key(known.name).is_some());
        }
    }
}
