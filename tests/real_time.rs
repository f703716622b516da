//! The clock that runs. Alone in its file, so that no other test of the process stops it.

use breakerbox::{Breaker, Config, State};
use std::time::{Duration, Instant};

const COOLDOWN: Duration = Duration::from_millis(1);

/// The clock that rejected calls are compared with is cheap and lags by a few milliseconds.
#[test]
fn a_call_past_the_deadline_is_not_held_up_by_a_clock_that_lags() {
    for _ in 0..50 {
        let breaker = Breaker::new("punctual", Config::new().consecutive(1).cooldown(COOLDOWN));
        breaker.acquire().expect("closed").failure();
        let opened = Instant::now();
        while opened.elapsed() < COOLDOWN {
            std::hint::spin_loop();
        }
        breaker.acquire().expect("the cooldown is over").success();
        assert_eq!(breaker.state(), State::HalfOpen);
    }
}
