//! The feature `serde`: the names of what is written are stable, and only valid settings are read.

use breakerbox::{
    Breaker, Cancelled, Config, Keyed, Rejected, Transition, Window, circuit_breaker,
    testing::Clock,
};
use observe::{been_through_all, fail, secs};
use serde_json::{Value, json, to_value};
use std::sync::Mutex;
use std::time::Duration;

#[test]
fn a_snapshot_is_written_with_stable_names() {
    let clock = Clock::freeze();
    let breaker = been_through_all("written", &clock);
    let place = breaker.location();
    let (file, line, column) = (place.file(), place.line(), place.column());
    let expected = format!(
        r#"{{
  "name": "written",
  "family": "written",
  "location": {{
    "file": "{file}",
    "line": {line},
    "column": {column}
  }},
  "state": "closed",
  "generation": 5,
  "window": {{
    "calls": 3,
    "failures": 1,
    "slow": 0
  }},
  "opened": null,
  "remaining_cooldown_seconds": null,
  "probes_in_flight": 0,
  "probes_succeeded": 0,
  "totals": {{
    "success": 5,
    "failure": 3,
    "ignored": 1,
    "late": 1,
    "slow": 1,
    "probes": 1,
    "fallbacks": 0,
    "open_seconds": 20.0,
    "rejected": {{
      "open": 1,
      "probes_busy": 1,
      "forced_open": 1,
      "timed_out": 0
    }},
    "trips": {{
      "failure_rate": 1,
      "slow_rate": 0,
      "consecutive": 0,
      "max_failures": 0,
      "probe_failed": 0,
      "probe_lost": 0
    }}
  }},
  "config": {{
    "threshold": 4,
    "rate": 0.5,
    "window": 10,
    "slow_call": "2s",
    "cooldown": "15s",
    "jitter": 0.0,
    "probes": 1,
    "probe_timeout": "1m",
    "cancelled": "ignored"
  }}
}}"#
    );
    assert_eq!(serde_json::to_string_pretty(&breaker.snapshot()).expect("JSON"), expected);
}

#[test]
fn a_cooldown_is_written_in_seconds_and_a_key_with_its_family() {
    let clock = Clock::freeze();
    let config = Config::new().consecutive(1).cooldown(Duration::from_millis(2_500));
    let hosts: Keyed<String> = Keyed::new("hosts", config);
    fail(&hosts.get("eu\n"));
    clock.advance(secs(1));
    let written = to_value(hosts.get("eu\n").snapshot()).expect("JSON");
    assert_eq!(written["name"], "hosts[eu\\n]");
    assert_eq!(written["family"], "hosts");
    assert_eq!(written["state"], "open");
    let window = json!({ "calls": 1, "failures": 1, "slow": 0 });
    assert_eq!(written["opened"], json!({ "cause": "consecutive", "window": window }));
    assert_eq!(written["remaining_cooldown_seconds"], 1.5);
    assert_eq!(written["totals"]["open_seconds"], 1.0);
}

#[test]
fn a_transition_is_written_with_stable_names() {
    static WRITTEN: Mutex<Vec<Value>> = Mutex::new(Vec::new());
    fn write(change: &Transition) {
        WRITTEN.lock().unwrap().push(to_value(change).expect("JSON"));
    }
    let _clock = Clock::freeze();
    let breaker = Breaker::new("moved", Config::new().consecutive(1)).on_transition(write);
    fail(&breaker);
    breaker.reset();
    let none = json!({ "calls": 0, "failures": 0, "slow": 0 });
    assert_eq!(
        *WRITTEN.lock().unwrap(),
        [
            json!({
                "breaker": "moved", "family": "moved", "from": "closed", "to": "open",
                "cause": "consecutive", "window": { "calls": 1, "failures": 1, "slow": 0 },
                "cooldown_seconds": 15.0,
            }),
            json!({
                "breaker": "moved", "family": "moved", "from": "open", "to": "closed",
                "cause": "manual", "window": none, "cooldown_seconds": null,
            }),
        ]
    );
}

#[test]
fn settings_are_read_from_a_file() {
    let read: Config = toml::from_str(
        r#"
            threshold = 50
            rate = 0.25
            window = "1m 30s"
            consecutive = 7
            max_failures = 100
            slow_call = "250ms"
            slow_rate = 0.75
            cooldown = "5s"
            max_cooldown = "2h"
            jitter = 0.2
            probes = 5
            probe_concurrency = 2
            probe_timeout = "1s 500ms"
            cancelled = "failure"
        "#,
    )
    .expect("valid settings");
    let meant = Config::new()
        .threshold(50)
        .rate(0.25)
        .window(Window::Time(secs(90)))
        .consecutive(7)
        .max_failures(100)
        .slow_call(Duration::from_millis(250))
        .slow_rate(0.75)
        .cooldown(secs(5))
        .max_cooldown(secs(7_200))
        .jitter(0.2)
        .probes(5)
        .probe_concurrency(2)
        .probe_timeout(Duration::from_millis(1_500))
        .cancelled(Cancelled::Failure);
    assert_eq!(read, meant);
    for config in [meant, Config::new(), Config::new().window(Window::Calls(20))] {
        let text = toml::to_string(&config).expect("TOML");
        assert_eq!(toml::from_str::<Config>(&text), Ok(config), "{text}");
        let text = serde_json::to_string(&config).expect("JSON");
        assert_eq!(serde_json::from_str::<Config>(&text).expect(&text), config);
    }
}

