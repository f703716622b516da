//! A breaker as seen at one moment.

use crate::clock::Nanos;
use crate::config::Config;
use crate::name::Name;
use crate::rejected::RejectedKind;
use crate::state::{Machine, TRIP_CAUSES};
use crate::transition::{Cause, Reason, State, WindowCounts};
use crate::window::Counts;
use std::fmt;
use std::panic::Location;
use std::time::Duration;

/// All that can be seen of a breaker at one moment, from [`Breaker::snapshot`](crate::Breaker).
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::{Breaker, Config, State};
///
/// static SEARCH: Breaker = Breaker::new("search", Config::new());
/// SEARCH.acquire()?.success();
///
/// let seen = SEARCH.snapshot();
/// assert_eq!((seen.name(), seen.state, seen.totals.success), ("search", State::Closed, 1));
/// assert_eq!(seen.to_string(), "search: closed, 0 of 1 failed, 1 call, 0 rejected");
/// # Ok::<(), breakerbox::Rejected>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Snapshot {
    name: Name,
    /// Where the breaker was made.
    pub location: &'static Location<'static>,
    /// What it does with calls.
    pub state: State,
    /// How often its state has changed, or was set by hand: calls from an earlier generation decide
    /// nothing.
    pub generation: u64,
    /// What its window holds; all zero in any state but Closed.
    pub window: WindowCounts,
    /// Why it is open, in Open.
    pub opened: Option<Opened>,
    /// How long it will still reject, in Open; zero when the next call will be a probe.
    pub remaining_cooldown: Option<Duration>,
    /// Probes under way, in half-open.
    pub probes_in_flight: u32,
    /// Probes that succeeded, in half-open.
    pub probes_succeeded: u32,
    /// What it has counted since the process began.
    pub totals: Totals,
    /// Its settings, as a basis for others: `config.probes(5)`.
    pub config: Config,
}

/// Why a breaker is open.
///
/// ```
/// # use breaker_runtime::{Breaker, Cause, Config};
/// # static SEARCH: Breaker = Breaker::new("search", Config::new().threshold(1));
/// SEARCH.acquire()?.failure();
/// let opened = SEARCH.snapshot().opened.expect("open");
/// assert_eq!((opened.cause, opened.window.failures), (Cause::FailureRate, 1));
/// # Ok::<(), breaker_runtime::Rejected>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Opened {
    /// What opened it.
    pub cause: Cause,
    /// What the window held then; all zero where it was a probe that failed.
    pub window: WindowCounts,
}

/// The counts of a lifetime: no state change and no reset lowers them. Each admitted call that has
/// ended is in exactly one of `success`, `failure`, `ignored` and `late`.
///
/// ```
/// # use breaker_runtime::{Breaker, Cause, Config, RejectedKind};
/// # static SEARCH: Breaker = Breaker::new("search", Config::new().consecutive(1));
/// SEARCH.acquire()?.failure();
/// SEARCH.acquire().unwrap_err();
/// let totals = SEARCH.snapshot().totals;
/// assert_eq!(totals.rejected(RejectedKind::Open), 1);
/// assert_eq!(totals.trips(Cause::Consecutive), 1);
/// # Ok::<(), breaker_runtime::Rejected>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Totals {
    /// Calls that succeeded.
    pub success: u64,
    /// Calls that failed, panicked ones among them.
    pub failure: u64,
    /// Calls that said nothing about the dependency, cancelled ones among them.
    pub ignored: u64,
    /// Calls that ended after the state had changed, and decided nothing.
    pub late: u64,
    /// Successes and failures that were slow.
    pub slow: u64,
    /// Calls let through as probes.
    pub probes: u64,
    /// Rejected calls that a fallback answered.
    pub fallbacks: u64,
    /// Time spent open, by hand too.
    pub open: Duration,
    rejected: [u64; 4],
    trips: [u64; TRIP_CAUSES.len()],
}

impl Snapshot {
    pub(crate) fn new(
        name: Name,
        location: &'static Location<'static>,
        machine: &Machine,
        rejected: [u64; 4],
        fallbacks: u64,
        now: Nanos,
    ) -> Self {
        let (in_flight, succeeded) = machine.probes();
        let totals = machine.totals(now);
        Self {
            name,
            location,
            state: machine.state(),
            generation: machine.generation(),
            window: WindowCounts::from(machine.counts(now)),
            opened: machine
                .opened()
                .map(|(cause, counts)| Opened { cause, window: WindowCounts::from(counts) }),
            remaining_cooldown: machine
                .deadline()
                .map(|deadline| Duration::from_nanos(deadline.saturating_sub(now))),
            probes_in_flight: in_flight.into(),
            probes_succeeded: succeeded.into(),
            totals: Totals {
                success: totals.success,
                failure: totals.failure,
                ignored: totals.rare.ignored,
                late: totals.rare.late,
                slow: totals.rare.slow,
                probes: totals.rare.probes,
                fallbacks,
                open: Duration::from_nanos(totals.rare.open),
                rejected,
                trips: totals.rare.trips.map(u64::from),
            },
            config: machine.policy.config(),
        }
    }

