//! Faults that circuit breakers are known for, each in the way that it would show to a user. Where
//! the fault lies in a rule of the state machine or in the window, its test stands beside that.

use breakerbox::testing::{Clock, trip};
use breakerbox::{
    Breaker, Config, Keyed, Outcome, Rejected, RejectedKind, State, Window, circuit_breaker, panel,
};
use futures::FutureExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::time::Duration;

type Answer = Result<u32, Rejected>;
/// A way to be rejected, and its name.
type WayIn = (&'static str, fn(&Breaker));

const COOLDOWN: Duration = Duration::from_secs(15);

#[test]
fn looking_takes_no_slot() {
    let clock = Clock::freeze();
    let breaker = Breaker::shared("looked_at", Config::new().probes(2)).expect("a good config");
    trip(&breaker);
    clock.advance(COOLDOWN);
    let look = || {
        for _ in 0..100 {
            let _ = (breaker.state(), breaker.snapshot(), format!("{breaker:?}"));
            let _ = (panel().snapshots(), panel().to_string(), breaker.snapshot().to_string());
        }
    };
    look();
    assert_eq!(breaker.state(), State::Open, "until a call comes");
    let first = breaker.acquire().expect("a probe");
    look();
    let second = breaker.acquire().expect("the other probe");
    look();
    assert_eq!(breaker.acquire().unwrap_err().kind(), RejectedKind::ProbesBusy);
    first.success();
    look();
    second.success();
    assert_eq!(breaker.state(), State::Closed);
    assert_eq!(breaker.snapshot().totals.probes, 2);
}

#[test]
fn the_least_volume_is_not_asked_of_probes() {
    let clock = Clock::freeze();
    let breaker = Breaker::new("volume", Config::new().threshold(100).probes(3));
    trip(&breaker);
    clock.advance(COOLDOWN);
    breaker.acquire().expect("a probe").failure();
    assert_eq!(breaker.state(), State::Open, "one failure is enough");
    clock.advance(COOLDOWN);
    for _ in 0..3 {
        breaker.acquire().expect("a probe").success();
    }
    assert_eq!(breaker.state(), State::Closed, "three successes are enough");
}

#[test]
fn what_began_before_the_trip_moves_neither_the_deadline_nor_the_recovery() {
    let clock = Clock::freeze();
    let breaker = Breaker::new("late", Config::new().probes(1));
    let early: Vec<_> = (0..3).map(|_| breaker.acquire().expect("closed")).collect();
    let [failed, succeeded, throttled] = early.try_into().expect("three");
    trip(&breaker);
    clock.advance(Duration::from_secs(10));
    failed.failure();
    throttled.record(Outcome::Throttled(Duration::from_secs(1_000)));
    assert_eq!(breaker.snapshot().remaining_cooldown, Some(Duration::from_secs(5)));

    clock.advance(Duration::from_secs(5));
    let probe = breaker.acquire().expect("a probe");
    succeeded.success();
    assert_eq!(breaker.state(), State::HalfOpen, "that was no probe");
    assert_eq!(breaker.snapshot().probes_in_flight, 1);
    probe.success();
    assert_eq!((breaker.state(), breaker.snapshot().totals.late), (State::Closed, 3));
}

#[test]
fn a_last_probe_that_says_nothing_is_tried_again() {
    let clock = Clock::freeze();
    let breaker = Breaker::new("says_nothing", Config::new().probes(2).probe_concurrency(1));
    trip(&breaker);
    clock.advance(COOLDOWN);
    breaker.acquire().expect("a probe").success();
    for _ in 0..10 {
        breaker.acquire().expect("the last probe").record(Outcome::Ignored);
        drop(breaker.acquire().expect("the last probe"));
        assert_eq!(breaker.state(), State::HalfOpen);
    }
    breaker.acquire().expect("the last probe").success();
    assert_eq!(breaker.state(), State::Closed);
}

#[test]
fn each_rule_fires_where_every_call_is_a_bad_one() {
    let _clock = Clock::freeze();
    let all = Config::new().threshold(10).rate(1.0);
    let nanosecond = Duration::from_nanos(1);
    for (rule, config) in [
        ("rate, by time", all),
        ("rate, by count", all.window(Window::Calls(10))),
        ("rate, in the least window", all.threshold(1).window(Window::Calls(1))),
        ("consecutive", all.threshold(1_000).consecutive(10)),
        ("max_failures", all.threshold(1_000).max_failures(10)),
        ("failures beside slow calls", all.slow_call(nanosecond).slow_rate(0.000_001)),
    ] {
        let breaker = Breaker::new("all_fail", config);
        for _ in 0..10 {
            assert_eq!(breaker.state(), State::Closed, "{rule}");
            breaker.acquire().expect("closed").failure();
            if config.threshold == 1 {
                break;
            }
        }
        assert_eq!(breaker.state(), State::Open, "{rule}");
    }
}

#[test]
fn a_rejected_call_is_counted_once_on_every_way_in() {
    #[circuit_breaker(breaker = breaker, fallback = |_| Ok(7))]
    fn with_fallback(breaker: &Breaker) -> Answer {
        Ok(1)
    }
    #[circuit_breaker(breaker = breaker)]
    fn without(breaker: &Breaker) -> Answer {
        Ok(1)
    }
    #[circuit_breaker(breaker = breaker)]
    async fn later(breaker: &Breaker) -> Answer {
        Ok(1)
    }
    let clock = Clock::freeze();
    let family: Keyed<u32> = Keyed::new("counted_family", Config::new());
    let member = family.get(&1);
    let lone = Breaker::new("counted", Config::new());
    let ways: [WayIn; 6] = [
        ("acquire", |breaker| drop(breaker.acquire().unwrap_err())),
        ("call", |breaker| drop(breaker.call(|| Answer::Ok(1)).unwrap_err())),
        ("call_async", |breaker| {
            let answer = breaker.call_async(async { Answer::Ok(1) }).now_or_never();
            drop(answer.expect("no waiting").unwrap_err());
        }),
        ("the attribute", |breaker| drop(without(breaker).unwrap_err())),
        ("the attribute, async", |breaker| {
            drop(later(breaker).now_or_never().expect("no waiting").unwrap_err());
        }),
        ("the attribute with a fallback", |breaker| {
            assert_eq!(with_fallback(breaker).expect("the fallback"), 7);
        }),
    ];
    for breaker in [&lone, &*member] {
        trip(breaker);
        for round in 0..3 {
            if round == 1 {
                breaker.force_open();
            } else if round == 2 {
                breaker.reset();
                trip(breaker);
                clock.advance(COOLDOWN);
            }
            let probes: Vec<_> = match round {
                2 => (0..3).map(|_| breaker.acquire().expect("a probe")).collect(),
                _ => Vec::new(),
            };
            for (way, reject) in ways {
                let before = breaker.snapshot().totals;
                reject(breaker);
                let after = breaker.snapshot().totals;
                assert_eq!(after.all_rejected(), before.all_rejected() + 1, "{way}");
                assert_eq!(after.calls(), before.calls(), "{way}");
                let fallbacks = u64::from(way.ends_with("fallback"));
                assert_eq!(after.fallbacks, before.fallbacks + fallbacks, "{way}");
            }
            drop(probes);
        }
    }
    assert_eq!(family.totals().all_rejected(), 18);
}

#[test]
fn a_future_is_judged_when_it_is_polled_not_when_it_is_made() {
    #[circuit_breaker(breaker = breaker)]
    async fn fetch(breaker: &Breaker) -> Answer {
        Ok(1)
    }
    let clock = Clock::freeze();
    let breaker = Breaker::new("futures", Config::new().probes(1));
    let made_while_closed = fetch(&breaker);
    let by_hand = breaker.call_async(async { Answer::Ok(1) });
    trip(&breaker);
    let made_while_open = fetch(&breaker);
    let rejected = made_while_closed.now_or_never().expect("no waiting").unwrap_err();
    assert_eq!(rejected.kind(), RejectedKind::Open);
    assert!(by_hand.now_or_never().expect("no waiting").is_err());
    clock.advance(COOLDOWN);
    assert_eq!(breaker.state(), State::Open, "a future that waits is no probe");
    assert_eq!(made_while_open.now_or_never().expect("no waiting").expect("a probe"), 1);
    assert_eq!(breaker.state(), State::Closed);
}

#[test]
fn no_way_out_of_a_function_skips_the_count() {
    #[circuit_breaker(breaker = breaker)]
    fn leave(breaker: &Breaker, by: &str) -> Result<u32, Box<dyn std::error::Error>> {
        if by == "return" {
            return Ok(1);
        }
        let number: u32 = by.parse()?;
        let found = 'search: loop {
            for candidate in 0.. {
                if candidate == number {
                    break 'search candidate;
                }
            }
        };
        match found {
            0 => Err("none".into()),
            1 => panic!("too few"),
            _ => Ok(found),
        }
    }
    let _clock = Clock::freeze();
    let breaker = Breaker::new("ways_out", Config::new());
    for (by, successes, failures) in
        [("return", 1, 0), ("no number", 1, 1), ("0", 1, 2), ("1", 1, 3), ("2", 2, 3)]
    {
        let _ = catch_unwind(AssertUnwindSafe(|| leave(&breaker, by).is_ok()));
        let totals = breaker.snapshot().totals;
        assert_eq!((totals.success, totals.failure), (successes, failures), "{by}");
        assert_eq!(totals.calls(), successes + failures, "{by}");
    }
}

