//! Logs: what is read, what is reported, and what cannot be told from one.

mod support;

use breakerbox::Outcome;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use support::args;
use tune::log::{Fault, Log, read};
use tune::traffic::{Call, Ending};

fn log(text: &str) -> Log {
    read(text.as_bytes()).expect(text)
}

fn calls(lines: &str) -> Vec<Call> {
    log(&format!("timestamp,latency,outcome\n{lines}")).calls
}

fn call(at: u64, latency: u64, outcome: Outcome) -> Call {
    let ending = Ending::Outcome(outcome);
    Call { at: Duration::from_millis(at), latency: Duration::from_millis(latency), ending }
}

/// A file of this name that holds this.
fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).expect("a folder for tests");
    path
}

/// Runs the program on the file: what it printed, what it noted, and its error.
fn run(path: &Path, more: &str) -> (String, String, Option<String>) {
    let path = path.display();
    let args = args(&format!("--log {path} --svg {path}.svg {more}"));
    let (mut out, mut notes) = (Vec::new(), Vec::new());
    let error = tune::run(&args, &mut out, &mut notes).err().map(|error| format!("{error:#}"));
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (text(out), text(notes), error)
}

#[test]
fn seconds_and_rfc_3339_are_counted_from_the_first_call() {
    let expected = [call(0, 50, Outcome::Success), call(1_500, 1_200, Outcome::Failure)];
    assert_eq!(calls("0,50,success\n1.5,1200,failure\n"), expected);
    assert_eq!(calls("1772366400,50,success\n1772366401.5,1s 200ms,failure\n"), expected);
    assert_eq!(
        calls("2026-03-01T12:00:00Z,50ms,success\n2026-03-01T14:00:01.5+02:00,1200.0,failure\n"),
        expected
    );
}

#[test]
fn a_date_and_time_without_a_zone_is_one_and_a_date_alone_is_not() {
    let expected = [call(0, 50, Outcome::Success), call(1_500, 50, Outcome::Failure)];
    for lines in [
        "2026-03-01 12:00:00,50,success\n2026-03-01 12:00:01.5,50,failure\n",
        "2026-03-01T12:00:00,50,success\n2026-03-01 12:00:01.5Z,50,failure\n",
    ] {
        assert_eq!(calls(lines), expected);
    }
    assert_eq!(log("timestamp,latency,outcome\n2026-03-01,50,success\n").faults.count, 1);
}

#[test]
fn times_are_told_to_the_millisecond() {
    let path = file("odd.csv", "timestamp,latency,outcome\n0,0,success\n581.621128,0,success\n");
    let (out, ..) = run(&path, "");
    assert!(out.starts_with("2 calls in 9m 41s 621ms\n"), "{out}");
}

#[test]
fn every_outcome_is_known() {
    let endings: Vec<Ending> = calls(
        "0,0,success\n1,0,failure\n2,0,ignored\n3,0,cancelled\n4,0,throttled\n5,0,throttled 30s\n",
    )
    .iter()
    .map(|call| call.ending)
    .collect();
    assert_eq!(
        endings,
        [
            Ending::Outcome(Outcome::Success),
            Ending::Outcome(Outcome::Failure),
            Ending::Outcome(Outcome::Ignored),
            Ending::Cancelled,
            Ending::Outcome(Outcome::Throttled(Duration::ZERO)),
            Ending::Outcome(Outcome::Throttled(Duration::from_secs(30))),
        ]
    );
}

#[test]
fn columns_are_found_by_name_and_others_do_not_matter() {
    let log = log("\u{feff}path, outcome ,latency,timestamp\n/a,success,50,7\n/b,failure,1,7\n");
    assert_eq!(log.calls, [call(0, 50, Outcome::Success), call(0, 1, Outcome::Failure)]);
}

#[test]
fn a_log_that_was_written_as_calls_ended_is_sorted() {
    let log = log("timestamp,latency,outcome\n1,10,success\n0,1500,failure\n3,1,success\n");
    let starts: Vec<u128> = log.calls.iter().map(|call| call.at.as_millis()).collect();
    assert_eq!((starts, log.out_of_order), (vec![0, 1_000, 3_000], 1));
}

#[test]
fn a_bad_line_is_reported_by_the_number_that_an_editor_shows() {
    let lines = [
        "timestamp,latency,outcome",
        "0,fast,success",
        "",
        "",
        "noon,50,success",
        "2,-1,success",
        "3,50,sucess",
        "4,50",
        "5,,success",
        "6,50,\"throttled soon\"",
        "7,50,success",
    ];
    let timestamp = "it must be seconds, or like 2026-03-01T12:00:00.5Z";
    let latency = "it must be milliseconds, or a duration like 1s 200ms";
    let outcome =
        "it must be success, failure, ignored, cancelled, throttled, or like throttled 30s";
    let expected = [
        (2, format!("`latency` is \"fast\": {latency}")),
        (5, format!("`timestamp` is \"noon\": {timestamp}")),
        (6, format!("`latency` is \"-1\": {latency}")),
        (7, format!("`outcome` is \"sucess\": {outcome}")),
        (8, "`outcome` is missing".to_owned()),
        (9, "`latency` is missing".to_owned()),
        (10, format!("`outcome` is \"throttled soon\": {outcome}")),
    ]
    .map(|(line, what)| Fault { line, what });
    for end in ["\n", "\r\n"] {
        let log = log(&lines.join(end));
        assert_eq!(
            (log.faults.first.as_slice(), log.calls.len()),
            (expected.as_slice(), 1),
            "{end:?}"
        );
    }
}

