//! What a return type must know: how to judge a value of it, and how to answer a rejected call.

use crate::outcome::Outcome;
use crate::rejected::Rejected;

/// A returned value that knows what its call counts as.
pub trait Classified {
    /// What the call counts as.
    fn outcome(&self) -> Outcome;
}

/// A return type that can answer a call which was not let through.
pub trait FromRejected: Sized {
    /// The answer to the rejected call.
    fn from_rejected(rejected: Rejected) -> Self;
}

impl<T, E> Classified for Result<T, E> {
    fn outcome(&self) -> Outcome {
        if self.is_ok() {
            Outcome::Success
        } else {
            Outcome::Failure
        }
    }
}

impl<T, E: From<Rejected>> FromRejected for Result<T, E> {
    fn from_rejected(rejected: Rejected) -> Self {
        Err(E::from(rejected))
    }
}
