//! What an error counts as that nothing is known of, but perhaps that a breaker made it.

use crate::cause::AsError;
use crate::outcome::Outcome;
use crate::rejected::Rejected;

/// `Ignored` if a [`Rejected`] is the error or among its sources, for it was counted where it
/// happened; else `Failure`.
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::{Breaker, Config, Outcome, classify};
///
/// static STOCK: Breaker = Breaker::new("stock", Config::new());
/// STOCK.force_open();
///
/// let rejected: Result<u32, std::io::Error> = STOCK.call(|| Ok(7));
/// assert_eq!(classify::error(&rejected.unwrap_err()), Outcome::Ignored);
/// assert_eq!(classify::error(&std::io::Error::other("no answer")), Outcome::Failure);
/// ```
#[must_use]
pub fn error<Kind>(error: &impl AsError<Kind>) -> Outcome {
    if Rejected::find_in(error).is_some() { Outcome::Ignored } else { Outcome::Failure }
}