    /// The breaker's name.
    ///
    /// ```
    /// # use breaker_runtime::{Breaker, Config};
    /// assert_eq!(Breaker::new("search", Config::new()).snapshot().name(), "search");
    /// ```
    #[must_use]
    pub fn name(&self) -> &str {
        self.name.as_str()
    }

    /// What counts are summed under where names would be too many: for a breaker of a
    /// [`Keyed`](crate::Keyed) the name without the key, else the breaker's name.
    ///
    /// ```
    /// # use breaker_runtime::{Breaker, Config};
    /// assert_eq!(Breaker::new("search", Config::new()).snapshot().family(), "search");
    /// ```
    #[must_use]
    pub fn family(&self) -> &str {
        self.name.family()
    }
}

impl Totals {
    /// Admitted calls that have ended.
    ///
    /// ```
    /// # use breaker_runtime::{Breaker, Config};
    /// assert_eq!(Breaker::new("search", Config::new()).snapshot().totals.calls(), 0);
    /// ```
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.success + self.failure + self.ignored + self.late
    }

    /// Calls that were refused without running: all kinds but `TimedOut`.
    ///
    /// ```
    /// # use breaker_runtime::{Breaker, Config};
    /// assert_eq!(Breaker::new("search", Config::new()).snapshot().totals.all_rejected(), 0);
    /// ```
    #[must_use]
    pub fn all_rejected(&self) -> u64 {
        let [open, probes_busy, forced_open, _timed_out] = self.rejected;
        open + probes_busy + forced_open
    }
    /// Calls rejected for this reason. Those that timed out were let through, and are in `failure`
    /// or `late` too.
    ///
    /// ```
    /// # use breaker_runtime::{Breaker, Config, RejectedKind};
    /// let seen = Breaker::new("search", Config::new()).snapshot();
    /// assert_eq!(seen.totals.rejected(RejectedKind::ProbesBusy), 0);
    /// ```
    #[must_use]
    pub fn rejected(&self, kind: RejectedKind) -> u64 {
        self.rejected[kind as usize]
    }

    /// How often this cause opened the breaker; zero for causes that do not.
    ///
    /// ```
    /// # use breaker_runtime::{Breaker, Cause, Config};
    /// let seen = Breaker::new("search", Config::new()).snapshot();
    /// assert_eq!(seen.totals.trips(Cause::FailureRate), 0);
    /// ```
    #[must_use]
    pub fn trips(&self, cause: Cause) -> u64 {
        let place = TRIP_CAUSES.iter().position(|trip| *trip == cause);
        place.map_or(0, |place| self.trips[place])
    }
}

#[cfg(any(feature = "keyed", feature = "metrics", feature = "opentelemetry"))]
impl Totals {
    pub(crate) fn add(&mut self, other: &Self) {
        *self = self.combine(other, u64::saturating_add, Duration::saturating_add);
    }

    /// Of each count the higher one.
    pub(crate) fn highest(&self, other: &Self) -> Self {
        self.combine(other, u64::max, Duration::max)
    }

    /// What was counted after `earlier`.
    #[cfg(feature = "keyed")]
    pub(crate) fn since(&self, earlier: &Self) -> Self {
        self.combine(earlier, u64::saturating_sub, Duration::saturating_sub)
    }

    fn combine(
        &self,
        other: &Self,
        counts: impl Fn(u64, u64) -> u64,
        times: impl Fn(Duration, Duration) -> Duration,
    ) -> Self {
        let each = |of: fn(&Self) -> u64| counts(of(self), of(other));
        Self {
            success: each(|totals| totals.success),
            failure: each(|totals| totals.failure),
            ignored: each(|totals| totals.ignored),
            late: each(|totals| totals.late),
            slow: each(|totals| totals.slow),
            probes: each(|totals| totals.probes),
            fallbacks: each(|totals| totals.fallbacks),
            open: times(self.open, other.open),
            rejected: std::array::from_fn(|i| counts(self.rejected[i], other.rejected[i])),
            trips: std::array::from_fn(|i| counts(self.trips[i], other.trips[i])),
        }
    }
}

/// `failure rate, 10 of 20 failed, 2 slow`.
impl fmt::Display for Opened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Reason(self.cause, self.window).fmt(f)
    }
}

/// One line: name, state, the window or why it is open, and the totals in short.
impl fmt::Display for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name(), self.state)?;
        match self.state {
            State::Closed => {
                write!(f, ", {} of {} failed", self.window.failures, self.window.calls)?;
            }
            State::HalfOpen => write!(
                f,
                ", {} of {} probes succeeded, {} under way",
                self.probes_succeeded, self.config.probes, self.probes_in_flight
            )?,
            _ => {}
        }
        if let Some(opened) = self.opened {
            write!(f, " ({opened})")?;
        }
        match self.remaining_cooldown {
            Some(Duration::ZERO) => f.write_str(", the next call is a probe")?,
            Some(left) => write!(f, ", {left:.1?} of cooldown left")?,
            None => {}
        }
        let (calls, rejected) = (self.totals.calls(), self.totals.all_rejected());
        write!(f, ", {calls} {}, {rejected} rejected", if calls == 1 { "call" } else { "calls" })
    }
}

impl From<Counts> for WindowCounts {
    fn from(counts: Counts) -> Self {
        Self { calls: counts.calls, failures: counts.failures, slow: counts.slow }
    }
}
