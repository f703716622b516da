//! A breaker as middleware: a `Layer` and a `Service` of `tower` (feature `tower`), over the same
//! [`Breaker`](crate::Breaker) that guards functions. One breaker can do both.
//!
//! ```
//! # extern crate breaker_runtime as breakerbox;
//! use breakerbox::tower::BreakerLayer;
//! use breakerbox::{Breaker, Config, Rejected};
//! # use std::{convert::Infallible, future::{Ready, ready}, task::{Context, Poll}};
//! use tower_layer::Layer;
//! use tower_service::Service;
//!
//! static STOCK: Breaker = Breaker::new("stock", Config::new().consecutive(5));
//!
//! # type BoxError = Box<dyn std::error::Error + Send + Sync>;
//! # struct Client;
//! # impl Service<u32> for Client {
//! #     type Response = u32;
//! #     type Error = BoxError;
//! #     type Future = Ready<Result<u32, BoxError>>;
//! #     fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> { Poll::Ready(Ok(())) }
//! #     fn call(&mut self, _: u32) -> Self::Future { ready(Ok(7)) }
//! # }
//! let mut service = BreakerLayer::new(&STOCK).layer(Client);
//! # futures::executor::block_on(async {
//! # std::future::poll_fn(|context| service.poll_ready(context)).await?;
//! assert_eq!(service.call(1).await?, 7);
//! # STOCK.force_open();
//! # assert!(service.call(1).await.unwrap_err().is::<Rejected>());
//! # Ok::<(), BoxError>(())
//! # }).unwrap();
//! ```
//!
//! **Errors.** A rejected call ends with the service's own error, made by `From<Rejected>`. `BoxError`,
//! which is `Box<dyn Error + Send + Sync>`, can be made of any error, and so of a
//! [`Rejected`](crate::Rejected); [`Rejected::find_in`](crate::Rejected::find_in) finds it there. Where
//! the error of the inner service cannot be made of one, as `Infallible` or the errors of clients, put
//! `map_err` between the two:
//! `ServiceBuilder::new().layer(BreakerLayer::new(&STOCK)).map_err(BoxError::from).service(client)`.
//! `axum` then wants its `HandleErrorLayer` outside. For `tonic`, on both sides, `map_err` to its `Status`,
//! which can be made of a `Rejected` with the feature `tonic`, and which a server sends on as it is.
//!
//! **No fallback.** The layer makes no answers up. What stands around it can, since it sees the rejected
//! call as an error: `then` of `tower`, say, outside of the layer,
//! `.then(async |result| match result { Err(error) if Rejected::find_in(&error).is_some() => Ok(cached()), other => other })`.
//! That does not see the request; for an answer that depends on it, write a layer of your own, which keeps
//! what it needs of the request before it passes it on.
//!
//! A `BoxError` together with `classify` has a limit that is the compiler's: a service that is held across
//! an `await` in a future that has to be `Send` is refused with "implementation of `FnOnce` is not general
//! enough", for there the compiler has lost that the box is `'static`. An error type of your own, or a
//! `Status`, has no such lifetime; a `BoxCloneService` around it all helps, too.
//!
//! **What counts.** As with the attribute, an error is a failure and all else a success, unless
//! [`BreakerLayer::classify`] says otherwise: `classify::http` or `classify::grpc`, say, since to a
//! service a 503 is a response like any other. A response counts when its head has come; a body that
//! breaks off later is not seen. A panic is a failure, a dropped future a cancelled call. An error of
//! `poll_ready` is passed on and not counted, for no call was made.
//!
//! **Readiness.** While the breaker rejects, open or with its probes busy, the service is ready at once,
//! to say so: it never waits for the inner service. Otherwise it is ready when the inner service is, and
//! whoever has begun to wait for that goes on until the inner service wakes it. If the breaker opens
//! between readiness and the call, the inner service stays ready for the next call, and what it has
//! reserved is given back when the service is dropped. A keyed layer learns its key from the request, so
//! before it has one it always asks the inner service.
//!
//! **Order.** From the outside in, as in the guide: breaker, retry, time limit. Put limits on concurrency
//! and buffers inside the breaker, or rejected calls queue for them.

mod future;
mod layer;
mod lease;
mod pick;
mod service;

pub use future::BreakerFuture;
pub use layer::{BreakerLayer, ByResult, Judge};
#[cfg(feature = "keyed")]
pub use pick::PerKey;
pub use pick::{One, Pick};
pub use service::BreakerService;
