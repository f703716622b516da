//! What a caller gets when the breaker did not let its call through.

use crate::cause::{AsError, find};
use crate::clock::Nanos;
use crate::name::Name;
use std::fmt;
use std::time::Duration;

/// A call was refused by a circuit breaker (or, with `timeout`, given up by it).
///
/// It is an ordinary error: `anyhow`, `eyre`, `Box<dyn Error>` and a `#[from]` variant take it as it
/// is, and [`std::io::Error`] has a `From` of its own. Making or cloning one allocates nothing.
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::{Breaker, Config, RejectedKind};
///
/// static PAYMENTS: Breaker = Breaker::new("payments", Config::new());
/// PAYMENTS.force_open();
/// let rejected = PAYMENTS.acquire().unwrap_err();
/// assert_eq!(rejected.kind(), RejectedKind::ForcedOpen);
/// assert_eq!(rejected.to_string(), "circuit breaker `payments` is forced open");
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rejected {
    breaker: Name,
    kind: RejectedKind,
    /// Converted when asked for: it costs as much as half of a rejection. `UNKNOWN` where none is
    /// known.
    retry_after: Nanos,
}

/// No cooldown is that long: it would end after the clock does.
const UNKNOWN: Nanos = Nanos::MAX;

/// Why a call was [`Rejected`].
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::RejectedKind;
///
/// assert_eq!(RejectedKind::ProbesBusy.as_str(), "probes_busy");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RejectedKind {
    /// The breaker is open and its cooldown is not over.
    Open,
    /// The breaker is half-open and all its probes are under way.
    ProbesBusy,
    /// An operator holds the breaker open by hand.
    ForcedOpen,
    /// The call was let through, took longer than the attribute's `timeout`, and was dropped. It
    /// counted as a failure.
    TimedOut,
}

impl Rejected {
    #[inline]
    pub(crate) fn new(breaker: Name, kind: RejectedKind, retry_after: Option<Nanos>) -> Self {
        Self { breaker, kind, retry_after: retry_after.unwrap_or(UNKNOWN) }
    }

    /// The `Rejected` that `error` is, or that is among its sources: also in an [`std::io::Error`], in a
    /// box, and in an `anyhow::Error`.
    ///
    /// Not where a variant of an enum holds it that is `#[error(transparent)]` (`thiserror`): such a
    /// variant has the sources of the `Rejected`, of which there are none, and not the `Rejected` itself.
    /// Write `#[error("no call was made")] NotCalled(#[from] Rejected)`, or match on the variant.
    ///
    /// ```
    /// # use breaker_runtime::{Breaker, Config, Rejected};
    /// # static PAYMENTS: Breaker = Breaker::new("payments", Config::new());
    /// # PAYMENTS.force_open();
    /// let refused: std::io::Result<u32> = PAYMENTS.call(|| Ok(42));
    /// let error = refused.unwrap_err();
    /// assert_eq!(Rejected::find_in(&error).map(Rejected::breaker), Some("payments"));
    /// assert_eq!(Rejected::find_in(&std::io::Error::other("no answer")), None);
    /// ```
    #[must_use]
    pub fn find_in<Kind>(error: &impl AsError<Kind>) -> Option<&Self> {
        find(error.as_error())
    }