#[test]
fn a_verdict_that_panics_is_a_failure_and_gives_the_slot_back() {
    #[circuit_breaker(breaker = breaker, classify = |_| panic!("no verdict"))]
    fn sync(breaker: &Breaker) -> Answer {
        Ok(1)
    }
    #[circuit_breaker(breaker = breaker, classify = |_| panic!("no verdict"))]
    async fn later(breaker: &Breaker) -> Answer {
        Ok(1)
    }
    #[circuit_breaker(breaker = breaker, failure_if = |_| panic!("no verdict"))]
    fn short(breaker: &Breaker) -> Answer {
        Err(breaker.acquire().map(drop).unwrap_err())
    }
    let clock = Clock::freeze();
    let calls: [fn(&Breaker); 3] = [
        |breaker| drop(sync(breaker)),
        |breaker| drop(later(breaker).now_or_never()),
        |breaker| drop(short(breaker)),
    ];
    for call in calls {
        let breaker = Breaker::new("no_verdict", Config::new().probes(1));
        trip(&breaker);
        for probe in 1..=3 {
            clock.advance(COOLDOWN);
            assert!(catch_unwind(AssertUnwindSafe(|| call(&breaker))).is_err());
            let seen = breaker.snapshot();
            assert_eq!((seen.state, seen.probes_in_flight), (State::Open, 0));
            assert_eq!(seen.totals.probes, probe);
        }
        clock.advance(COOLDOWN);
        breaker.acquire().expect("a probe").success();
        assert_eq!(breaker.state(), State::Closed);
    }
}

