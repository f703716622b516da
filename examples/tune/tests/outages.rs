//! What breakers do in outages, call by call: without chance, at equal distances, the figures are
//! arithmetic.

mod support;

use breakerbox::testing::Clock;
use breakerbox::{Cause, Config, State};
use indicatif::ProgressBar;
use std::time::Duration;
use support::args;
use tune::draw::Panel;
use tune::figures::{Figures, Handled, Judged, Recovery};
use tune::replay::{Fate, replay};
use tune::traffic::{Traffic, from_log};

/// Two calls a second that take no time and succeed, but for outages.
const STEADY: &str = "--rps 2 --duration 2m --error-rate 0 --latency 0s --cooldown 15s";
/// Half a minute, after half a minute.
const OUTAGE: &str = "--outage 30s..60s";

fn replay_all(line: &str) -> (Traffic, Vec<Panel>) {
    tune::replay_all(&args(line), &mut Vec::new()).expect(line)
}

fn secs(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds)
}

fn panel(line: &str) -> Panel {
    let (_, mut panels) = replay_all(&format!("{STEADY} {line}"));
    panels.remove(0)
}

fn judged(figures: &Figures) -> &Judged {
    figures.judged.as_ref().expect("outages are known")
}

fn outage(figures: &Figures) -> Handled {
    judged(figures).outages[0]
}

/// When the state changed, to what, and why.
fn turns(panel: &Panel) -> Vec<(f64, State, Cause)> {
    panel.replay.turns.iter().map(|turn| (turn.at.as_secs_f64(), turn.to, turn.cause)).collect()
}

#[test]
fn half_of_a_window_of_40_calls_opens_with_the_twentieth_failure() {
    // 30.0 f … 39.5 f, open   54.5 f, open   69.5 s 70.0 s 70.5 s, closed
    let panel = panel(&format!("{OUTAGE} --window 40"));
    assert_eq!(
        turns(&panel),
        [
            (39.5, State::Open, Cause::FailureRate),
            (54.5, State::HalfOpen, Cause::CooldownOver),
            (54.5, State::Open, Cause::ProbeFailed),
            (69.5, State::HalfOpen, Cause::CooldownOver),
            (70.5, State::Closed, Cause::Recovered),
        ]
    );
    let opening = panel.replay.turns[0].window;
    assert_eq!((opening.calls, opening.failures), (40, 20));

    let figures = &panel.figures;
    assert_eq!((figures.openings, judged(figures).false_openings), (1, 0));
    assert_eq!(
        outage(figures),
        Handled {
            reached: 20 + 1,
            opened_after: Some(secs(9.5)),
            recovery: Recovery::After(secs(10.5)),
        }
    );
    // From 40.0 to 54.0, and from 55.0 to 69.0; from 60.0 on the dependency was well.
    assert_eq!((figures.rejected, figures.probes), (29 + 29, 1 + 3));
    assert_eq!((judged(figures).refused_needlessly, figures.refused_successes), (19, 19));
    assert_eq!(figures.failures, 21);
}

#[test]
fn a_run_of_five_opens_with_the_fifth_failure() {
    // 30.0 f … 32.0 f, open   47.0 f, open   62.0 s 62.5 s 63.0 s, closed
    let figures = panel(&format!("{OUTAGE} --consecutive 5")).figures;
    let expected = Handled {
        reached: 5 + 1,
        opened_after: Some(secs(2.0)),
        recovery: Recovery::After(secs(3.0)),
    };
    assert_eq!(outage(&figures), expected);
    assert_eq!(judged(&figures).refused_needlessly, 4);
}

#[test]
fn the_cooldown_doubles_with_each_recovery_that_fails() {
    // 32.0 open   37.0 f, 10 s   47.0 f, 20 s   67.0 s …
    let panel =
        panel(&format!("{OUTAGE} --consecutive 5 --cooldown 5s --max-cooldown 20s --probes 1"));
    let opened = turns(&panel).into_iter().filter(|(_, state, _)| *state == State::Open);
    assert_eq!(opened.map(|(at, ..)| at).collect::<Vec<_>>(), [32.0, 37.0, 47.0]);
    assert_eq!(outage(&panel.figures).recovery, Recovery::After(secs(7.0)));
}

