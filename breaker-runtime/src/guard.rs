//! Running user code under a permit: what the attribute's expansion calls, and
//! [`Breaker::call`](crate::Breaker::call) with it.
//!
//! While user code runs the permit is set so that its drop means a panic; between two polls of a
//! future, so that its drop means a cancelled call. So a future that is dropped by a panic elsewhere
//! is not blamed for it.

use crate::breaker::Breaker;
use crate::outcome::Outcome;
use crate::permit::{Dropped, Permit};
use crate::returns::{Classified, FromRejected};
use pin_project_lite::pin_project;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

/// Runs `body`, classifies what it returned and gives the permit back. If either panics, the call
/// counts as a failure and the panic goes on.
#[inline]
pub fn call<T>(
    mut permit: Permit<'_>,
    classify: impl FnOnce(&T) -> Outcome,
    body: impl FnOnce() -> T,
) -> T {
    permit.when_dropped(Dropped::Panicked);
    let value = body();
    let outcome = classify(&value);
    permit.record(outcome);
    value
}

/// As [`call`], for a future: dropped between two polls, the call was cancelled.
#[inline]
pub fn call_async<F, C>(mut permit: Permit<'_>, classify: C, body: F) -> Guarded<'_, F, C>
where
    F: Future,
    C: FnOnce(&F::Output) -> Outcome,
{
    permit.when_dropped(Dropped::Cancelled);
    Guarded { body, classify: Some(classify), permit }
}

pin_project! {
    /// The future of [`call_async`].
    #[must_use = "futures do nothing unless polled"]
    pub struct Guarded<'a, F, C> {
        // Dropped before the permit: the call lasts until its last local is gone.
        #[pin]
        body: F,
        classify: Option<C>,
        permit: Permit<'a>,
    }
}

impl<F, C> Future for Guarded<'_, F, C>
where
    F: Future,
    C: FnOnce(&F::Output) -> Outcome,
{
    type Output = F::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let this = self.project();
        let classify = this.classify;
        let judge = |value: &_| classify.take().map(|classify| classify(value));
        drive(this.permit, || this.body.poll(context), judge)
    }
}

pin_project! {
    /// The future of [`Breaker::call_async`]: it asks its breaker at the first poll.
    ///
    /// It is a type of its own so that it holds the body once; an `async fn` would hold it twice.
    ///
    /// ```
    /// # extern crate breaker_runtime as breakerbox;
    /// use breakerbox::{Breaker, Config};
    ///
    /// static SEARCH: Breaker = Breaker::new("search", Config::new());
    ///
    /// let body = async { Ok::<[u8; 1_000], std::io::Error>([0; 1_000]) };
    /// let alone = size_of_val(&body);
    /// assert!(size_of_val(&SEARCH.call_async(body)) <= alone + 48);
    /// ```
    #[derive(Debug)]
    #[must_use = "futures do nothing unless polled"]
    pub struct Called<'a, F> {
        #[pin]
        body: F,
        breaker: &'a Breaker,
        permit: Option<Permit<'a>>,
    }
}

impl<'a, F> Called<'a, F> {
    pub(crate) fn new(breaker: &'a Breaker, body: F) -> Self {
        Self { body, breaker, permit: None }
    }
}

impl<F> Future for Called<'_, F>
where
    F: Future<Output: Classified + FromRejected>,
{
    type Output = F::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let this = self.project();
        let permit = match this.permit {
            Some(permit) => permit,
            None => match this.breaker.admit() {
                Ok(mut permit) => {
                    permit.when_dropped(Dropped::Cancelled);
                    this.permit.insert(permit)
                }
                Err(rejected) => return Poll::Ready(F::Output::from_rejected(rejected)),
            },
        };
        drive(permit, || this.body.poll(context), |value| Some(value.outcome()))
    }
}

/// Polls user code and has it judged when it is done, ready for a panic at any point.
#[inline]
pub(crate) fn drive<T>(
    permit: &mut Permit<'_>,
    poll: impl FnOnce() -> Poll<T>,
    judge: impl FnOnce(&T) -> Option<Outcome>,
) -> Poll<T> {
    let blamed = Blamed { permit };
    match poll() {
        Poll::Pending => {
            blamed.acquit();
            Poll::Pending
        }
        Poll::Ready(value) => {
            // There is no judge left only where a future is polled again after it was ready.
            let outcome = judge(&value).unwrap_or(Outcome::Ignored);
            blamed.judge(outcome);
            Poll::Ready(value)
        }
    }
}

/// While this lives, user code runs: if it unwinds, the call failed. A future that panicked may be
/// kept by its owner, so the permit cannot wait for its own drop.
struct Blamed<'p, 'a> {
    permit: &'p mut Permit<'a>,
}

impl Blamed<'_, '_> {
    #[inline]
    fn acquit(self) {
        std::mem::forget(self);
    }

    #[inline]
    fn judge(self, outcome: Outcome) {
        self.permit.settle(outcome);
        std::mem::forget(self);
    }
}

impl Drop for Blamed<'_, '_> {
    fn drop(&mut self) {
        self.permit.settle(Outcome::Failure);
    }
}
