//! The states, what moves a breaker from one to another, and the record of such a move.

use crate::name::Name;
use std::fmt;
use std::time::Duration;

/// What a breaker does with calls.
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::{Breaker, Config, State};
///
/// static SEARCH: Breaker = Breaker::new("search", Config::new());
/// assert_eq!(SEARCH.state(), State::Closed);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum State {
    /// Calls pass and are judged.
    Closed,
    /// Calls are rejected until the cooldown is over.
    Open,
    /// A few probes pass and decide.
    HalfOpen,
    /// Calls are rejected until an operator says otherwise.
    ForcedOpen,
    /// Calls pass and are only counted, until an operator says otherwise.
    Disabled,
}

impl State {
    /// The stable name of the state, as in metrics, events and tables.
    ///
    /// ```
    /// # use breaker_runtime::State;
    /// assert_eq!(State::HalfOpen.as_str(), "half_open");
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Open => "open",
            Self::HalfOpen => "half_open",
            Self::ForcedOpen => "forced_open",
            Self::Disabled => "disabled",
        }
    }
}

/// `closed`, `open`, `half-open`, `forced open` or `disabled`: for people.
impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::HalfOpen => "half-open",
            Self::ForcedOpen => "forced open",
            other => other.as_str(),
        })
    }
}

/// Why a breaker changed its state.
///
/// ```
/// # use breaker_runtime::Cause;
/// assert_eq!(Cause::FailureRate.as_str(), "failure_rate");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Cause {
    /// The share of failures reached `rate` with at least `threshold` calls in the window.
    FailureRate,
    /// The share of slow calls reached `slow_rate` with at least `threshold` calls in the window.
    SlowRate,
    /// `consecutive` failures in a row.
    Consecutive,
    /// `max_failures` failures in the window.
    MaxFailures,
    /// A probe failed, panicked, or was slow.
    ProbeFailed,
    /// A probe was in flight longer than `probe_timeout`.
    ProbeLost,
    /// `probes` probes succeeded.
    Recovered,
    /// The cooldown was over when a call came.
    CooldownOver,
    /// An operator, or a test, said so.
    Manual,
}

impl Cause {
    /// The stable name of the cause, as in metrics and events.
    ///
    /// ```
    /// # use breaker_runtime::Cause;
    /// assert_eq!(Cause::ProbeLost.as_str(), "probe_lost");
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::FailureRate => "failure_rate",
            Self::SlowRate => "slow_rate",
            Self::Consecutive => "consecutive",
            Self::MaxFailures => "max_failures",
            Self::ProbeFailed => "probe_failed",
            Self::ProbeLost => "probe_lost",
            Self::Recovered => "recovered",
            Self::CooldownOver => "cooldown_over",
            Self::Manual => "manual",
        }
    }
}

/// `failure rate`, `probe lost` and so on: for people.
impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::FailureRate => "failure rate",
            Self::SlowRate => "slow rate",
            Self::Consecutive => "consecutive failures",
            Self::MaxFailures => "too many failures",
            Self::ProbeFailed => "probe failed",
            Self::ProbeLost => "probe lost",
            Self::Recovered => "recovered",
            Self::CooldownOver => "cooldown over",
            Self::Manual => "by hand",
        })
    }
}

/// The counts of a window: what was judged.
///
/// ```
/// # use breaker_runtime::{Breaker, Config};
/// # static SEARCH: Breaker = Breaker::new("search", Config::new());
/// SEARCH.acquire()?.failure();
/// let window = SEARCH.snapshot().window;
/// assert_eq!((window.calls, window.failures, window.slow), (1, 1, 0));
/// # Ok::<(), breaker_runtime::Rejected>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub struct WindowCounts {
    /// Successes and failures; ignored calls are not among them.
    pub calls: u32,
    /// Failures among them.
    pub failures: u32,
    /// Slow ones among them, failed or not.
    pub slow: u32,
}

/// One change of a breaker's state.
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::{Breaker, Cause, Config, State, Transition};
///
/// static SEARCH: Breaker = Breaker::new("search", Config::new().threshold(1)).on_transition(report);
///
/// fn report(transition: &Transition) {
///     assert_eq!(transition.breaker(), "search");
///     assert_eq!((transition.from, transition.to), (State::Closed, State::Open));
///     assert_eq!((transition.cause, transition.window.failures), (Cause::FailureRate, 1));
/// }
///
/// SEARCH.acquire()?.failure();
/// # Ok::<(), breakerbox::Rejected>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Transition {
    pub(crate) breaker: Name,
    /// The state before.
    pub from: State,
    /// The state after.
    pub to: State,
    /// What made the change.
    pub cause: Cause,
    /// What the window held just before; all zero where the state before keeps no window.
    pub window: WindowCounts,
    /// How long calls will be rejected, where the state after is [`State::Open`].
    pub cooldown: Option<Duration>,
}

impl Transition {
    /// The breaker's name.
    ///
    /// ```
    /// # use breaker_runtime::Transition;
    /// fn is_mine(transition: &Transition) -> bool {
    ///     transition.breaker().starts_with("shop::")
    /// }
    /// # let _ = is_mine;
    /// ```
    #[must_use]
    pub fn breaker(&self) -> &str {
        self.breaker.as_str()
    }

    /// For a breaker of a [`Keyed`](crate::Keyed) its name without the key, else the breaker's name.
    ///
    /// ```
    /// # use breaker_runtime::Transition;
    /// fn count(transition: &Transition) {
    ///     println!("{} → {}", transition.family(), transition.to.as_str());
    /// }
    /// # let _ = count;
    /// ```
    #[must_use]
    pub fn family(&self) -> &str {
        self.breaker.family()
    }
}

/// A cause and what was judged: `failure rate, 10 of 20 failed, 2 slow`.
pub(crate) struct Reason(pub(crate) Cause, pub(crate) WindowCounts);

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(cause, WindowCounts { calls, failures, slow }) = self;
        cause.fmt(f)?;
        if *calls > 0 {
            write!(f, ", {failures} of {calls} failed")?;
        }
        if *slow > 0 {
            write!(f, ", {slow} slow")?;
        }
        Ok(())
    }
}

/// One line: `search: closed → open (failure rate, 10 of 20 failed), cooldown 15s`.
impl fmt::Display for Transition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { breaker, from, to, cause, window, cooldown } = self;
        write!(f, "{}: {from} → {to} ({})", breaker.as_str(), Reason(*cause, *window))?;
        match cooldown {
            Some(cooldown) => write!(f, ", cooldown {cooldown:?}"),
            None => Ok(()),
        }
    }
}