    /// Whether to try again at once may help. Not where the call was refused, for it will be refused
    /// again until [`retry_after`](Self::retry_after) has passed; only where it was let through and
    /// [timed out](RejectedKind::TimedOut).
    ///
    /// A retry outside the breaker stops where this says no:
    ///
    /// ```
    /// # use breaker_runtime::{Breaker, Config, Rejected};
    /// # static PAYMENTS: Breaker = Breaker::new("payments", Config::new());
    /// # PAYMENTS.force_open();
    /// fn is_worth_a_retry(error: &std::io::Error) -> bool {
    ///     Rejected::find_in(error).is_none_or(Rejected::is_retryable)
    /// }
    /// let refused: std::io::Result<u32> = PAYMENTS.call(|| Ok(42));
    /// assert!(!is_worth_a_retry(&refused.unwrap_err()));
    /// assert!(is_worth_a_retry(&std::io::ErrorKind::ConnectionReset.into()));
    /// ```
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        self.kind == RejectedKind::TimedOut
    }

    /// The name of the breaker that refused the call.
    ///
    /// ```
    /// # use breaker_runtime::{Breaker, Config};
    /// # static PAYMENTS: Breaker = Breaker::new("payments", Config::new());
    /// # PAYMENTS.force_open();
    /// assert_eq!(PAYMENTS.acquire().unwrap_err().breaker(), "payments");
    /// ```
    #[must_use]
    pub fn breaker(&self) -> &str {
        self.breaker.as_str()
    }

    /// Why it was refused.
    ///
    /// ```
    /// # use breaker_runtime::{Breaker, Config, RejectedKind};
    /// # static PAYMENTS: Breaker = Breaker::new("payments", Config::new());
    /// # PAYMENTS.force_open();
    /// assert_eq!(PAYMENTS.acquire().unwrap_err().kind(), RejectedKind::ForcedOpen);
    /// ```
    #[must_use]
    pub fn kind(&self) -> RejectedKind {
        self.kind
    }

    /// The cooldown that was left when the call was refused: earlier than that a further call is
    /// refused too. It is read off the coarse clock, so it may be up to a tick (1 to 4 ms) too long,
    /// never too short. `None` where no time is known: the probes are busy, an operator decides, or
    /// the call timed out.
    ///
    /// ```
    /// # use breaker_runtime::{Breaker, Config};
    /// static SEARCH: Breaker = Breaker::new("search", Config::new().threshold(1));
    ///
    /// SEARCH.acquire()?.failure();
    /// let left = SEARCH.acquire().unwrap_err().retry_after().unwrap();
    /// assert_eq!(left.as_secs_f64().round(), 15.0);
    /// # Ok::<(), breaker_runtime::Rejected>(())
    /// ```
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        (self.retry_after != UNKNOWN).then(|| Duration::from_nanos(self.retry_after))
    }
}

impl RejectedKind {
    /// Every kind.
    pub(crate) const ALL: [Self; 4] =
        [Self::Open, Self::ProbesBusy, Self::ForcedOpen, Self::TimedOut];

    /// The stable name of the kind, as in metrics and events.
    ///
    /// ```
    /// # use breaker_runtime::RejectedKind;
    /// assert_eq!(RejectedKind::TimedOut.as_str(), "timed_out");
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::ProbesBusy => "probes_busy",
            Self::ForcedOpen => "forced_open",
            Self::TimedOut => "timed_out",
        }
    }
}

impl fmt::Debug for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rejected")
            .field("breaker", &self.breaker())
            .field("kind", &self.kind)
            .field("retry_after", &self.retry_after())
            .finish()
    }
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.breaker();
        match self.kind {
            RejectedKind::Open => write!(f, "circuit breaker `{name}` is open")?,
            RejectedKind::ProbesBusy => {
                write!(f, "circuit breaker `{name}` is half-open and its probes are under way")?;
            }
            RejectedKind::ForcedOpen => write!(f, "circuit breaker `{name}` is forced open")?,
            RejectedKind::TimedOut => {
                write!(f, "the call through circuit breaker `{name}` timed out")?;
            }
        }
        match self.retry_after() {
            Some(left) => write!(f, "; retry after {left:.1?}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Rejected {}

/// `TimedOut` becomes [`std::io::ErrorKind::TimedOut`], every other kind
/// [`std::io::ErrorKind::Other`], which no retry takes for a passing fault of the network; the
/// `Rejected` itself is the inner error.
impl From<Rejected> for std::io::Error {
    fn from(rejected: Rejected) -> Self {
        let kind = match rejected.kind {
            RejectedKind::TimedOut => std::io::ErrorKind::TimedOut,
            _ => std::io::ErrorKind::Other,
        };
        Self::new(kind, rejected)
    }
}

/// `TimedOut` becomes `DEADLINE_EXCEEDED`, every other kind `UNAVAILABLE`, with a `RetryInfo` where a
/// time is known, so that a server which passes it on tells its own clients when to come back. The
/// `Rejected` itself is the source.
#[cfg(feature = "tonic")]
impl From<Rejected> for tonic::Status {
    fn from(rejected: Rejected) -> Self {
        use tonic_types::{ErrorDetails, StatusExt};
        let code = match rejected.kind {
            RejectedKind::TimedOut => tonic::Code::DeadlineExceeded,
            _ => tonic::Code::Unavailable,
        };
        let message = rejected.to_string();
        let mut status = match rejected.retry_after() {
            None => Self::new(code, message),
            after => Self::with_error_details(code, message, ErrorDetails::with_retry_info(after)),
        };
        status.set_source(std::sync::Arc::new(rejected));
        status
    }
}

#[cfg(test)]
mod tests {
    use super::Rejected;

    #[test]
    fn it_is_small() {
        assert!(size_of::<Rejected>() <= 32, "{} bytes", size_of::<Rejected>());
    }
}
