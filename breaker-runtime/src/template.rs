//! What the expansion of the attribute leans on to judge what a function returned, and to answer in its
//! place: small generic functions that give the compiler types to infer from, and users one clear error
//! where a type does not fit.

use crate::outcome::Outcome;
use crate::rejected::Rejected;
use crate::returns::{Classified, FromRejected};
use std::future::Future;
use std::marker::PhantomData;

/// `call_within`, which exists with feature `tokio` alone.
#[cfg(feature = "tokio")]
#[doc(hidden)]
#[macro_export]
macro_rules! __within {
    ($($argument:tt)*) => {
        $crate::__private::call_within($($argument)*)
    };
}

/// What is said where it does not exist.
#[cfg(not(feature = "tokio"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __within {
    ($($argument:tt)*) => {
        ::core::compile_error!(
            "`timeout` needs the feature `tokio` of `breakerbox`, whose timer it uses: write \
             `breakerbox = { version = \"…\", features = [\"tokio\"] }` in Cargo.toml"
        )
    };
}

/// A static family of breakers, and the member of a key.
#[cfg(feature = "keyed")]
#[doc(hidden)]
#[macro_export]
macro_rules! __keyed {
    ({$($family:tt)*} {$($key:tt)*}) => {
        match $($key)* {
            __key => {
                static __BREAKERS: $crate::__private::Keyed<$crate::__private::AnyKey> = $($family)*;
                $crate::__private::member(&__BREAKERS, __key)
            }
        }
    };
}

/// What is said where there are none.
#[cfg(not(feature = "keyed"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __keyed {
    ($($argument:tt)*) => {
        ::core::compile_error!(
            "`key` needs the feature `keyed` of `breakerbox`, which is on by default: write \
             `breakerbox = { version = \"…\", features = [\"keyed\"] }` in Cargo.toml"
        )
    };
}

/// The answer of a fallback closure.
#[inline]
pub fn answer<R, F: FnOnce(Rejected) -> R>(fallback: F, rejected: Rejected) -> R {
    fallback(rejected)
}

/// The answer of a fallback closure of an async function.
#[inline]
pub async fn answer_async<R, F, A>(fallback: F, rejected: Rejected) -> R
where
    F: FnOnce(Rejected) -> A,
    A: AsyncAnswer<R>,
{
    fallback(rejected).await
}

/// What the fallback closure of an async function returns.
#[diagnostic::on_unimplemented(
    message = "the `fallback` of an async function is awaited, and `{Self}` is no future of its \
               return type",
    label = "`{Self}` cannot be awaited here",
    note = "write `fallback = async |rejected| …` or `fallback = |rejected| async move {{ … }}`, \
            which gives a `{R}`"
)]
pub trait AsyncAnswer<R>: Future<Output = R> {}

#[diagnostic::do_not_recommend]
impl<R, A: Future<Output = R>> AsyncAnswer<R> for A {}

/// Judges what never comes.
#[must_use]
pub fn never<R>(_: &R) -> Outcome {
    Outcome::Ignored
}

/// What `classify` says of a value.
#[inline]
pub fn classified<R, C: Classify<R>>(classify: C, returned: &R) -> Outcome {
    classify(returned)
}

/// The error, for `failure_if` to look at.
#[inline]
pub fn error_of<R: Fallible<E>, E>(returned: &R) -> Option<&E> {
    returned.error()
}