#[test]
fn what_is_not_text_is_a_bad_line_and_no_more() {
    let log = read(&b"timestamp,latency,outcome\n0,1,success\n1,\xff,success\n2,1,success\n"[..]);
    let log = log.expect("a log");
    assert_eq!(log.faults.first, [Fault { line: 3, what: "it is not UTF-8".to_owned() }]);
    assert_eq!(log.calls.len(), 2);
}

#[test]
fn a_log_in_milliseconds_is_not_mistaken_for_one_in_seconds() {
    let error = read(&b"timestamp,latency,outcome\n0,1,success\n\n36000000,1,success\n"[..]);
    assert_eq!(
        error.expect_err("more than a year").to_string(),
        "from line 2 to line 4 it is more than a year: timestamps that are numbers must be seconds"
    );
}

#[test]
fn a_missing_column_is_named() {
    for (text, missing) in [("", "timestamp"), ("timestamp,outcome\n", "latency")] {
        let error = read(text.as_bytes()).expect_err(text).to_string();
        assert_eq!(
            error,
            format!(
                "its first line must name the columns timestamp, latency, outcome, and `{missing}` \
                 is not among them"
            )
        );
    }
}

#[test]
fn a_column_that_is_named_twice_is_refused() {
    let error = read("timestamp,latency,outcome,latency\n".as_bytes()).expect_err("two of them");
    assert_eq!(error.to_string(), "its first line names the column `latency` twice");
}

#[test]
fn bad_lines_are_skipped_and_counted_and_strict_refuses_them() {
    let bad = "x,1,success\n".repeat(12);
    let path = file("bad.csv", &format!("timestamp,latency,outcome\n{bad}0,1,success\n"));
    let name = path.display();
    let (out, notes, error) = run(&path, "");
    assert_eq!(error, None);
    assert!(out.starts_with("1 call in 1ms\n"), "{out}");
    let notes: Vec<&str> = notes.lines().collect();
    assert_eq!(notes.len(), 12);
    assert!(notes[0].starts_with(&format!("{name}:2: `timestamp` is \"x\"")), "{}", notes[0]);
    assert_eq!(notes[10], format!("{name}: and 2 more"));
    assert_eq!(notes[11], format!("{name}: bad lines, 12 of them, were skipped"));

    let (out, notes, error) = run(&path, "--strict");
    assert_eq!((out.as_str(), notes.lines().count()), ("", 11));
    assert_eq!(error, Some(format!("{name}: bad lines, 12 of them, and --strict")));
}

#[test]
fn a_log_without_a_call_is_refused() {
    let path = file("none.csv", "timestamp,latency,outcome\n");
    let (.., error) = run(&path, "");
    let expected = format!("{}: there is no call in it that can be read", path.display());
    assert_eq!(error, Some(expected));
}

#[test]
fn what_a_log_cannot_tell_is_left_out_unless_the_outage_is_said() {
    // 0 f 1 f, open   2 and 3 rejected   4 s, closed   5 s
    let lines = "0,0,failure\n1,0,failure\n2,0,success\n3,0,success\n4,0,success\n5,0,success\n";
    let path = file("short.csv", &format!("timestamp,latency,outcome\n{lines}"));
    let settings = "--consecutive 2 --cooldown 3s --probes 1";
    let (out, notes, error) = run(&path, settings);
    assert_eq!((notes.as_str(), error), ("", None));
    for (figure, count) in [("openings", "1"), ("refused successes", "2")] {
        assert!(says(&out, figure, count), "{figure}: {count}\n{out}");
    }
    assert!(out.contains("More can be told if --outage says"), "{out}");
    assert!(!out.contains("false openings") && !out.contains("time to"), "{out}");

    let (out, ..) = run(&path, &format!("{settings} --outage 0s..2s"));
    for (figure, value) in [
        ("false openings", "0"),
        ("0s..2s: time to open", "1.0 s"),
        ("0s..2s: calls that reached it", "2"),
        ("0s..2s: time to recover", "2.0 s"),
        ("refused needlessly", "2"),
    ] {
        assert!(says(&out, figure, value), "{figure}: {value}\n{out}");
    }
}

/// Whether the table has this row.
fn says(table: &str, figure: &str, value: &str) -> bool {
    let cells = table.lines().filter_map(|line| line.strip_prefix(figure));
    cells.map(str::trim).any(|cell| cell == value)
}
