//! Virtual time for tests (feature `test-util`): it stands still until the test moves it.
//!
//! A static breaker is shared by all tests of a process. With [`Clock::freeze`] at its head a test
//! has the breakers for itself, finds them as if they had never been called, and moves their time:
//!
//! ```
//! # extern crate breaker_runtime as breakerbox;
//! use breakerbox::testing::{Clock, trip};
//! use breakerbox::{Breaker, Config, Rejected, State, panel};
//! use std::time::Duration;
//!
//! static RATES: Breaker = Breaker::new("rates", Config::new());
//!
//! fn rate() -> Result<f64, Rejected> {
//!     RATES.call(|| Ok(1.08))
//! }
//!
//! /// What is to be tested: while the rates are out of reach, yesterday's will do.
//! fn price(base: f64) -> f64 {
//!     base * rate().unwrap_or(1.05)
//! }
//!
//! # panel().add(&RATES);
//! let clock = Clock::freeze();
//! assert_eq!(price(100.0), 108.0);
//! trip(&RATES);
//! assert_eq!(price(100.0), 105.0);
//! clock.advance(Duration::from_secs(15));
//! assert_eq!(price(100.0), 108.0); // a probe
//! assert_eq!(RATES.state(), State::HalfOpen);
//! ```

use crate::breaker::Breaker;
use crate::transition::State;
use crate::{clock::frozen, config::nanos, panel};
use parking_lot::{Mutex, MutexGuard};
use std::thread::ThreadId;
use std::time::Duration;

static TURN: Mutex<()> = Mutex::new(());

/// The thread whose turn it is.
static HOLDER: Mutex<Option<ThreadId>> = Mutex::new(None);

/// The time of all breakers of this process, held still for one test at a time.
///
/// [`Clock::freeze`] waits for its turn, so tests that use it do not disturb each other, also when a
/// test before panicked. It clears every breaker that the [panel] shows, at the start and at the
/// end: state, window and totals. It works across threads and in async tests; tests that do not
/// freeze the clock see the frozen time too.
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::{Breaker, Config, State, testing::Clock};
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
/// # Ok::<(), breakerbox::Rejected>(())
/// ```
#[derive(Debug)]
#[must_use = "time runs on as soon as the clock is dropped"]
pub struct Clock {
    _turn: MutexGuard<'static, ()>,
}

impl Clock {
    /// Takes the tests' turn, clears the breakers and stops their time.
    ///
    /// ```
    /// # extern crate breaker_runtime as breakerbox;
    /// let _clock = breakerbox::testing::Clock::freeze();
    /// ```
    ///
    /// # Panics
    ///
    /// If this thread holds the clock already: it would wait for itself for ever.
    #[track_caller]
    pub fn freeze() -> Self {
        let me = std::thread::current().id();
        assert!(*HOLDER.lock() != Some(me), "this thread holds the clock already");
        let turn = TURN.lock();
        *HOLDER.lock() = Some(me);
        frozen::freeze();
        panel().clear();
        Self { _turn: turn }
    }

    /// Moves the time forward.
    ///
    /// ```
    /// # extern crate breaker_runtime as breakerbox;
    /// # use std::time::Duration;
    /// let clock = breakerbox::testing::Clock::freeze();
    /// clock.advance(Duration::from_secs(15));
    /// ```
    pub fn advance(&self, by: Duration) {
        frozen::advance(nanos(by));
    }
}

impl Drop for Clock {
    fn drop(&mut self) {
        panel().clear();
        frozen::resume();
        *HOLDER.lock() = None;
    }
}

/// Lets calls through a closed breaker fail until it opens, as its settings have it.
///
/// # Panics
///
/// If it is not closed to begin with, as when a test before has left it open: [`Clock::freeze`] clears it.
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::testing::{Clock, trip};
/// use breakerbox::{Breaker, Config, State};
///
/// let _clock = Clock::freeze();
/// let search = Breaker::new("search", Config::new());
/// trip(&search);
/// assert_eq!((search.state(), search.snapshot().totals.failure), (State::Open, 20));
/// ```
#[track_caller]
pub fn trip(breaker: &Breaker) {
    let (name, state) = (breaker.name(), breaker.state());
    assert!(
        state == State::Closed,
        "`{name}` cannot trip: it is {state}, not closed; call `Clock::freeze()` first, which clears it"
    );
    while breaker.state() == State::Closed {
        if let Ok(permit) = breaker.acquire() {
            permit.failure();
        }
    }
}
