//! What a return type must know: how to judge a value of it, and how to answer a rejected call.

use crate::outcome::Outcome;
use crate::rejected::Rejected;

/// A returned value that knows what its call counts as.
///
/// `Result` knows it: `Ok` is a success and `Err` a failure. A type of your own can, too; or give the
/// attribute `classify = …`.
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::{Classified, Outcome};
///
/// enum Lookup {
///     Found(String),
///     Missing,
///     Unreachable,
/// }
///
/// impl Classified for Lookup {
///     fn outcome(&self) -> Outcome {
///         match self {
///             Lookup::Found(_) | Lookup::Missing => Outcome::Success,
///             Lookup::Unreachable => Outcome::Failure,
///         }
///     }
/// }
/// assert_eq!(Lookup::Missing.outcome(), Outcome::Success);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say what a call that returns it counts as",
    label = "neither a `Result` nor `Classified`",
    note = "say it with `classify = path_of_a_function` in `#[circuit_breaker(…)]`, where the \
            function is a `fn(&{Self}) -> breakerbox::Outcome`",
    note = "or return a `Result`, or implement `breakerbox::Classified` for the type"
)]
pub trait Classified {
    /// What the call counts as.
    fn outcome(&self) -> Outcome;
}

/// A return type that can answer a call which was not let through.
///
/// `Result<T, E>` can, if `E` has `From<Rejected>`. A type of your own can, too; or give the
/// attribute `fallback = …`.
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::{FromRejected, Rejected};
///
/// enum Lookup {
///     Found(String),
///     TryLater,
/// }
///
/// impl FromRejected for Lookup {
///     fn from_rejected(_: Rejected) -> Self {
///         Lookup::TryLater
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot say to the caller that its call was rejected",
    label = "neither a `Result` nor `FromRejected`",
    note = "give `fallback = |rejected| …` in `#[circuit_breaker(…)]`, which answers in place of a \
            rejected call",
    note = "or return a `Result`, or implement `breakerbox::FromRejected` for the type"
)]
pub trait FromRejected: Sized {
    /// The answer to the rejected call.
    fn from_rejected(rejected: Rejected) -> Self;
}

impl<T, E> Classified for Result<T, E> {
    #[inline]
    fn outcome(&self) -> Outcome {
        match self {
            Ok(_) => Outcome::Success,
            Err(_) => Outcome::Failure,
        }
    }
}

impl<T, E: From<Rejected>> FromRejected for Result<T, E> {
    #[inline]
    fn from_rejected(rejected: Rejected) -> Self {
        Err(E::from(rejected))
    }
}
