//! Two and three threads on one breaker, in every order that their operations can take.
//!
//! Each model asserts what must hold whatever the order: never more probes than `probes`, no slot
//! lost, one generation for one change, no deadline older than the state, and no deadlock, which
//! the checker finds by itself.
#![cfg(loom)]

use breaker_runtime::testing::Clock;
use breaker_runtime::{Breaker, Config, RejectedKind, State, Window};
use loom::sync::Arc;
use loom::thread;
use std::time::Duration;

const COOLDOWN: Duration = Duration::from_secs(15);
const PROBE_TIMEOUT: Duration = Duration::from_secs(60);

/// Runs `model` in every order, its time standing still unless it moves it.
fn check(model: impl Fn(&Clock) + Send + Sync + 'static) {
    loom::model(move || model(&Clock::freeze()));
}

/// A breaker whose parts the checker has seen before any other thread does.
fn breaker(config: Config) -> Arc<Breaker> {
    let breaker = Breaker::new("modelled", config.consecutive(1));
    assert_eq!((breaker.state(), breaker.snapshot().generation), (State::Closed, 0));
    Arc::new(breaker)
}

/// A breaker that was open before, so that its deadline has been seen too.
fn used_breaker(config: Config) -> Arc<Breaker> {
    let breaker = breaker(config);
    trip(&breaker);
    breaker.reset();
    assert_eq!(breaker.snapshot().generation, 2);
    breaker
}

/// Runs `work` on so many threads, and one more time on this one, and gives what they gave.
fn at_once<T: 'static>(
    others: usize,
    breaker: &Arc<Breaker>,
    work: impl Fn(&Breaker) -> T + Copy + Send + 'static,
) -> Vec<T> {
    let threads: Vec<_> = (0..others)
        .map(|_| {
            let breaker = Arc::clone(breaker);
            thread::spawn(move || work(&breaker))
        })
        .collect();
    let mine = work(breaker);
    let others = threads.into_iter().map(|thread| thread.join().expect("no panic"));
    others.chain([mine]).collect()
}

fn trip(breaker: &Breaker) {
    breaker.acquire().expect("closed").failure();
}

#[test]
fn at_the_deadline_exactly_the_probes_enter() {
    for probes in [1, 2] {
        check(move |clock| {
            let breaker = breaker(Config::new().probes(probes));
            trip(&breaker);
            clock.advance(COOLDOWN);
            let held = at_once(2, &breaker, |breaker| match breaker.acquire() {
                Ok(permit) => {
                    // Held for good: what is seen below is the most that was in flight at once.
                    std::mem::forget(permit);
                    None
                }
                Err(rejected) => Some(rejected.kind()),
            });
            let rejected: Vec<_> = held.into_iter().flatten().collect();
            assert_eq!(rejected, vec![RejectedKind::ProbesBusy; 3 - probes as usize]);
            let seen = breaker.snapshot();
            assert_eq!((seen.state, seen.probes_in_flight), (State::HalfOpen, probes));
            assert_eq!(seen.generation, 2);
        });
    }
}

#[test]
fn one_trip_is_one_change_however_many_fail() {
    check(|_| {
        let breaker = used_breaker(Config::new());
        let kinds = at_once(2, &breaker, |breaker| match breaker.acquire() {
            Ok(permit) => {
                permit.failure();
                None
            }
            Err(rejected) => {
                assert_eq!(rejected.retry_after(), Some(COOLDOWN));
                Some(rejected.kind())
            }
        });
        let seen = breaker.snapshot();
        let rejected = kinds.iter().flatten().count() as u64;
        assert!(kinds.into_iter().flatten().all(|kind| kind == RejectedKind::Open));
        assert_eq!((seen.state, seen.generation), (State::Open, 3));
        assert_eq!((seen.totals.failure, seen.totals.late), (2, 2 - rejected));
    });
}

