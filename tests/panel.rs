//! The panel: what an operator sees of every breaker, and can do by hand.

use breakerbox::{Breaker, Config, RejectedKind, State, Transition, Window, panel, testing::Clock};
use std::sync::Mutex;
use std::time::Duration;

#[test]
fn two_breakers_of_one_name_are_both_found_and_told_apart_by_their_place() {
    static ONE: Breaker = Breaker::new("twins", Config::new());
    static OTHER: Breaker = Breaker::new("twins", Config::new());
    let _clock = Clock::freeze();
    panel().add(&ONE);
    panel().add(&OTHER);
    panel().add(&OTHER);
    let mut lines: Vec<_> =
        panel().find("twins").iter().map(|breaker| breaker.location().line()).collect();
    lines.sort_unstable();
    assert_eq!(lines, [ONE.location().line(), OTHER.location().line()]);
    assert_eq!(OTHER.location().line(), ONE.location().line() + 1);
    assert_eq!(ONE.location().file(), file!());
}

#[test]
fn a_shared_breaker_is_shown_for_as_long_as_it_lives() {
    // No other test looks at the panel meanwhile, and holds what it sees.
    let _clock = Clock::freeze();
    for _ in 0..1_000 {
        let breaker = Breaker::shared("short_lived", Config::new()).expect("a valid config");
        assert_eq!(panel().find("short_lived").len(), 1);
        drop(breaker);
    }
    assert!(panel().find("short_lived").is_empty());
    let fault = Breaker::shared("bad", Config::new().probes(0)).unwrap_err();
    assert_eq!(fault.field(), "probes");
}

#[test]
fn a_state_set_by_hand_is_left_only_by_hand_and_shows() {
    let clock = Clock::freeze();
    let breaker = Breaker::new("by_hand", Config::new().consecutive(1));
    breaker.force_open();
    clock.advance(Duration::from_secs(1_000_000));
    assert_eq!(breaker.acquire().unwrap_err().kind(), RejectedKind::ForcedOpen);
    breaker.reconfigure(Config::new().threshold(1)).expect("a valid config");
    assert_eq!(breaker.snapshot().state, State::ForcedOpen);
    assert_eq!(breaker.snapshot().to_string(), "by_hand: forced open, 0 calls, 1 rejected");

    breaker.disable();
    for _ in 0..1_000 {
        breaker.acquire().expect("disabled").failure();
    }
    assert_eq!(breaker.snapshot().to_string(), "by_hand: disabled, 1000 calls, 1 rejected");

    breaker.reset();
    breaker.acquire().expect("closed").failure();
    assert_eq!(breaker.state(), State::Open);
    assert_eq!(breaker.snapshot().config, Config::new().threshold(1));
}

#[test]
fn new_settings_apply_at_once_and_bad_ones_change_nothing() {
    let _clock = Clock::freeze();
    let breaker = Breaker::new("reconfigured", Config::new().threshold(100));
    let early = breaker.acquire().expect("closed");
    for _ in 0..50 {
        breaker.acquire().expect("closed").failure();
    }
    let before = breaker.snapshot();
    let fault = breaker.reconfigure(Config::new().threshold(0)).unwrap_err();
    assert_eq!(fault.to_string(), "`threshold` is 0: it must be from 1 to 1,000,000");
    assert_eq!(breaker.snapshot(), before);

    breaker.reconfigure(Config::new().threshold(2).window(Window::Calls(2))).expect("valid");
    assert_eq!(breaker.snapshot().window.calls, 0);
    early.failure();
    assert_eq!(breaker.snapshot().totals.late, 1);
    breaker.acquire().expect("closed").failure();
    breaker.acquire().expect("closed").failure();
    assert_eq!(breaker.state(), State::Open);
}