/// What `failure_if` says of a value with that error.
#[inline]
pub fn failed_if<E, P: FailureIf<E>>(error: Option<&E>, is_failure: P) -> Outcome {
    match error {
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
pub trait Fallible<E> {
    /// The error, if this is one.
    fn error(&self) -> Option<&E>;
}

impl<T, E> Fallible<E> for Result<T, E> {
    #[inline]
    fn error(&self) -> Option<&E> {
        self.as_ref().err()
    }
}

/// Judges and answers for the return type `R` of a function that says neither with a key.
///
/// For `Result` these are functions of its own, so that a missing `From<Rejected>` is said as such;
/// for any other type they come from [`OwnType`], so that all it lacks is said at once. They have
/// names that no trait of the user's has for every type.
pub struct Template<R>(PhantomData<R>);

impl<T, E> Template<Result<T, E>> {
    /// What the value counts as.
    #[inline]
    pub fn __outcome(returned: &Result<T, E>) -> Outcome {
        returned.outcome()
    }

    /// The answer to a rejected call.
    ///
    /// # Errors
    ///
    /// Always.
    #[inline]
    pub fn __reject(rejected: Rejected) -> Result<T, E>
    where
        Result<T, E>: Answers<E>,
    {
        Answers::answer(rejected)
    }

    /// The same, whoever judges the value.
    ///
    /// # Errors
    ///
    /// Always.
    #[inline]
    pub fn __reject_alone(rejected: Rejected) -> Result<T, E>
    where
        Result<T, E>: Answers<E>,
    {
        Answers::answer(rejected)
    }
}

/// The part of [`Template`] for types that are no `Result`.
pub trait OwnType {
    /// The return type.
    type Returned;

    /// What the value counts as.
    fn __outcome(returned: &Self::Returned) -> Outcome
    where
        Self::Returned: Protected;

    /// The answer to a rejected call.
    fn __reject(rejected: Rejected) -> Self::Returned
    where
        Self::Returned: Protected;

    /// The same, for a type whose values a key judges.
    fn __reject_alone(rejected: Rejected) -> Self::Returned
    where
        Self::Returned: FromRejected;
}

impl<R> OwnType for Template<R> {
    type Returned = R;

    #[inline]
    fn __outcome(returned: &R) -> Outcome
    where
        R: Protected,
    {
        returned.outcome()
    }

    #[inline]
    fn __reject(rejected: Rejected) -> R
    where
        R: Protected,
    {
        R::from_rejected(rejected)
    }

    #[inline]
    fn __reject_alone(rejected: Rejected) -> R
    where
        R: FromRejected,
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

/// The answer to a call that `timeout` gave up, where a fallback answers the rejected ones.
#[inline]
#[must_use]
pub fn timed_out<R: AnswersTimeOut>(rejected: Rejected) -> R {
    R::from_rejected(rejected)
}

/// A return type that can say that a call was given up.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot say that `timeout` gave a call up",
    label = "no `Result` whose error type is `From<Rejected>`",
    note = "`fallback` answers rejected calls only: one that `timeout` gives up is a failure, and \
            returns a `Rejected` of kind `TimedOut`",
    note = "write `impl From<breakerbox::Rejected>` for the error type of a `Result`, or implement \
            `breakerbox::FromRejected` for a type of your own"
)]
pub trait AnswersTimeOut: FromRejected {}

#[diagnostic::do_not_recommend]
impl<R: FromRejected> AnswersTimeOut for R {}

/// A `Result` whose error answers rejected calls.
#[diagnostic::on_unimplemented(
    message = "the error type `{E}` cannot say that a call was rejected",
    label = "no `From<Rejected>` for `{E}`",
    note = "write `impl From<breakerbox::Rejected> for {E}`; with `thiserror`, add a variant \
            `Rejected(#[from] breakerbox::Rejected)`; for a type parameter, add the bound \
            `{E}: From<breakerbox::Rejected>`",
    note = "if `{E}` is not a type of yours, return one of yours that wraps it, or `anyhow::Error`",
    note = "or give `fallback = |rejected| …`, which answers in place of a rejected call, though not \
            of one that `timeout` gave up"
)]
pub trait Answers<E> {
    /// What a rejected call returns.
    fn answer(rejected: Rejected) -> Self;
}

#[diagnostic::do_not_recommend]
impl<T, E: From<Rejected>> Answers<E> for Result<T, E> {
    #[inline]
    fn answer(rejected: Rejected) -> Self {
        Err(E::from(rejected))
    }
}