#[test]
fn probes_take_their_time_and_one_at_a_time_is_one_at_a_time() {
    // Each call takes 2 s. The breaker opens as the first call ends that failed; 20 s later the
    // dependency is long well, and a probe begins whenever the one before has ended.
    let panel = panel(
        "--outage 10s..20s --outage 30s..31s --latency 2s --consecutive 1 --cooldown 30s \
         --probe-concurrency 1 --duration 60s",
    );
    assert_eq!(
        turns(&panel),
        [
            (12.0, State::Open, Cause::Consecutive),
            (42.0, State::HalfOpen, Cause::CooldownOver),
            (48.0, State::Closed, Cause::Recovered),
        ]
    );
    let probes: Vec<usize> = panel
        .replay
        .fates
        .iter()
        .enumerate()
        .filter_map(|(place, fate)| (*fate == Fate::Probe).then_some(place))
        .collect();
    // At 42 s, 44 s and 46 s, two calls a second.
    assert_eq!(probes, [84, 88, 92]);
    let judged = judged(&panel.figures);
    // What was under way when it opened had reached it: 10.0 to 11.5, and 12.0 begins as it opens.
    assert_eq!(judged.outages.iter().map(|outage| outage.reached).collect::<Vec<_>>(), [4, 0]);
    // The second outage is found open, and answered for by the same recovery.
    assert_eq!(judged.outages[1].opened_after, Some(Duration::ZERO));
    assert_eq!(judged.outages[1].recovery, Recovery::After(secs(17.0)));
}

#[test]
fn a_probe_that_hangs_is_given_up() {
    // 0 f, open   10 probe, hangs   14 busy   15 busy too long: open   25 s, closed   70 late
    let log = "timestamp,latency,outcome\n0,0,failure\n10,1m,success\n14,0,success\n\
               15,0,success\n25,0,success\n";
    let log = tune::log::read(log.as_bytes()).expect("a log");
    let traffic = from_log(log.calls, &[]).expect("traffic");
    let config =
        Config::new().consecutive(1).cooldown(secs(10.0)).probes(1).probe_timeout(secs(5.0));
    let replay = replay(&Clock::freeze(), config, &traffic, &ProgressBar::hidden());
    let turns: Vec<_> = replay.turns.iter().map(|turn| (turn.at.as_secs(), turn.cause)).collect();
    assert_eq!(
        turns,
        [
            (0, Cause::Consecutive),
            (10, Cause::CooldownOver),
            (15, Cause::ProbeLost),
            (25, Cause::CooldownOver),
            (25, Cause::Recovered),
        ]
    );
    let fates = [Fate::Admitted, Fate::Probe, Fate::Rejected, Fate::Rejected, Fate::Probe];
    assert_eq!(replay.fates, fates);
}

#[test]
fn what_never_opens_has_nothing_to_recover_from() {
    let figures = panel(&format!("{OUTAGE} --threshold 1000")).figures;
    let expected = Handled { reached: 60, opened_after: None, recovery: Recovery::NotNeeded };
    assert_eq!(outage(&figures), expected);
    assert_eq!((figures.openings, figures.rejected, figures.failures), (0, 0, 60));
}

#[test]
fn what_is_open_when_the_traffic_ends_has_not_recovered() {
    let figures = panel(&format!("{OUTAGE} --consecutive 5 --duration 60s")).figures;
    assert_eq!(outage(&figures).recovery, Recovery::NotYet);
}

#[test]
fn an_opening_in_good_times_is_a_false_one_and_all_it_refuses_is_needless() {
    let (_, panels) =
        replay_all("--rps 2 --duration 60s --error-rate 1 --latency 0s --threshold 4");
    let figures = &panels[0].figures;
    // 0.0 f … 1.5 f, open   16.5 f   31.5 f   46.5 f
    let expected = Judged { false_openings: 1, refused_needlessly: 120 - 4 - 3, outages: vec![] };
    assert_eq!(figures.judged, Some(expected));
    assert_eq!(figures.refused_successes, 0);
}

#[test]
fn all_configurations_meet_the_same_calls() {
    let line = "--rps 50 --error-rate 0.3 --latency 10ms..90ms --seed 7";
    let (traffic, panels) =
        replay_all(&format!("{line} --against 'rate = 1' --against 'rate = 0.1'"));
    let (again, _) = replay_all(line);
    let (others, _) = replay_all(&format!("{line} --seed 8"));
    assert_eq!(traffic.calls, again.calls);
    assert_ne!(traffic.calls, others.calls);
    assert_eq!(panels.iter().map(|panel| panel.replay.fates.len()).collect::<Vec<_>>(), [9_000; 3]);
    assert_eq!((panels[0].figures.openings, panels[1].figures.openings), (0, 0));
    assert!(panels[2].figures.openings > 0);
}

#[test]
fn a_configuration_keeps_what_the_other_does_not_say() {
    let (_, panels) = replay_all(
        "--rate 0.25 --cooldown 5s --against 'cooldown = \"1m 30s\", window = 100,' --against ''",
    );
    let labels: Vec<&str> = panels.iter().map(|panel| panel.label.as_str()).collect();
    assert_eq!(
        labels,
        [
            r#"rate = 0.25, cooldown = "5s""#,
            r#"rate = 0.25, cooldown = "1m 30s", window = 100"#,
            r#"rate = 0.25, cooldown = "5s""#,
        ]
    );
    assert_eq!(panels[1].config.cooldown, secs(90.0));
    assert!((panels[1].config.rate - 0.25).abs() < f64::EPSILON);
}