#[test]
fn a_subscriber_hears_of_all_breakers_also_of_those_not_listed() {
    static HEARD: Mutex<Vec<(String, State)>> = Mutex::new(Vec::new());
    fn hear(change: &Transition) {
        if change.breaker().starts_with("subscribed") {
            HEARD.lock().unwrap().push((change.breaker().to_owned(), change.to));
        }
    }
    let _clock = Clock::freeze();
    panel().subscribe(hear);
    let one = Breaker::new("subscribed_one", Config::new().consecutive(1));
    let other = Breaker::shared("subscribed_other", Config::new()).expect("a valid config");
    one.acquire().expect("closed").failure();
    other.force_open();
    assert_eq!(
        *HEARD.lock().unwrap(),
        [("subscribed_one".into(), State::Open), ("subscribed_other".into(), State::ForcedOpen)]
    );
}

#[test]
fn the_panel_prints_an_aligned_table() {
    let _clock = Clock::freeze();
    let one = Breaker::shared("table::charge", Config::new()).expect("valid");
    let two = Breaker::shared("table::a_longer_name", Config::new().consecutive(1)).expect("valid");
    one.acquire().expect("closed").success();
    one.acquire().expect("closed").failure();
    two.acquire().expect("closed").failure();
    two.acquire().unwrap_err();
    let table = panel().to_string();
    let lines: Vec<_> = table.lines().collect();
    assert!(lines[0].starts_with("breaker"));
    let row = |name: &str| lines.iter().position(|line| line.starts_with(name)).expect(name);
    let (open, closed) = (row("table::a_longer_name"), row("table::charge"));
    assert!(open < closed, "those that reject come first:\n{table}");
    let words = |row: usize| lines[row].split_whitespace().collect::<Vec<_>>();
    let numbers = |row: usize| words(row)[..8].join(" ");
    assert_eq!(numbers(open), "table::a_longer_name open 0 0 15.0s 1 1 0");
    assert_eq!(words(closed).join(" "), "table::charge closed 2 1 - 2 0 0");
    let start = lines[0].find("  opened by").expect("the last column");
    assert_eq!(&lines[open][start..], "  consecutive failures, 1 of 1 failed");
    let width = |line: &str| line.chars().count();
    let is_aligned = |line: &&str| width(line) == start || line[start..].starts_with("  ");
    assert!(lines.iter().all(is_aligned), "not aligned:\n{table}");
}

#[test]
fn counts_add_up_and_never_fall_under_load() {
    const THREADS: u64 = 8;
    const CALLS: u64 = 5_000;
    let clock = Clock::freeze();
    let config = Config::new().threshold(10).window(Window::Calls(50)).probes(2);
    let breaker = Breaker::new("adding_up", config);
    let admitted = std::sync::atomic::AtomicU64::new(0);
    let mut rejected = 0;
    std::thread::scope(|scope| {
        let callers: Vec<_> = (0..THREADS)
            .map(|thread| {
                let (breaker, clock, admitted) = (&breaker, &clock, &admitted);
                scope.spawn(move || {
                    let mut rejected = 0;
                    for call in 0..CALLS {
                        if call % 64 == 0 {
                            clock.advance(Duration::from_secs(5));
                        }
                        if call % 501 == thread {
                            breaker.reset();
                        }
                        let Ok(permit) = breaker.acquire() else {
                            rejected += 1;
                            continue;
                        };
                        admitted.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                        match (call + thread) % 5 {
                            0 | 1 => permit.success(),
                            2 => permit.record(breakerbox::Outcome::Ignored),
                            3 => permit.failure(),
                            _ => drop(permit),
                        }
                    }
                    rejected
                })
            })
            .collect();
        let mut before = breaker.snapshot().totals;
        while !callers.iter().all(std::thread::ScopedJoinHandle::is_finished) {
            let seen = breaker.snapshot();
            let now = seen.totals;
            assert!(seen.window.failures <= seen.window.calls && seen.window.calls <= 50);
            assert!(now.calls() >= before.calls() && now.all_rejected() >= before.all_rejected());
            assert!(now.success >= before.success && now.late >= before.late);
            before = now;
        }
        rejected = callers.into_iter().map(|caller| caller.join().expect("no panic")).sum();
    });
    let totals = breaker.snapshot().totals;
    assert_eq!(totals.calls(), admitted.into_inner());
    assert_eq!(totals.all_rejected(), rejected);
    assert_eq!(totals.calls() + totals.all_rejected(), THREADS * CALLS);
}
