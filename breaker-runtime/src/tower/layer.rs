//! The layer: which breaker, and what counts.

use super::pick::One;
use super::service::BreakerService;
use crate::outcome::Outcome;
use crate::panel::BreakerRef;
use crate::returns::Classified;
#[cfg(feature = "keyed")]
use crate::{Key, Keyed, tower::PerKey};
#[cfg(feature = "keyed")]
use std::{borrow::Borrow, borrow::Cow, hash::Hash, marker::PhantomData, ops::Deref};
use tower_layer::Layer;

/// Puts a breaker around services. All services of one layer, and their clones, share its breaker.
///
/// **The error of the service must implement `From<Rejected>`**, for a rejected call ends with it. Where it
/// does not, the compiler says that a method such as `ready` or `call` exists but its trait bounds are not
/// satisfied (E0599), and names many bounds but not that one. Give an error of your own the `From`, or put
/// `map_err(BoxError::from)` between this layer and the service, as [`tower`](crate::tower) shows.
///
/// **There is no fallback.** What is to be answered in place of a rejected call, is answered by what stands
/// around this layer; [`tower`](crate::tower) has an example.
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::tower::BreakerLayer;
/// use breakerbox::{Breaker, Config};
///
/// let layer = BreakerLayer::new(Breaker::new("stock", Config::new().consecutive(5)));
/// # let _ = layer;
/// ```
#[derive(Debug, Clone)]
pub struct BreakerLayer<P = One, C = ByResult> {
    pick: P,
    classify: C,
}

impl BreakerLayer {
    /// A layer with this breaker: one of its own (a `Breaker`), or one that functions and other layers
    /// use too (a `&'static Breaker`, an `Arc<Breaker>`, a [`BreakerRef`]).
    ///
    /// ```
    /// # extern crate breaker_runtime as breakerbox;
    /// use breakerbox::tower::BreakerLayer;
    /// use breakerbox::{Breaker, Config};
    ///
    /// static STOCK: Breaker = Breaker::new("stock", Config::new());
    ///
    /// let of_the_process = BreakerLayer::new(&STOCK);
    /// let of_a_client = BreakerLayer::new(Breaker::shared("client", Config::new())?);
    /// let of_its_own = BreakerLayer::new(Breaker::new("layer", Config::new()));
    /// # let _ = (of_the_process, of_a_client, of_its_own);
    /// # Ok::<(), breakerbox::ConfigError>(())
    /// ```
    #[must_use]
    pub fn new(breaker: impl Into<BreakerRef>) -> Self {
        Self { pick: One(breaker.into()), classify: ByResult }
    }
}

#[cfg(feature = "keyed")]
impl<H, F, Q: ?Sized> BreakerLayer<PerKey<H, F, Q>> {
    /// A layer with one breaker for each key: host, region, tenant. The family is a `&'static Keyed` or
    /// an `Arc<Keyed>`; the key is borrowed from the request, or made of it.
    ///
    /// ```
    /// # extern crate breaker_runtime as breakerbox;
    /// use breakerbox::tower::BreakerLayer;
    /// use breakerbox::{Config, Keyed};
    /// use std::borrow::Cow;
    ///
    /// static HOSTS: Keyed<String> = Keyed::new("hosts", Config::new());
    /// struct Request {
    ///     host: String,
    /// }
    ///
    /// let layer = BreakerLayer::keyed(&HOSTS, |request: &Request| Cow::Borrowed(&*request.host));
    /// # let _ = layer;
    /// ```
    pub fn keyed<Request, K>(family: H, key: F) -> Self
    where
        H: Deref<Target = Keyed<K>>,
        F: Fn(&Request) -> Cow<'_, Q>,
        K: Key + Borrow<Q>,
        Q: Hash + Eq + ToOwned<Owned = K>,
    {
        let pick = PerKey { family, key, borrowed: PhantomData };
        Self { pick, classify: ByResult }
    }
}

impl<P, C> BreakerLayer<P, C> {
    /// Says what a result counts as, in place of "an error is a failure".
    ///
    /// ```
    /// # extern crate breaker_runtime as breakerbox;
    /// use breakerbox::tower::BreakerLayer;
    /// use breakerbox::{Breaker, Config, Outcome, classify};
    /// use std::io::Error;
    ///
    /// let breaker = Breaker::new("stock", Config::new());
    /// let layer = BreakerLayer::new(breaker).classify(|result: &Result<u32, Error>| match result {
    ///     Ok(0) => Outcome::Failure,
    ///     other => classify::io(other),
    /// });
    /// # let _ = layer;
    /// ```
    #[must_use]
    pub fn classify<Response, Error, D>(self, classify: D) -> BreakerLayer<P, D>
    where
        D: Fn(&Result<Response, Error>) -> Outcome,
    {
        BreakerLayer { pick: self.pick, classify }
    }
}

impl<S, P: Clone, C: Clone> Layer<S> for BreakerLayer<P, C> {
    type Service = BreakerService<S, P, C>;

    fn layer(&self, inner: S) -> Self::Service {
        BreakerService::new(inner, self.pick.clone(), self.classify.clone())
    }
}

/// Says what the result of a call through a service counts as: functions do, and [`ByResult`].
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::Outcome;
/// use breakerbox::tower::{ByResult, Judge};
///
/// assert_eq!(ByResult.judge(&Err::<u32, _>("no answer")), Outcome::Failure);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot judge a `Result<{Response}, {Error}>`",
    label = "not callable as `fn(&Result<{Response}, {Error}>) -> Outcome`"
)]
pub trait Judge<Response, Error> {
    /// What it counts as.
    fn judge(&self, result: &Result<Response, Error>) -> Outcome;
}

impl<F, Response, Error> Judge<Response, Error> for F
where
    F: Fn(&Result<Response, Error>) -> Outcome,
{
    fn judge(&self, result: &Result<Response, Error>) -> Outcome {
        self(result)
    }
}

/// An error is a failure, all else a success, as with the attribute.
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::Outcome;
/// use breakerbox::tower::{ByResult, Judge};
///
/// assert_eq!(ByResult.judge(&Ok::<_, ()>(7)), Outcome::Success);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct ByResult;

impl<Response, Error> Judge<Response, Error> for ByResult {
    fn judge(&self, result: &Result<Response, Error>) -> Outcome {
        result.outcome()
    }
}
