//! Cooldowns through the public API: exact without jitter, spread by it, doubled by failed
//! recoveries, and stretched by a dependency that asks for time.

use breakerbox::{Breaker, Config, Outcome, RejectedKind, State, testing::Clock};
use std::time::Duration;

fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

/// The cooldown that lies ahead of a breaker that just opened.
fn left(breaker: &Breaker) -> Duration {
    breaker.acquire().expect_err("open").retry_after().expect("a cooldown")
}

#[test]
fn a_cooldown_ends_at_its_deadline_to_the_nanosecond() {
    let clock = Clock::freeze();
    let breaker = Breaker::new("exact", Config::new().consecutive(1));
    breaker.acquire().expect("closed").failure();
    clock.advance(Duration::from_nanos(14_999_999_999));
    let rejected = breaker.acquire().unwrap_err();
    assert_eq!(rejected.kind(), RejectedKind::Open);
    assert_eq!(rejected.retry_after(), Some(Duration::from_nanos(1)));
    assert_eq!(breaker.state(), State::Open);
    clock.advance(Duration::from_nanos(1));
    assert_eq!(breaker.state(), State::Open, "reading the state does not change it");
    let probe = breaker.acquire().expect("a probe");
    assert_eq!(breaker.state(), State::HalfOpen);
    drop(probe);
}

#[test]
fn failed_recoveries_in_a_row_wait_longer_and_longer() {
    let clock = Clock::freeze();
    let config = Config::new().consecutive(1).cooldown(secs(1)).max_cooldown(secs(10)).probes(1);
    let breaker = Breaker::new("doubling", config);
    breaker.acquire().expect("closed").failure();
    for expected in [1, 2, 4, 8, 10, 10] {
        assert_eq!(left(&breaker), secs(expected));
        clock.advance(secs(expected));
        breaker.acquire().expect("a probe").failure();
    }
    clock.advance(secs(10));
    breaker.acquire().expect("a probe").success();
    assert_eq!(breaker.state(), State::Closed);
    clock.advance(secs(10));
    breaker.acquire().expect("closed").failure();
    assert_eq!(left(&breaker), secs(1));
}

#[test]
fn jitter_spreads_a_fleet_and_never_shortens() {
    let _clock = Clock::freeze();
    let config = Config::new().consecutive(1).cooldown(secs(1)).jitter(0.2);
    let mut tenths = [0; 10];
    for _ in 0..1_000 {
        let breaker = Breaker::new("spread", config);
        breaker.acquire().expect("closed").failure();
        let left = left(&breaker);
        assert!((secs(1)..Duration::from_millis(1_200)).contains(&left), "{left:?}");
        tenths[((left.as_micros() - 1_000_000) / 20_000) as usize] += 1;
    }
    // A hundred is expected in each tenth; less than forty would be six standard deviations off.
    assert!(tenths.iter().all(|count| *count > 40), "{tenths:?}");
}

#[test]
fn a_dependency_that_asks_for_time_gets_it_within_bounds() {
    let _clock = Clock::freeze();
    for (asked, expected) in
        [(secs(40), secs(40)), (Duration::MAX, secs(3_600)), (secs(1), secs(15))]
    {
        let breaker = Breaker::new("throttled", Config::new().consecutive(1));
        breaker.acquire().expect("closed").record(Outcome::Throttled(asked));
        assert_eq!(left(&breaker), expected);
        assert_eq!(breaker.snapshot().totals.failure, 1);
    }
}
