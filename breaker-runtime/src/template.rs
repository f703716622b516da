//! What the expansion of the attribute leans on beside the breaker itself: small generic functions
//! that give the compiler types to infer from, and users one clear error where a type does not fit.

use crate::config::{Config, Window};
use crate::outcome::Outcome;
use crate::rejected::Rejected;
use crate::returns::{Classified, FromRejected};
use std::future::Future;
use std::marker::PhantomData;
use std::time::Duration;

/// Fails the compilation at the caller's place if `field` is what is wrong with `config`.
///
/// # Panics
///
/// Then; in const evaluation a panic is the error.
#[track_caller]
pub const fn judge(config: &Config, field: &str) {
    if let Err(fault) = config.check() {
        assert!(!is_same(fault.field(), field), "{}", fault.bound());
    }
}

/// A constant given as `window`: a time, a number of calls, or a [`Window`].
pub struct WindowOf<T>(pub T);

impl WindowOf<Duration> {
    /// The window by time.
    #[must_use]
    pub const fn window(self) -> Window {
        Window::Time(self.0)
    }
}

impl WindowOf<u32> {
    /// The window by count.
    #[must_use]
    pub const fn window(self) -> Window {
        Window::Calls(self.0)
    }
}

impl WindowOf<Window> {
    /// The window itself.
    #[must_use]
    pub const fn window(self) -> Window {
        self.0
    }
}

/// Runs a closure that is called once, whatever it captured and moves out.
#[inline]
pub fn run<R>(body: impl FnOnce() -> R) -> R {
    body()
}

/// The answer of a fallback closure.
#[inline]
pub fn answer<R, F: FnOnce(Rejected) -> R>(fallback: F, rejected: Rejected) -> R {
    fallback(rejected)
}

/// The answer of an async fallback closure, to be awaited.
#[inline]
pub fn answer_async<R, F, A>(fallback: F, rejected: Rejected) -> A
where
    F: FnOnce(Rejected) -> A,
    A: Future<Output = R>,
{
    fallback(rejected)
}

/// Judges what never comes.
#[must_use]
pub fn never<R>(_: &R) -> Outcome {
    Outcome::Ignored
}

/// The value of `classify`, with the type that it must have.
#[inline]
pub fn classifier<R, C: Classify<R>>(classify: C) -> C {
    classify
}

/// The value of `failure_if`, as a classifier.
#[inline]
pub fn failure_if<R: Fallible, P: FailureIf<R::Error>>(
    is_failure: P,
) -> impl FnOnce(&R) -> Outcome {
    move |returned| match returned.error() {
        None => Outcome::Success,
        Some(error) if is_failure(error) => Outcome::Failure,
        Some(_) => Outcome::Ignored,
    }
}

/// What `classify` may be.
#[diagnostic::on_unimplemented(
    message = "`classify` does not fit what the function returns",
    label = "not callable as `fn(&{R}) -> Outcome`",
    note = "`classify` is a function or closure that takes `&{R}` and returns a \
            `breakerbox::Outcome`"
)]
pub trait Classify<R>: FnOnce(&R) -> Outcome {}

#[diagnostic::do_not_recommend]
impl<R, C: FnOnce(&R) -> Outcome> Classify<R> for C {}

/// What `failure_if` may be.
#[diagnostic::on_unimplemented(
    message = "`failure_if` does not fit the error that the function returns",
    label = "not callable as `fn(&{E}) -> bool`",
    note = "`failure_if` is a function or closure that takes `&{E}` and returns a `bool`"
)]
pub trait FailureIf<E>: FnOnce(&E) -> bool {}

#[diagnostic::do_not_recommend]
impl<E, P: FnOnce(&E) -> bool> FailureIf<E> for P {}

/// What `failure_if` can look into.
#[diagnostic::on_unimplemented(
    message = "`failure_if` looks at the error of a `Result`, and `{Self}` is none",
    label = "not a `Result`",
    note = "use `classify = path_of_a_function`, where the function is a \
            `fn(&{Self}) -> breakerbox::Outcome`"
)]
pub trait Fallible {
    /// The error.
    type Error;

    /// The error, if this is one.
    fn error(&self) -> Option<&Self::Error>;
}

impl<T, E> Fallible for Result<T, E> {
    type Error = E;

    #[inline]
    fn error(&self) -> Option<&E> {
        self.as_ref().err()
    }
}

/// Judges and answers for the return type `R` of a function that says neither with a key.
///
/// For `Result` these are functions of its own, so that a missing `From<Rejected>` is said as such;
/// for any other type they come from [`OwnType`], so that all it lacks is said at once.
pub struct Template<R>(PhantomData<R>);

impl<T, E> Template<Result<T, E>> {
    /// What the value counts as.
    #[inline]
    pub fn outcome(returned: &Result<T, E>) -> Outcome {
        returned.outcome()
    }

    /// The answer to a rejected call.
    ///
    /// # Errors
    ///
    /// Always.
    #[inline]
    pub fn reject(rejected: Rejected) -> Result<T, E>
    where
        E: ErrorOfProtected,
    {
        Err(E::rejected(rejected))
    }
}

/// The part of [`Template`] for types that are no `Result`.
pub trait OwnType {
    /// The return type.
    type Returned;

    /// What the value counts as.
    fn outcome(returned: &Self::Returned) -> Outcome
    where
        Self::Returned: Protected;

    /// The answer to a rejected call.
    fn reject(rejected: Rejected) -> Self::Returned
    where
        Self::Returned: Protected;
}

impl<R> OwnType for Template<R> {
    type Returned = R;

    #[inline]
    fn outcome(returned: &R) -> Outcome
    where
        R: Protected,
    {
        returned.outcome()
    }

    #[inline]
    fn reject(rejected: Rejected) -> R
    where
        R: Protected,
    {
        R::from_rejected(rejected)
    }
}

/// A return type that needs no keys.
#[diagnostic::on_unimplemented(
    message = "`#[circuit_breaker]` does not know what to make of the return type `{Self}`",
    label = "not a `Result`",
    note = "return a `Result`; or give `classify = …`, which says what a value counts as, and \
            `fallback = …`, which answers in place of a rejected call",
    note = "or implement `breakerbox::Classified` and `breakerbox::FromRejected` for the type"
)]
pub trait Protected: Classified + FromRejected {}

#[diagnostic::do_not_recommend]
impl<R: Classified + FromRejected> Protected for R {}

/// The error of a `Result` that answers rejected calls.
#[diagnostic::on_unimplemented(
    message = "the error type `{Self}` cannot say that a call was rejected",
    label = "no `From<Rejected>`",
    note = "write `impl From<breakerbox::Rejected> for {Self}`; with `thiserror`, add a variant \
            `Rejected(#[from] breakerbox::Rejected)`",
    note = "or give `fallback = |rejected| …`, which answers in place of a rejected call"
)]
pub trait ErrorOfProtected {
    /// The error that a rejected call returns.
    fn rejected(rejected: Rejected) -> Self;
}

#[diagnostic::do_not_recommend]
impl<E: From<Rejected>> ErrorOfProtected for E {
    #[inline]
    fn rejected(rejected: Rejected) -> Self {
        Self::from(rejected)
    }
}

/// Whether two texts are the same, in const evaluation.
const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len() != other.len() {
        return false;
    }
    let mut index = 0;
    while index < one.len() {
        if one[index] != other[index] {
            return false;
        }
        index += 1;
    }
    true
}
