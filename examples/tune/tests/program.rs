//! The program as a shell sees it: what is refused, how, and with which exit code.

use breakerbox::Config;
use clap::CommandFactory;
use std::process::{Command, Output, Stdio};
use tune::args::Args;

fn tune(line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tune"));
    // Where the picture goes, unless it is told otherwise.
    command.current_dir(env!("CARGO_TARGET_TMPDIR"));
    command.args(shlex::split(line).expect("quotes that close"));
    command
}

fn output(line: &str) -> (Option<i32>, String) {
    let Output { status, stderr, .. } = tune(line).output().expect("the program");
    (status.code(), String::from_utf8(stderr).expect("UTF-8"))
}

#[test]
fn what_makes_no_sense_is_said_in_a_line() {
    for (line, said) in [
        ("--rate 2", "the configuration is wrong: `rate` is 2: it must be from 0.000001 to 1"),
        ("--rate -1", "the configuration is wrong: `rate` is -1: it must be from 0.000001 to 1"),
        (
            "--cooldown soon",
            "the configuration is wrong: `soon` is no duration: it begins with no whole number in \
             `cooldown`",
        ),
        (
            "--window 10",
            "the configuration is wrong: `window` is 10 calls, `threshold` is 20: it must hold at \
             least `threshold` calls, or no rate is ever judged",
        ),
        (
            "--against 'cooldown = 5s'",
            "--against 'cooldown = 5s' is wrong: string values must be quoted, expected literal \
             string (write it as in 'rate = 0.2, cooldown = \"5s\"')",
        ),
        (
            "--against 'probes = 0'",
            "--against 'probes = 0' is wrong: `probes` is 0: it must be from 1 to 65,535",
        ),
        (
            "--against 'rate = 0.2 }\nprobes = { a = 1'",
            "--against 'rate = 0.2 }\nprobes = { a = 1' is wrong: unknown field `probes`, expected \
             `settings` (write it as in 'rate = 0.2, cooldown = \"5s\"')",
        ),
        (
            "--outage 170s..190s",
            "the outage 2m50s..3m10s goes on after the traffic, which ends at 3m",
        ),
        ("--outage 10s..30s --outage 20s..40s", "the outages 10s..30s and 20s..40s overlap"),
        ("--duration 0s", "--duration is zero: there would be no call"),
        (
            "--rps 1e6 --duration 1h",
            "--rps 1000000 for 1h are 3600000000 calls, and more than 5000000 are not replayed: \
             choose a lower --rps or a shorter --duration",
        ),
    ] {
        assert_eq!(output(line), (Some(1), format!("error: {said}\n")), "{line}");
    }
}

#[test]
fn every_setting_is_a_key_and_its_help_tells_the_default() {
    let defaults = toml::Table::try_from(Config::new()).expect("a table");
    let command = Args::command();
    for (key, value) in defaults {
        let flag = key.replace('_', "-");
        let argument = command.get_arguments().find(|argument| argument.get_long() == Some(&flag));
        let help = argument.expect(&key).get_help().expect(&key).to_string();
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let is_off = value == "0.0";
        assert!(is_off || help.contains(&format!("[default: {value}]")), "{help}: {value}");
    }
}

#[test]
fn every_figure_is_in_the_help() {
    let help = Args::command().get_after_long_help().expect("the figures").to_string();
    let Output { stdout, .. } = tune("--outage 30s..90s").output().expect("the program");
    let table = String::from_utf8(stdout).expect("UTF-8");
    // Below the letters of the configurations.
    let rows = table.lines().skip_while(|line| line.trim() != "A").skip(1);
    let mut found = 0;
    for row in rows.take_while(|line| !line.is_empty()) {
        let (name, _) = row.split_once("  ").expect(row);
        let name = name.rsplit(": ").next().expect(row);
        assert!(help.contains(&format!("\n  {name}  ")), "{name}");
        found += 1;
    }
    assert_eq!(found, 10, "{table}");
}

#[test]
fn made_up_traffic_without_an_outage_gets_a_hint() {
    for (line, hinted) in [("", true), ("--outage 30s..90s", false)] {
        let Output { stdout, .. } = tune(line).output().expect("the program");
        let table = String::from_utf8(stdout).expect("UTF-8");
        assert_eq!(table.contains("try --outage 30s..90s"), hinted, "{table}");
    }
}

#[test]
fn an_unknown_key_gets_the_list_of_keys() {
    let (code, said) = output("--against 'treshold = 5'");
    assert_eq!(code, Some(1));
    assert!(
        said.contains("unknown field `treshold`, expected one of `threshold`, `rate`"),
        "{said}"
    );
}

#[test]
fn what_is_no_value_is_refused_with_the_usage() {
    for (line, said) in [
        ("--outage 90s..30s", "`90s..30s` ends before it has begun"),
        ("--outage 30s", "`30s` is no range like 30s..90s"),
        ("--rps 0", "`0` is no number above 0"),
        ("--rps nan", "`nan` is no number above 0"),
        ("--error-rate 1.5", "`1.5` is no number from 0 to 1"),
        ("--latency fast", "`fast` is no duration like 250ms, 15s or 1m30s"),
        ("--duration 400days", "`400days` is longer than a year"),
        ("--log x.csv --rps 4", "'--log <FILE>' cannot be used with"),
        ("--strict", "required arguments were not provided"),
    ] {
        let (code, found) = output(line);
        assert_eq!(code, Some(2), "{line}");
        assert!(found.contains(said), "{line}: {found}");
    }
}

#[test]
fn a_file_that_is_not_there_is_named() {
    for (line, start) in [
        ("--log no/such.csv", "error: cannot read no/such.csv: "),
        ("--svg no/such.svg", "error: cannot write no/such.svg: "),
    ] {
        let (code, said) = output(line);
        assert_eq!(code, Some(1));
        assert!(said.starts_with(start), "{said}");
    }
}

#[test]
fn a_reader_that_has_left_is_no_error() {
    let mut child =
        tune("").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn chance_in_the_cooldown_is_pointed_out() {
    let (code, said) = output("--jitter 0.2 --duration 1s");
    assert_eq!(code, Some(0));
    assert_eq!(said, "`jitter` is random: another run gives other figures\n");
}

#[test]
fn the_picture_does_not_take_the_place_of_the_log() {
    let log = concat!(env!("CARGO_TARGET_TMPDIR"), "/not_a_picture.csv");
    std::fs::write(log, "timestamp,latency,outcome\n1,1ms,success\n").expect("a log");
    let (code, said) = output(&format!("--log {log} --svg {log}"));
    let expected = format!("error: --svg {log} is the log: the picture would take its place\n");
    assert_eq!((code, said), (Some(1), expected));
    assert!(std::fs::read_to_string(log).expect("the log").starts_with("timestamp"));
}
