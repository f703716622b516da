//! The picture, and the one in the repository.

mod support;

use std::fs;
use std::path::Path;
use support::args;
use tune::draw::draw;
use tune::replay_all;

fn picture(line: &str) -> String {
    let (traffic, panels) = replay_all(&args(line), &mut Vec::new()).expect(line);
    draw(&traffic, &panels)
}

const STEADY: &str =
    "--rps 2 --duration 2m --outage 30s..60s --error-rate 0 --latency 0s --cooldown 15s";

#[test]
fn it_has_each_state_with_its_times_and_its_cause() {
    let picture = picture(&format!("{STEADY} --window 40"));
    for said in [
        "closed from 0.0 s to 39.5 s",
        "open from 39.5 s to 54.5 s: failure rate, 20 of 40 failed",
        "open from 54.5 s to 69.5 s: probe failed",
        "half-open from 69.5 s to 70.5 s: cooldown over",
        "closed from 70.5 s to 2m: recovered",
    ] {
        assert!(picture.contains(said), "{said}");
    }
    assert!(picture.contains(
        "open 9.5 s into the outage · 21 calls reached it · closed 10.5 s after it · \
         false openings: 0 · refused needlessly: 19 · rejected: 58"
    ));
    let count = |class: &str| picture.matches(&format!("class=\"{class}\"")).count();
    // The bars are a second wide.
    assert!(picture.contains("\nper 1s\n"), "{picture}");
    // One of each is in the legend.
    assert_eq!((count("probe-failed"), count("probe-succeeded"), count("outage")), (2, 4, 2));
    assert_eq!((count("open"), count("half_open"), count("closed")), (3, 3, 3));
}

#[test]
fn each_configuration_has_a_panel() {
    let picture =
        picture(&format!("{STEADY} --against 'consecutive = 5' --against 'slow_call = \"1s\"'"));
    for heading in [
        r#">
A: cooldown = "15s"
<"#,
        r#"B: cooldown = "15s", consecutive = 5"#,
        r#"C: cooldown = "15s", slow_call = "1s""#,
        "slow_rate",
    ] {
        assert!(picture.contains(heading.trim_matches(['<', '>', '\n'])), "{heading}");
    }
    assert_eq!(picture.matches("class=\"outage\"").count(), 3 + 1);
}

#[test]
fn a_long_log_makes_no_longer_picture() {
    let short = picture("--rps 10 --outage 30s..60s --error-rate 0.3 --threshold 5 --cooldown 5s");
    let long = picture(
        "--rps 10 --duration 5h --outage 1h..2h --error-rate 0.3 --threshold 5 --cooldown 5s",
    );
    assert!(long.len() < 8 * short.len(), "{} and {}", short.len(), long.len());
}

/// The command in the README drew the picture in the README, and would draw it again.
#[test]
fn the_picture_in_the_repository_is_what_its_command_draws() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = fs::read_to_string(root.join("README.md")).expect("the README");
    let command = readme.replace("\\\n", " ");
    let command = command.lines().find_map(|line| line.strip_prefix("cargo run -p tune -- "));
    let command = command.expect("the command in the README");
    // Whoever tries other numbers does not change that one.
    assert_eq!(args(command).svg, Path::new("tune.svg"));
    let committed = fs::read_to_string(root.join("docs/tune.svg")).expect("the picture");
    let again = format!("{command} --svg docs/tune.svg");
    assert!(picture(command) == committed, "run: cargo run -p tune -- {again}");
}