#[test]
fn no_slot_is_lost_between_success_cancellation_and_admission() {
    check(|clock| {
        let breaker = breaker(Config::new().probes(3).probe_concurrency(2));
        trip(&breaker);
        clock.advance(COOLDOWN);
        let first = Arc::clone(&breaker);
        let succeeding = thread::spawn(move || {
            if let Ok(permit) = first.acquire() {
                permit.success();
            }
        });
        let second = Arc::clone(&breaker);
        let cancelling = thread::spawn(move || drop(second.acquire()));
        if let Ok(permit) = breaker.acquire() {
            permit.success();
        }
        succeeding.join().expect("no panic");
        cancelling.join().expect("no panic");
        let seen = breaker.snapshot();
        assert_eq!((seen.state, seen.probes_in_flight), (State::HalfOpen, 0));
        let totals = seen.totals;
        assert_eq!(u64::from(seen.probes_succeeded), totals.success);
        assert_eq!(totals.probes, totals.success + totals.ignored);
        assert_eq!(totals.probes + totals.all_rejected(), 3);
    });
}

#[test]
fn the_deadline_is_never_older_than_the_state() {
    check(|clock| {
        let breaker = breaker(Config::new().probes(1));
        trip(&breaker);
        clock.advance(COOLDOWN);
        let probe = Arc::clone(&breaker);
        // Its failure opens anew; with the old deadline the other call would be let through.
        let failing = thread::spawn(move || {
            if let Ok(permit) = probe.acquire() {
                permit.failure();
            }
        });
        match breaker.acquire() {
            Ok(permit) => permit.failure(),
            Err(rejected) if rejected.kind() == RejectedKind::ProbesBusy => {}
            Err(rejected) => assert_eq!(rejected.retry_after(), Some(COOLDOWN)),
        }
        failing.join().expect("no panic");
        let seen = breaker.snapshot();
        assert_eq!((seen.state, seen.totals.probes, seen.generation), (State::Open, 1, 3));
    });
}

#[test]
fn a_hung_probe_is_given_up_once_and_its_answer_is_late() {
    check(|clock| {
        let breaker = breaker(Config::new().probes(1));
        trip(&breaker);
        clock.advance(COOLDOWN);
        let hung = breaker.acquire().expect("a probe");
        clock.advance(PROBE_TIMEOUT);
        let finding = Arc::clone(&breaker);
        let other = thread::spawn(move || finding.acquire().map(drop).map_err(|r| r.kind()));
        hung.success();
        let found = other.join().expect("no panic");
        let seen = breaker.snapshot();
        match found {
            // The answer came first and closed.
            Ok(()) => {
                assert_eq!((seen.state, seen.generation), (State::Closed, 3));
                assert_eq!((seen.totals.late, seen.totals.ignored), (0, 1));
            }
            Err(kind) => {
                assert_eq!(kind, RejectedKind::Open);
                assert_eq!((seen.state, seen.generation), (State::Open, 3));
                assert_eq!(seen.totals.late, 1);
            }
        }
    });
}

#[test]
fn a_reset_while_calls_are_in_flight_makes_them_late_and_loses_nothing() {
    check(|clock| {
        let breaker = breaker(Config::new().probes(1));
        trip(&breaker);
        clock.advance(COOLDOWN);
        let probe = breaker.acquire().expect("a probe");
        let resetting = Arc::clone(&breaker);
        let other = thread::spawn(move || resetting.reset());
        probe.failure();
        other.join().expect("no panic");
        let seen = breaker.snapshot();
        assert_eq!(seen.state, State::Closed);
        let totals = seen.totals;
        // Before the reset it failed and opened; after it, it was late.
        assert_eq!((totals.failure + totals.late, seen.generation), (2, 4 - totals.late));
        breaker.acquire().expect("closed").success();
    });
}

#[test]
fn new_settings_while_calls_are_in_flight_make_them_late() {
    check(|_| {
        let breaker = used_breaker(Config::new());
        let permit = breaker.acquire().expect("closed");
        let configuring = Arc::clone(&breaker);
        let other = thread::spawn(move || {
            configuring.reconfigure(Config::new().consecutive(2)).expect("a valid config");
        });
        permit.failure();
        other.join().expect("no panic");
        let seen = breaker.snapshot();
        match seen.totals.late {
            // It tripped under the old settings; the new ones leave the state.
            0 => assert_eq!((seen.state, seen.generation), (State::Open, 4)),
            _ => assert_eq!((seen.state, seen.window.calls), (State::Closed, 0)),
        }
    });
}