#[test]
fn the_file_in_the_guide_is_the_one_that_its_example_reads() {
    let page = include_str!("../../../src/guide/settings.md");
    let file = include_str!("../breakers.toml");
    assert!(page.contains(&format!("```toml\n{file}```\n")), "{file}");
}

/// The settings that the attribute makes of the same words.
#[test]
fn a_file_is_written_as_the_attribute_is() {
    macro_rules! settings {
        ($(($key:ident, $file:literal = $value:tt)),*) => {$({
            #[circuit_breaker($key = $value, handle = breaker, threshold = 20)]
            fn call() -> Result<(), Rejected> {
                Ok(())
            }
            let _ = call;
            let file = format!("{} = {}", stringify!($key), $file);
            let read: Config = toml::from_str(&file).expect(&file);
            assert_eq!(read, breaker().snapshot().config, "{file}");
        })*};
    }
    settings! {
        (window, "\"1h 1m 1s 1ms 1us 1ns\"" = "1h 1m 1s 1ms 1us 1ns"),
        (window, "1_000" = 1_000),
        (cooldown, "\" 15 s\"" = " 15 s"),
        (rate, "1" = 1),
        (cancelled, "\"failure\"" = failure),
        (cancelled, "\"Failure\"" = Failure),
        (cancelled, "\"ignored\"" = Ignored)
    }
}

#[test]
fn what_a_file_leaves_out_is_the_default() {
    assert_eq!(toml::from_str::<Config>(""), Ok(Config::new()));
    let window = toml::from_str::<Config>("window = 200");
    assert_eq!(window, Ok(Config::new().window(Window::Calls(200))));
}

#[test]
fn the_longest_and_the_shortest_durations_survive() {
    for nanos in [1_000_000, 1_000_001, 999_999_999, 1_000_000_001, u64::MAX] {
        let config = Config::new().cooldown(Duration::from_nanos(nanos));
        let text = serde_json::to_string(&config).expect("JSON");
        assert_eq!(serde_json::from_str::<Config>(&text).expect(&text), config);
    }
}

#[test]
fn a_wrong_file_is_refused_with_words_that_help() {
    for (file, said) in [
        (r#"{ "treshold": 5 }"#, "unknown field `treshold`, expected one of `threshold`, `rate`"),
        (r#"{ "rate": 1.5 }"#, "`rate` is 1.5: it must be from 0.000001 to 1"),
        (r#"{ "threshold": 0 }"#, "`threshold` is 0: it must be from 1 to 1,000,000"),
        (r#"{ "threshold": -1 }"#, "invalid value: integer `-1`, expected u32"),
        (r#"{ "window": 10 }"#, "`window` is 10 calls, `threshold` is 20: it must hold at least"),
        (r#"{ "window": "10ms", "threshold": 5, "cooldown": "0s" }"#, "`cooldown` is 0ns: it must"),
        (
            r#"{ "window": -5 }"#,
            r#"invalid value: integer `-5`, expected a duration like "30s" or a number of calls"#,
        ),
        (r#"{ "window": 5000000000 }"#, "`5000000000`, expected at most 1,000,000 calls"),
        (
            r#"{ "window": 1.5 }"#,
            r#"invalid type: floating point `1.5`, expected a duration like "30s" or a number"#,
        ),
        (
            r#"{ "cooldown": "15 parsecs" }"#,
            "`parsecs` is no unit: there are `h`, `m`, `s`, `ms`, `us` and `ns`",
        ),
        (r#"{ "cooldown": "5 minutes" }"#, "`minutes` is no unit: write `5m`"),
        (
            r#"{ "window": "100" }"#,
            "`100` has no unit: write `100s`, or for so many calls the number without quotes",
        ),
        (r#"{ "window": "1.5s" }"#, "`1.5s` is no whole number: use a smaller unit (`1s 500ms`)"),
        (
            r#"{ "cooldown": 15 }"#,
            r#"invalid type: integer `15`, expected a duration like "15s" or "1m 30s""#,
        ),
        (r#"{ "max_cooldown": "1s" }"#, "`max_cooldown` is 1s: it must be at least `cooldown`"),
        (r#"{ "slow_rate": 0.5 }"#, "`slow_rate` is 0.5: it needs `slow_call`"),
        (
            r#"{ "cancelled": "maybe" }"#,
            "unknown variant `maybe`, expected one of `Ignored`, `ignored`, ",
        ),
    ] {
        let fault = serde_json::from_str::<Config>(file).expect_err(file).to_string();
        assert!(fault.contains(said), "{file} gives: {fault}");
    }
}
