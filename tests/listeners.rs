//! Listeners hear of every change once and in order, run outside the lock, and can harm nobody.

use breakerbox::{Breaker, Cause, Config, State, Transition, testing::Clock};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const COOLDOWN: Duration = Duration::from_secs(15);

#[test]
fn every_change_is_told_once_in_order_with_cause_and_counts() {
    static HEARD: Mutex<Vec<Transition>> = Mutex::new(Vec::new());
    static BREAKER: Breaker = Breaker::new("told", Config::new().threshold(2).probes(1))
        .on_transition(|change| HEARD.lock().unwrap().push(change.clone()));

    let clock = Clock::freeze();
    let call = || BREAKER.acquire().expect("admitted");
    call().success();
    call().failure(); // 1 of 2: trips
    clock.advance(COOLDOWN);
    call().failure(); // the probe fails
    clock.advance(COOLDOWN);
    call().success(); // the probe closes
    BREAKER.force_open();
    BREAKER.disable();
    BREAKER.reset();

    let heard = HEARD.lock().unwrap();
    let changes: Vec<_> =
        heard.iter().map(|change| (change.from, change.to, change.cause)).collect();
    assert_eq!(
        changes,
        [
            (State::Closed, State::Open, Cause::FailureRate),
            (State::Open, State::HalfOpen, Cause::CooldownOver),
            (State::HalfOpen, State::Open, Cause::ProbeFailed),
            (State::Open, State::HalfOpen, Cause::CooldownOver),
            (State::HalfOpen, State::Closed, Cause::Recovered),
            (State::Closed, State::ForcedOpen, Cause::Manual),
            (State::ForcedOpen, State::Disabled, Cause::Manual),
            (State::Disabled, State::Closed, Cause::Manual),
        ]
    );
    let trip = &heard[0];
    assert_eq!((trip.breaker(), trip.cooldown), ("told", Some(COOLDOWN)));
    assert_eq!((trip.window.calls, trip.window.failures, trip.window.slow), (2, 1, 0));
    assert_eq!(trip.to_string(), "told: closed → open (failure rate, 1 of 2 failed), cooldown 15s");
    assert_eq!(heard[1].to_string(), "told: open → half-open (cooldown over)");
}

#[test]
fn what_leaves_the_state_as_it_is_is_no_change() {
    static HEARD: AtomicU64 = AtomicU64::new(0);
    static BREAKER: Breaker = Breaker::new("unchanged", Config::new()).on_transition(|_| {
        HEARD.fetch_add(1, Ordering::Relaxed);
    });
    let _clock = Clock::freeze();
    BREAKER.reset();
    BREAKER.reconfigure(Config::new().threshold(3)).expect("a valid config");
    assert_eq!(HEARD.load(Ordering::Relaxed), 0);
    BREAKER.disable();
    BREAKER.disable();
    assert_eq!(HEARD.load(Ordering::Relaxed), 1);
    assert_eq!(BREAKER.snapshot().generation, 4);
}

#[test]
fn a_listener_may_ask_the_breaker_anything() {
    static ASKED: Mutex<Vec<(State, u64)>> = Mutex::new(Vec::new());
    static BREAKER: Breaker =
        Breaker::new("asked", Config::new().consecutive(1)).on_transition(|_| {
            let seen = BREAKER.snapshot();
            assert_eq!(seen.state, BREAKER.state());
            assert!(BREAKER.acquire().is_err());
            ASKED.lock().unwrap().push((seen.state, seen.generation));
        });
    let _clock = Clock::freeze();
    BREAKER.acquire().expect("closed").failure();
    assert_eq!(*ASKED.lock().unwrap(), [(State::Open, 1)]);
}

