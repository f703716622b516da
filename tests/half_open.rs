//! Half-open under a crowd: exactly `probes` enter, never more than `probe_concurrency` at a time,
//! and nothing that is not a probe decides.

use breakerbox::{Breaker, Config, Permit, RejectedKind, State, testing::Clock};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Barrier, Mutex};
use std::time::Duration;

const THREADS: usize = 64;
const COOLDOWN: Duration = Duration::from_secs(15);

fn trip(breaker: &Breaker) {
    while let Ok(permit) = breaker.acquire() {
        permit.failure();
    }
}

#[test]
fn of_64_threads_at_once_exactly_the_probes_enter() {
    for (probes, at_once) in [(1, 1), (3, 3), (3, 1), (20, 7), (40, 40)] {
        let clock = Clock::freeze();
        let config = Config::new().probes(probes).probe_concurrency(at_once);
        let breaker = Breaker::new("crowd", config);
        trip(&breaker);
        clock.advance(COOLDOWN);

        let barrier = Barrier::new(THREADS);
        let held: Mutex<Vec<Permit<'_>>> = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| {
                    barrier.wait();
                    if let Ok(permit) = breaker.acquire() {
                        held.lock().unwrap().push(permit);
                    }
                });
            }
        });
        let mut held = held.into_inner().unwrap();
        assert_eq!(held.len(), at_once as usize);
        let seen = breaker.snapshot();
        assert_eq!((seen.state, seen.probes_in_flight), (State::HalfOpen, at_once));
        let busy = seen.totals.rejected(RejectedKind::ProbesBusy);
        assert_eq!(busy, (THREADS - held.len()) as u64);

        let mut started = at_once;
        while let Some(permit) = held.pop() {
            permit.success();
            if started < probes {
                held.push(breaker.acquire().expect("a slot is free again"));
                started += 1;
            }
        }
        let seen = breaker.snapshot();
        assert_eq!((seen.state, seen.totals.probes), (State::Closed, probes.into()));
    }
}

#[test]
fn probes_at_once_are_bounded_while_they_come_and_go() {
    const AT_ONCE: u32 = 3;
    let clock = Clock::freeze();
    let config = Config::new().probes(60_000).probe_concurrency(AT_ONCE);
    let breaker = Breaker::new("coming_and_going", config);
    trip(&breaker);
    clock.advance(COOLDOWN);

    let inside = AtomicU32::new(0);
    let most = AtomicU32::new(0);
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let (breaker, inside, most) = (&breaker, &inside, &most);
            scope.spawn(move || {
                for call in 0..2_000 {
                    let Ok(permit) = breaker.acquire() else {
                        continue;
                    };
                    most.fetch_max(inside.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::yield_now();
                    inside.fetch_sub(1, Ordering::SeqCst);
                    if (call + thread) % 4 == 0 { drop(permit) } else { permit.success() }
                }
            });
        }
    });
    let seen = breaker.snapshot();
    assert!(most.into_inner() <= AT_ONCE);
    assert_eq!((seen.state, seen.probes_in_flight), (State::HalfOpen, 0));
    assert_eq!(u64::from(seen.probes_succeeded) + seen.totals.ignored, seen.totals.probes);
}

#[test]
fn a_crowd_that_finds_a_hung_probe_reopens_once() {
    let clock = Clock::freeze();
    let breaker = Breaker::new("hung", Config::new().probes(1));
    trip(&breaker);
    clock.advance(COOLDOWN);
    let hung = breaker.acquire().expect("a probe");
    clock.advance(Duration::from_secs(60));
    let barrier = Barrier::new(THREADS);
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                barrier.wait();
                assert_eq!(breaker.acquire().unwrap_err().kind(), RejectedKind::Open);
            });
        }
    });
    let before = breaker.snapshot();
    assert_eq!((before.state, before.generation), (State::Open, 3));
    hung.success();
    let after = breaker.snapshot();
    assert_eq!((after.state, after.generation, after.totals.late), (State::Open, 3, 1));
    assert_eq!(after.remaining_cooldown, Some(COOLDOWN));
}
