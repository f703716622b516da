//! Giving up a call after a time, by tokio's timer (feature `tokio`).

use crate::guard::drive;
use crate::outcome::Outcome;
use crate::permit::{Dropped, Permit};
use crate::rejected::{Rejected, RejectedKind};
use pin_project_lite::pin_project;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::Timeout;

/// As [`call_async`](crate::guard::call_async), but a body that is not done within `limit` is
/// dropped, counts as a failure, and is answered with a `Rejected` of kind `TimedOut`.
///
/// # Panics
///
/// Outside a tokio runtime with time enabled, as tokio's own time-outs do.
pub fn call_within<F, C>(
    mut permit: Permit<'_>,
    limit: Duration,
    classify: C,
    body: F,
) -> Limited<'_, F, C>
where
    F: Future,
    C: FnOnce(&F::Output) -> Outcome,
{
    permit.when_dropped(Dropped::Cancelled);
    Limited { body: tokio::time::timeout(limit, body), classify: Some(classify), permit }
}

pin_project! {
    /// The future of [`call_within`].
    #[must_use = "futures do nothing unless polled"]
    pub struct Limited<'a, F, C> {
        #[pin]
        body: Timeout<F>,
        classify: Option<C>,
        permit: Permit<'a>,
    }
}

impl<F, C> Future for Limited<'_, F, C>
where
    F: Future,
    C: FnOnce(&F::Output) -> Outcome,
{
    type Output = Result<F::Output, Rejected>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let breaker = this.permit.breaker();
        let classify = this.classify;
        drive(
            this.permit,
            || this.body.poll(context),
            |in_time| match in_time {
                Ok(value) => classify.take().map(|classify| classify(value)),
                Err(_elapsed) => Some(Outcome::Failure),
            },
        )
        .map(|in_time| in_time.map_err(|_elapsed| breaker.reject(RejectedKind::TimedOut, None)))
    }
}

#[cfg(test)]
mod tests {
    use super::call_within;
    use crate::{Breaker, Config, Outcome, RejectedKind, State};
    use std::future::{Future, pending, ready};
    use std::time::Duration;

    const LIMIT: Duration = Duration::from_secs(2);

    /// Runs under a tokio clock that jumps to the next timer when all else is idle.
    fn run<T>(future: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .expect("a runtime")
            .block_on(future)
    }

    fn judge<T>(_: &T) -> Outcome {
        Outcome::Success
    }

    #[test]
    fn a_call_over_its_limit_fails_at_the_limit() {
        let breaker = Breaker::new("hanging", Config::new().consecutive(1));
        run(async {
            let started = tokio::time::Instant::now();
            let permit = breaker.acquire().expect("closed");
            let rejected = call_within(permit, LIMIT, judge, pending::<()>()).await.unwrap_err();
            assert_eq!(started.elapsed(), LIMIT);
            assert_eq!(rejected.kind(), RejectedKind::TimedOut);
            assert_eq!(rejected.breaker(), "hanging");
        });
        let totals = breaker.snapshot().totals;
        assert_eq!(breaker.state(), State::Open);
        assert_eq!((totals.failure, totals.rejected(RejectedKind::TimedOut)), (1, 1));
    }

    #[test]
    fn a_call_in_time_is_judged_by_its_value() {
        let breaker = Breaker::new("quick", Config::new());
        run(async {
            let permit = breaker.acquire().expect("closed");
            assert_eq!(call_within(permit, LIMIT, judge, ready(7)).await, Ok(7));
        });
        let totals = breaker.snapshot().totals;
        assert_eq!((totals.success, totals.rejected(RejectedKind::TimedOut)), (1, 0));
    }

    #[test]
    fn a_call_cancelled_from_outside_stays_cancelled() {
        let breaker = Breaker::new("impatient", Config::new());
        run(async {
            let permit = breaker.acquire().expect("closed");
            let call = call_within(permit, LIMIT, judge, pending::<()>());
            assert!(tokio::time::timeout(LIMIT / 2, call).await.is_err());
        });
        let totals = breaker.snapshot().totals;
        assert_eq!((totals.ignored, totals.failure), (1, 0));
    }
}