#[test]
fn what_is_seen_never_goes_back() {
    check(|clock| {
        let breaker = breaker(Config::new().probes(1));
        trip(&breaker);
        clock.advance(COOLDOWN);
        let probing = Arc::clone(&breaker);
        let other = thread::spawn(move || {
            if let Ok(permit) = probing.acquire() {
                permit.success();
            }
        });
        let (first, second) = (breaker.snapshot(), breaker.snapshot());
        assert!(first.generation <= second.generation);
        for seen in [&first, &second] {
            let expected = [State::Open, State::HalfOpen, State::Closed];
            assert_eq!(seen.state, expected[seen.generation as usize - 1]);
        }
        other.join().expect("no panic");
        assert_eq!(breaker.snapshot().generation, 3);
    });
}

#[test]
fn the_time_spent_open_never_falls() {
    check(|clock| {
        let breaker = breaker(Config::new());
        trip(&breaker);
        let resetting = Arc::clone(&breaker);
        let other = thread::spawn(move || resetting.reset());
        clock.advance(Duration::from_secs(5));
        let (first, second) = (breaker.snapshot(), breaker.snapshot());
        assert!(first.totals.open <= second.totals.open);
        other.join().expect("no panic");
    });
}

/// A window that is past its threshold, so that successes need no lock.
fn busy_breaker() -> Arc<Breaker> {
    let config = Config::new().window(Window::Calls(4)).threshold(1).rate(1.0).max_failures(2);
    let breaker = Breaker::new("modelled", config);
    breaker.acquire().expect("closed").success();
    assert_eq!(breaker.snapshot().window.calls, 1);
    Arc::new(breaker)
}

#[test]
fn no_success_is_lost_beside_another_and_a_failure() {
    check(|_| {
        let breaker = busy_breaker();
        let failing = Arc::clone(&breaker);
        let other = thread::spawn(move || failing.acquire().expect("closed").failure());
        breaker.acquire().expect("closed").success();
        breaker.acquire().expect("closed").success();
        other.join().expect("no panic");
        let seen = breaker.snapshot();
        assert_eq!((seen.window.calls, seen.window.failures), (4, 1));
        assert_eq!((seen.totals.success, seen.totals.failure), (3, 1));
    });
}

#[test]
fn a_snapshot_counts_each_success_once_and_none_falls_back() {
    check(|_| {
        let breaker = busy_breaker();
        let succeeding = Arc::clone(&breaker);
        let other = thread::spawn(move || {
            succeeding.acquire().expect("closed").success();
        });
        let mut before = 1;
        for _ in 0..2 {
            let seen = breaker.snapshot();
            assert_eq!(u64::from(seen.window.calls), seen.totals.success);
            assert!(seen.totals.success >= before);
            before = seen.totals.success;
        }
        other.join().expect("no panic");
        assert_eq!(breaker.snapshot().totals.success, 2);
    });
}

#[test]
fn a_success_is_counted_before_a_reset_or_late_after_it() {
    check(|_| {
        let breaker = busy_breaker();
        let permit = breaker.acquire().expect("closed");
        let resetting = Arc::clone(&breaker);
        let other = thread::spawn(move || resetting.reset());
        permit.success();
        other.join().expect("no panic");
        let seen = breaker.snapshot();
        assert_eq!((seen.window.calls, seen.generation), (0, 1));
        assert_eq!(seen.totals.success + seen.totals.late, 2);
    });
}

#[test]
fn the_end_of_a_slice_is_never_taken_for_a_deadline() {
    check(|clock| {
        let breaker = breaker(Config::new().window(Window::Time(Duration::from_secs(300))));
        trip(&breaker);
        clock.advance(Duration::from_secs(5));
        let closing = Arc::clone(&breaker);
        // Closed, the slice ends in 30 s; then open again for 15.
        let other = thread::spawn(move || {
            closing.reset();
            closing.acquire().expect("closed").success();
            closing.acquire().expect("closed").failure();
        });
        if let Err(rejected) = breaker.acquire() {
            let left = rejected.retry_after().expect("open");
            assert!(left == COOLDOWN || left == COOLDOWN - Duration::from_secs(5), "{left:?}");
        }
        other.join().expect("no panic");
    });
}

#[test]
fn a_first_call_from_two_threads_finds_one_closed_breaker() {
    check(|_| {
        let breaker = breaker(Config::new());
        let admitted = at_once(1, &breaker, |breaker| breaker.acquire().map(|p| p.success()));
        assert!(admitted.iter().all(Result::is_ok));
        let seen = breaker.snapshot();
        assert_eq!((seen.generation, seen.window.calls), (0, 2));
    });
}
