//! Durations as text: `"250ms"`, `"15s"`, `"1m 30s"`, `"2h"`.
//!
//! The attribute and files read the same, by this file: `breaker-macros` and `breaker-runtime` each
//! have it, as neither can depend on the other, and a test of the former holds the two alike.

/// The units, from the longest to the shortest, each with its length in nanoseconds and the other
/// names that users give it.
pub(crate) const UNITS: [(&str, u64, &[&str]); 6] = [
    ("h", 3_600_000_000_000, &["hr", "hrs", "hour", "hours"]),
    ("m", 60_000_000_000, &["min", "mins", "minute", "minutes"]),
    ("s", 1_000_000_000, &["sec", "secs", "second", "seconds"]),
    ("ms", 1_000_000, &["msec", "msecs", "milli", "millis", "millisecond", "milliseconds"]),
    ("us", 1_000, &["µs", "μs", "usec", "micro", "micros", "microsecond", "microseconds"]),
    ("ns", 1, &["nsec", "nano", "nanos", "nanosecond", "nanoseconds"]),
];

/// Reads a duration in nanoseconds; an error says what is wrong with the text.
pub(crate) fn parse(text: &str) -> Result<u64, String> {
    let mut rest = text.trim();
    if rest.is_empty() {
        return Err("`\"\"` is no duration".to_owned());
    }
    if rest.starts_with('-') {
        return Err(format!("`{rest}` is negative, which no duration is"));
    }
    let mut total = 0_u64;
    let mut shorter_than = None;
    while !rest.is_empty() {
        let (number, unit, behind) = first_part(rest)?;
        let position = unit_position(number, unit)?;
        if shorter_than.is_some_and(|last| position <= last) {
            return Err(format!(
                "`{number}{unit}` is out of order: longer units come first, each once (`1m 30s`)"
            ));
        }
        shorter_than = Some(position);
        let part = number.parse::<u64>().ok().and_then(|n| n.checked_mul(UNITS[position].1));
        total = part.and_then(|part| total.checked_add(part)).ok_or_else(|| {
            "this is longer than a duration can be, which is `\"5124095h\"` (584 years)".to_owned()
        })?;
        rest = behind;
    }
    Ok(total)
}

/// Cuts `1m 30s` into `1`, `m` and `30s`.
fn first_part(text: &str) -> Result<(&str, &str, &str), String> {
    let (number, rest) = split_where(text, |sign| !sign.is_ascii_digit());
    if number.is_empty() {
        return Err(format!("`{text}` is no duration: it begins with no whole number"));
    }
    if rest.starts_with(['.', ',', '_']) {
        return Err(format!("`{text}` is no whole number: use a smaller unit (`1s 500ms`)"));
    }
    let (unit, behind) = split_where(rest.trim_start(), |sign| !sign.is_alphabetic());
    Ok((number, unit, behind.trim_start()))
}

/// Finds a unit by its name.
fn unit_position(number: &str, unit: &str) -> Result<usize, String> {
    if unit.is_empty() {
        return Err(format!("`{number}` has no unit: write `{number}s` or `{number}ms`"));
    }
    if let Some(position) = UNITS.iter().position(|(name, ..)| *name == unit) {
        return Ok(position);
    }
    let lower = unit.to_lowercase();
    let meant = UNITS.iter().find(|(name, _, others)| *name == lower || others.contains(&&*lower));
    Err(match (meant, lower.as_str()) {
        (Some((name, ..)), _) => format!("`{unit}` is no unit: write `{number}{name}`"),
        (None, "d" | "day" | "days") => format!("`{unit}` is no unit: count days in hours (`24h`)"),
        (None, _) => format!("`{unit}` is no unit: there are `h`, `m`, `s`, `ms`, `us` and `ns`"),
    })
}

/// Cuts `text` before the first sign that `ends` it.
fn split_where(text: &str, ends: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(ends).unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn reads_every_unit_and_their_sum() {
        for (text, nanoseconds) in [
            ("1ns", 1),
            ("7us", 7_000),
            ("250ms", 250_000_000),
            ("15s", 15_000_000_000),
            ("15 s", 15_000_000_000),
            ("1m 30s", 90_000_000_000),
            ("1m30s", 90_000_000_000),
            (" 2h ", 7_200_000_000_000),
            ("1h 1m 1s 1ms 1us 1ns", 3_661_001_001_001),
            ("18446744073709551615ns", u64::MAX),
        ] {
            assert_eq!(parse(text), Ok(nanoseconds), "{text}");
        }
    }

    #[test]
    fn says_what_is_wrong() {
        for (text, part) in [
            ("", "`\"\"` is no duration"),
            ("  ", "is no duration"),
            ("15", "`15` has no unit: write `15s`"),
            ("-1s", "`-1s` is negative"),
            ("s", "`s` is no duration"),
            ("1.5s", "no whole number"),
            ("15 parsecs", "`parsecs` is no unit: there are"),
            ("15 Seconds", "`Seconds` is no unit: write `15s`"),
            ("1d", "count days in hours"),
            ("30s 1m", "`1m` is out of order"),
            ("1s 1s", "`1s` is out of order"),
            ("18446744073709551616ns", "584 years"),
            ("5124096h", "584 years"),
            ("99999999999999999999h", "584 years"),
            ("1s,", "`,` is no duration"),
        ] {
            let message = parse(text).expect_err(text);
            assert!(message.contains(part), "{text}: {message}");
        }
    }
}