#[test]
fn a_change_made_by_a_listener_is_told_after_it_returned() {
    static HEARD: Mutex<Vec<(State, bool)>> = Mutex::new(Vec::new());
    static AT_IT: Mutex<bool> = Mutex::new(false);
    static BREAKER: Breaker =
        Breaker::new("changed", Config::new().consecutive(1)).on_transition(|change| {
            let nested = std::mem::replace(&mut *AT_IT.lock().unwrap(), true);
            HEARD.lock().unwrap().push((change.to, nested));
            if change.to == State::Open {
                BREAKER.reset();
            }
            *AT_IT.lock().unwrap() = false;
        });
    let _clock = Clock::freeze();
    BREAKER.acquire().expect("closed").failure();
    assert_eq!(*HEARD.lock().unwrap(), [(State::Open, false), (State::Closed, false)]);
    assert_eq!(BREAKER.state(), State::Closed);
}

#[test]
fn a_listener_that_panics_loses_neither_the_result_nor_the_next_change() {
    static HEARD: AtomicU64 = AtomicU64::new(0);
    static BREAKER: Breaker = Breaker::new("panicking", Config::new().consecutive(1).probes(1))
        .on_transition(|_| {
            HEARD.fetch_add(1, Ordering::Relaxed);
            panic!("a bad listener");
        });
    let clock = Clock::freeze();
    let answer = BREAKER.call(|| Err::<(), _>(std::io::Error::other("down")));
    assert_eq!(answer.unwrap_err().to_string(), "down");
    clock.advance(COOLDOWN);
    assert_eq!(BREAKER.call(|| Ok::<_, std::io::Error>(7)).unwrap(), 7);
    assert_eq!((BREAKER.state(), HEARD.load(Ordering::Relaxed)), (State::Closed, 3));
}

#[test]
fn under_load_the_changes_told_form_one_unbroken_chain() {
    static HEARD: Mutex<Vec<(State, State)>> = Mutex::new(Vec::new());
    static BREAKER: Breaker = Breaker::new("chain", Config::new().consecutive(2).probes(1))
        .on_transition(|change| HEARD.lock().unwrap().push((change.from, change.to)));
    let clock = Clock::freeze();
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let clock = &clock;
            scope.spawn(move || {
                for call in 0..2_000 {
                    if call % 16 == 0 {
                        clock.advance(COOLDOWN);
                    }
                    if call % 97 == thread {
                        BREAKER.force_open();
                        BREAKER.reset();
                    }
                    if let Ok(permit) = BREAKER.acquire() {
                        if (call + thread) % 3 == 0 { permit.success() } else { permit.failure() }
                    }
                }
            });
        }
    });
    let heard = HEARD.lock().unwrap();
    assert!(heard.iter().all(|(from, to)| from != to));
    assert_eq!(heard.first().map(|change| change.0), Some(State::Closed));
    for pair in heard.windows(2) {
        assert_eq!(pair[0].1, pair[1].0);
    }
}

#[test]
fn what_a_listeners_panic_carries_does_no_harm() {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("in drop");
        }
    }
    static HEARD: AtomicU64 = AtomicU64::new(0);
    static BREAKER: Breaker = Breaker::new("bomb", Config::new()).on_transition(|_| {
        HEARD.fetch_add(1, Ordering::Relaxed);
        std::panic::panic_any(Bomb);
    });
    let _clock = Clock::freeze();
    BREAKER.force_open();
    BREAKER.reset();
    assert_eq!(HEARD.load(Ordering::Relaxed), 2);
}

#[test]
fn a_listener_that_panics_while_the_call_unwinds_does_not_end_the_process() {
    static BREAKER: Breaker = Breaker::new("double", Config::new().consecutive(1))
        .on_transition(|_| panic!("a bad listener"));
    let _clock = Clock::freeze();
    let call = || BREAKER.call(|| -> std::io::Result<()> { panic!("the call") });
    let panic = std::panic::catch_unwind(call).unwrap_err();
    assert_eq!(panic.downcast_ref(), Some(&"the call"));
    assert_eq!(BREAKER.state(), State::Open);
}
