//! The future of a call through a service: it holds the permit, and gives it back however it ends.

use super::layer::Judge;
use super::lease::Lease;
use crate::rejected::Rejected;
use pin_project_lite::pin_project;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

pin_project! {
    /// The future of a [`BreakerService`](super::BreakerService). Dropped before it is done, its call was
    /// cancelled, and a probe gives its slot back.
    ///
    /// ```
    /// # extern crate breaker_runtime as breakerbox;
    /// use breakerbox::tower::BreakerFuture;
    ///
    /// /// For a service whose future has to have a name.
    /// type StockFuture<F> = BreakerFuture<F>;
    /// # let _: Option<StockFuture<()>> = None;
    /// ```
    #[must_use = "futures do nothing unless polled"]
    pub struct BreakerFuture<F, C = super::ByResult> {
        #[pin]
        call: Call<F>,
        classify: C,
    }
}

pin_project! {
    #[project = CallProjection]
    enum Call<F> {
        Admitted {
            // Dropped before the lease, as it is a part of the call.
            #[pin]
            inner: F,
            lease: Lease,
        },
        Rejected {
            rejected: Rejected,
        },
    }
}

impl<F, C> BreakerFuture<F, C> {
    pub(super) fn admitted(inner: F, lease: Lease, classify: C) -> Self {
        Self { call: Call::Admitted { inner, lease }, classify }
    }

    pub(super) fn rejected(rejected: Rejected, classify: C) -> Self {
        Self { call: Call::Rejected { rejected }, classify }
    }
}

impl<F, C, Response, Error> Future for BreakerFuture<F, C>
where
    F: Future<Output = Result<Response, Error>>,
    C: Judge<Response, Error>,
    Error: From<Rejected>,
{
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let this = self.project();
        match this.call.project() {
            CallProjection::Admitted { inner, lease } => {
                lease.drive(|| inner.poll(context), |result| this.classify.judge(result))
            }
            CallProjection::Rejected { rejected } => Poll::Ready(Err(rejected.clone().into())),
        }
    }
}

impl<F, C> fmt::Debug for BreakerFuture<F, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_admitted = matches!(self.call, Call::Admitted { .. });
        f.debug_struct("BreakerFuture").field("is_admitted", &is_admitted).finish_non_exhaustive()
    }
}
