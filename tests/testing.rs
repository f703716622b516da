//! The virtual clock that users test with: one test at a time, breakers as new, time at a standstill.

use breakerbox::testing::{Clock, trip};
use breakerbox::{Breaker, Config, Keyed, RejectedKind, State, Totals, panel};
use std::panic::catch_unwind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const COOLDOWN: Duration = Duration::from_secs(15);

#[test]
fn a_freeze_finds_every_breaker_as_if_it_had_never_been_called() {
    static LISTED: Breaker = Breaker::new("cleared", Config::new());
    static FAMILY: Keyed<u64> = Keyed::new("cleared_family", Config::new()).capacity(1);
    panel().add(&LISTED);
    for _ in 0..2 {
        let clock = Clock::freeze();
        let shared = Breaker::shared("cleared_shared", Config::new()).expect("a valid config");
        for breaker in [&LISTED, &shared, &FAMILY.get(&7)] {
            assert_eq!(
                (breaker.state(), breaker.snapshot().totals),
                (State::Closed, Totals::default())
            );
            trip(breaker);
            assert_eq!(breaker.acquire().unwrap_err().kind(), RejectedKind::Open);
        }
        FAMILY.get(&8).acquire().expect("closed").success();
        assert_eq!(FAMILY.totals().failure + FAMILY.totals().success, 21);
        drop(clock);
        assert_eq!(shared.snapshot().totals, Totals::default());
    }
    let _clock = Clock::freeze();
    assert_eq!(FAMILY.totals(), Totals::default());
}

#[test]
fn a_test_that_panicked_leaves_the_turn_and_the_time_to_the_next() {
    let panicked = catch_unwind(|| {
        let _clock = Clock::freeze();
        panic!("a test fails");
    });
    assert!(panicked.is_err());
    let clock = Clock::freeze();
    clock.advance(COOLDOWN);
}

#[test]
fn time_moves_for_other_threads_too_and_only_when_it_is_moved() {
    let clock = Clock::freeze();
    let breaker = Breaker::new("threads", Config::new());
    trip(&breaker);
    let left = || {
        let ask = || breaker.acquire().map(drop).map_err(|rejected| rejected.retry_after());
        std::thread::scope(|scope| scope.spawn(ask).join().expect("no panic"))
    };
    assert_eq!(left(), Err(Some(COOLDOWN)));
    assert_eq!(left(), Err(Some(COOLDOWN)));
    clock.advance(Duration::from_nanos(14_999_999_999));
    assert_eq!(left(), Err(Some(Duration::from_nanos(1))));
    clock.advance(Duration::from_nanos(1));
    assert_eq!(left(), Ok(()));
}

#[test]
fn time_that_is_moved_to_its_end_stays_there() {
    let clock = Clock::freeze();
    let breaker = Breaker::new("end_of_time", Config::new());
    clock.advance(Duration::MAX);
    clock.advance(Duration::MAX);
    trip(&breaker);
    assert!(breaker.acquire().is_err());
}

#[test]
#[should_panic(expected = "this thread holds the clock already")]
fn a_second_freeze_on_one_thread_says_so_and_does_not_hang() {
    let _clock = Clock::freeze();
    let _again = Clock::freeze();
}

#[test]
fn listeners_hear_nothing_of_what_the_clock_clears() {
    static HEARD: AtomicU64 = AtomicU64::new(0);
    static BREAKER: Breaker = Breaker::new("quiet", Config::new()).on_transition(|_| {
        HEARD.fetch_add(1, Ordering::Relaxed);
    });
    panel().add(&BREAKER);
    let clock = Clock::freeze();
    trip(&BREAKER);
    drop(clock);
    let _clock = Clock::freeze();
    assert_eq!((BREAKER.state(), HEARD.load(Ordering::Relaxed)), (State::Closed, 1));
}

#[test]
#[should_panic(
    expected = "`open_already` cannot trip: it is forced open, not closed; call `Clock::freeze()`"
)]
fn what_is_open_already_cannot_trip() {
    let _clock = Clock::freeze();
    let breaker = Breaker::new("open_already", Config::new());
    breaker.force_open();
    trip(&breaker);
}
