//! How arguments come into the body, which the expansion makes a closure or a future, and what the
//! compiler learns of that from code that never runs.

use std::future::Future;
use std::marker::PhantomData;

/// Runs a closure that is called once, whatever it captured and moves out.
#[inline]
pub fn run<R>(body: impl FnOnce() -> R) -> R {
    body()
}

/// What never comes: a value of a type that the compiler learns in [`never_comes`].
pub struct Nothing<R>(PhantomData<R>);

/// Nothing, of a type that is not known yet.
#[must_use]
pub fn nothing<R>() -> Nothing<R> {
    Nothing(PhantomData)
}

/// Does not come back, which the signature says once `R` is known.
///
/// # Panics
///
/// Always.
#[expect(clippy::must_use_candidate, reason = "there is no value to use")]
pub fn wait_for<R>(_: &Nothing<R>) -> R {
    unreachable!("this stands in code that never runs")
}

/// A value of a type, where no code comes by.
///
/// # Panics
///
/// Always.
#[must_use]
pub fn any<T>() -> T {
    unreachable!("this stands in code that never runs")
}

/// Says that `R` is `!`.
pub fn never_comes(_: &Nothing<<fn() -> ! as Callable>::Output>) {}

/// Names `!`, which no type may be elsewhere.
pub trait Callable {
    /// What a call gives.
    type Output;
}

impl<R> Callable for fn() -> R {
    type Output = R;
}

/// Names a value, so that the closure or future around captures it.
pub fn capture<T>(_: T) {}

/// A future of which nothing is known but that it is one.
#[inline]
pub fn opaque<F: Future>(future: F) -> impl Future<Output = F::Output> {
    future
}

/// Asks of an argument that it can be given to the body, and again to what a key says.
#[inline]
pub fn given_twice<T: GivenTwice>(_: &T) {}

/// An argument that can be given twice.
#[diagnostic::on_unimplemented(
    message = "this argument is moved into the body, and `#[circuit_breaker]` needs it later",
    label = "`{Self}` is not `Copy`",
    note = "what this function returns is admitted when it is first polled, and only then are \
            `fallback` and `breaker` evaluated, with the arguments that they use: take this one by \
            reference, or write a closure for `fallback` that does without it",
    note = "or end the body in `async move {{ … }}`, which is made of the arguments only when its call \
            is admitted"
)]
pub trait GivenTwice {}

#[diagnostic::do_not_recommend]
impl<T: Copy> GivenTwice for T {}