#[test]
fn a_fallback_that_panics_or_asks_the_breaker_does_no_harm() {
    #[circuit_breaker(breaker = breaker, fallback = |_| panic!("no answer"))]
    fn panicking(breaker: &Breaker) -> Answer {
        Ok(1)
    }
    #[circuit_breaker(breaker = breaker, fallback = |_| asked(breaker))]
    fn asking(breaker: &Breaker) -> Answer {
        Ok(1)
    }
    fn asked(breaker: &Breaker) -> Answer {
        breaker.call(|| Ok(breaker.snapshot().generation.try_into().unwrap_or(0)))
    }
    let clock = Clock::freeze();
    let breaker = Breaker::new("bad_fallback", Config::new().probes(1));
    trip(&breaker);
    assert!(catch_unwind(AssertUnwindSafe(|| panicking(&breaker))).is_err());
    assert!(asking(&breaker).is_err());
    let totals = breaker.snapshot().totals;
    assert_eq!((totals.fallbacks, totals.all_rejected(), totals.failure), (2, 3, 20));
    clock.advance(COOLDOWN);
    assert_eq!(asking(&breaker).expect("a probe"), 1);
    assert_eq!(breaker.state(), State::Closed);
}

#[test]
fn time_that_stands_still_neither_opens_nor_wedges() {
    let _clock = Clock::freeze();
    let config = Config::new().slow_call(Duration::from_nanos(1)).probes(1);
    let breaker = Breaker::new("still", config);
    for _ in 0..1_000 {
        breaker.acquire().expect("closed").success();
    }
    assert_eq!((breaker.state(), breaker.snapshot().totals.slow), (State::Closed, 0));
    trip(&breaker);
    for _ in 0..1_000 {
        assert_eq!(breaker.acquire().unwrap_err().retry_after(), Some(COOLDOWN));
    }
    breaker.reset();
    breaker.acquire().expect("closed").success();
}

#[test]
fn a_reset_while_calls_are_under_way_starts_from_nothing() {
    let clock = Clock::freeze();
    let breaker = Breaker::new("reset", Config::new().probes(2));
    let early = breaker.acquire().expect("closed");
    trip(&breaker);
    clock.advance(COOLDOWN);
    let probe = breaker.acquire().expect("a probe");
    breaker.reset();
    drop(early);
    probe.failure();
    let seen = breaker.snapshot();
    assert_eq!((seen.state, seen.window.calls, seen.totals.late), (State::Closed, 0, 2));
    trip(&breaker);
    clock.advance(COOLDOWN);
    for _ in 0..2 {
        breaker.acquire().expect("as many probes as ever").success();
    }
    assert_eq!(breaker.state(), State::Closed);
}

#[test]
fn a_shared_breaker_lives_as_long_as_a_call_under_way() {
    let _clock = Clock::freeze();
    let breaker = Breaker::shared("outlived", Config::new()).expect("a good config");
    let (begin, started) = mpsc::channel();
    let (end, finish) = mpsc::channel();
    let theirs = breaker.clone();
    let call = std::thread::spawn(move || {
        let permit = theirs.acquire().expect("closed");
        begin.send(()).expect("somebody waits");
        finish.recv().expect("somebody tells");
        permit.failure();
        theirs.snapshot().totals.failure
    });
    started.recv().expect("a call under way");
    drop(breaker);
    assert_eq!(panel().find("outlived").len(), 1);
    end.send(()).expect("somebody waits");
    assert_eq!(call.join().expect("no panic"), 1);
    assert!(panel().find("outlived").is_empty());
}
