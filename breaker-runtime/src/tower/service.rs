//! The service: when it is ready, and who may call.

use super::future::BreakerFuture;
use super::layer::{ByResult, Judge};
use super::lease::Lease;
use super::pick::{One, Pick};
use crate::breaker::Breaker;
use crate::outcome::Outcome;
use crate::rejected::{Rejected, RejectedKind};
use std::fmt;
use std::task::{Context, Poll};
use tower_service::Service;

/// A service behind a breaker, as a [`BreakerLayer`](super::BreakerLayer) makes it.
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::tower::{BreakerLayer, BreakerService};
/// use breakerbox::{Breaker, Config};
/// use tower_layer::Layer;
/// # struct Client;
///
/// let layer = BreakerLayer::new(Breaker::new("stock", Config::new()));
/// let service: BreakerService<Client> = layer.layer(Client);
/// # let _ = service;
/// ```
pub struct BreakerService<S, P = One, C = ByResult> {
    inner: S,
    pick: P,
    classify: C,
    /// The caller was told "ready" without asking the inner service, which must not be called then.
    refuses: bool,
}

impl<S, P, C> BreakerService<S, P, C> {
    pub(super) fn new(inner: S, pick: P, classify: C) -> Self {
        Self { inner, pick, classify, refuses: false }
    }
}

impl<S, P, C, Request> Service<Request> for BreakerService<S, P, C>
where
    S: Service<Request, Error: From<Rejected>>,
    P: Pick<Request>,
    C: Judge<S::Response, S::Error> + Clone,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = BreakerFuture<S::Future, C>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.refuses = self.pick.refuses();
        if self.refuses { Poll::Ready(Ok(())) } else { self.inner.poll_ready(context) }
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let classify = self.classify.clone();
        let breaker = self.pick.pick(&request);
        if self.refuses {
            return BreakerFuture::rejected(turn_away(&breaker), classify);
        }
        match Lease::acquire(breaker) {
            Ok(mut lease) => {
                let inner = lease.begin(|| self.inner.call(request));
                BreakerFuture::admitted(inner, lease, classify)
            }
            Err(rejected) => BreakerFuture::rejected(rejected, classify),
        }
    }
}

/// Rejects a call that was promised to be rejected, also where the breaker has changed its mind since:
/// whether the inner service is ready nobody knows.
fn turn_away(breaker: &Breaker) -> Rejected {
    match breaker.admit() {
        Ok(permit) => {
            permit.record(Outcome::Ignored);
            breaker.reject(RejectedKind::Open, Some(0))
        }
        Err(rejected) => rejected,
    }
}

/// A clone uses the same breaker. That the service is ready holds for the service that said so, and not for
/// its clone: ask the clone itself.
impl<S: Clone, P: Clone, C: Clone> Clone for BreakerService<S, P, C> {
    fn clone(&self) -> Self {
        Self::new(self.inner.clone(), self.pick.clone(), self.classify.clone())
    }
}

impl<S: fmt::Debug, P: fmt::Debug, C> fmt::Debug for BreakerService<S, P, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BreakerService")
            .field("inner", &self.inner)
            .field("pick", &self.pick)
            .finish_non_exhaustive()
    }
}
