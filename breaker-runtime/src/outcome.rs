//! What a call counted as.

use std::time::Duration;

/// What a finished call says about the health of the dependency.
///
/// A `classify` function returns one of these for the value that the protected function returned.
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::Outcome;
///
/// fn outcome_of(status: u16) -> Outcome {
///     match status {
///         200..=399 | 404 | 409 => Outcome::Success, // the dependency is well and said no
///         408 | 500..=599 => Outcome::Failure,
///         _ => Outcome::Ignored, // our own mistake: says nothing about the dependency
///     }
/// }
/// assert_eq!(outcome_of(503), Outcome::Failure);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// The dependency did its job, even if its answer was a refusal.
    Success,
    /// The dependency did not do its job.
    Failure,
    /// The call says nothing about the dependency: it enters no window, neither breaks nor extends
    /// a run of failures, and as a probe gives its slot back.
    Ignored,
    /// A failure whose answer said how long to stay away (a 429 or 503 with `Retry-After`). If it
    /// opens or reopens the breaker, the cooldown is at least this long, but never above
    /// `max_cooldown`, or an hour where that is unset.
    Throttled(Duration),
}
