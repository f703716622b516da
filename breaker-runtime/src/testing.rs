//! Virtual time for tests (feature `test-util`): time stands still until the test moves it.

use crate::{clock::frozen, config::nanos, panel};
use parking_lot::{Mutex, MutexGuard};
use std::time::Duration;

static TURN: Mutex<()> = Mutex::new(());

/// The time of all breakers of this process, held still for one test at a time.
///
/// [`Clock::freeze`] waits for its turn, so tests that use it do not disturb each other, also when a
/// test before panicked. It resets every breaker that the [panel] shows, at the start
/// and at the end.
///
/// ```
/// use breaker_runtime::{Breaker, Config, State, testing::Clock};
/// use std::time::Duration;
///
/// let clock = Clock::freeze();
/// let search = Breaker::new("search", Config::new().consecutive(1));
/// search.acquire()?.failure();
/// assert_eq!(search.state(), State::Open);
///
/// clock.advance(Duration::from_secs(15));
/// search.acquire()?.success(); // the cooldown is over: a probe
/// assert_eq!(search.state(), State::HalfOpen);
/// # Ok::<(), breaker_runtime::Rejected>(())
/// ```
#[derive(Debug)]
#[must_use = "time runs on as soon as the clock is dropped"]
pub struct Clock {
    _turn: MutexGuard<'static, ()>,
}

impl Clock {
    /// Takes the tests' turn, resets the breakers and stops their time.
    ///
    /// ```
    /// let _clock = breaker_runtime::testing::Clock::freeze();
    /// ```
    pub fn freeze() -> Self {
        let turn = TURN.lock();
        frozen::freeze();
        panel().reset_all();
        Self { _turn: turn }
    }

    /// Moves the time forward.
    ///
    /// ```
    /// # use std::time::Duration;
    /// let clock = breaker_runtime::testing::Clock::freeze();
    /// clock.advance(Duration::from_secs(15));
    /// ```
    pub fn advance(&self, by: Duration) {
        frozen::advance(nanos(by));
    }
}

impl Drop for Clock {
    fn drop(&mut self) {
        panel().reset_all();
        frozen::resume();
    }
}
