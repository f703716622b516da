//! Which breaker a request belongs to: always the same, or the one of its key.

use crate::panel::BreakerRef;
#[cfg(feature = "keyed")]
use crate::{Key, Keyed};
#[cfg(feature = "keyed")]
use std::{borrow::Borrow, borrow::Cow, hash::Hash, marker::PhantomData, ops::Deref};

/// Says which breaker a request belongs to; [`One`] and `PerKey` do. Not for implementing.
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::tower::{BreakerService, Pick};
///
/// fn serve<S, P: Pick<String>>(service: BreakerService<S, P>) {
///     // …
/// #   let _ = service;
/// }
/// # let _ = serve::<(), breakerbox::tower::One>;
/// ```
pub trait Pick<Request>: Sealed {
    /// The breaker of this request.
    #[doc(hidden)]
    fn pick(&self, request: &Request) -> BreakerRef;

    /// Whether it is clear, before there is a request, that a call would be rejected.
    #[doc(hidden)]
    fn refuses(&self) -> bool;
}

/// Keeps [`Pick`] from being implemented elsewhere.
pub trait Sealed {}

/// One breaker for all requests: what [`BreakerLayer::new`](super::BreakerLayer::new) makes.
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::tower::{BreakerLayer, One};
/// use breakerbox::{Breaker, Config};
///
/// struct Middleware {
///     breaker: BreakerLayer<One>,
/// }
/// let breaker = BreakerLayer::new(Breaker::new("stock", Config::new()));
/// # let _ = Middleware { breaker }.breaker;
/// ```
#[derive(Debug, Clone)]
pub struct One(pub(super) BreakerRef);

impl Sealed for One {}

impl<Request> Pick<Request> for One {
    fn pick(&self, _: &Request) -> BreakerRef {
        self.0.clone()
    }

    fn refuses(&self) -> bool {
        self.0.refuses()
    }
}

/// A breaker for each key of the requests: what `BreakerLayer::keyed` makes.
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::tower::{BreakerLayer, PerKey};
/// use breakerbox::{Config, Keyed};
/// use std::borrow::Cow;
///
/// static TENANTS: Keyed<u64> = Keyed::new("tenants", Config::new());
///
/// fn tenant(request: &u64) -> Cow<'_, u64> {
///     Cow::Borrowed(request)
/// }
/// let layer: BreakerLayer<PerKey<_, _, u64>> = BreakerLayer::keyed(&TENANTS, tenant);
/// # let _ = layer;
/// ```
#[cfg(feature = "keyed")]
pub struct PerKey<H, F, Q: ?Sized> {
    pub(super) family: H,
    pub(super) key: F,
    pub(super) borrowed: PhantomData<fn(&Q)>,
}

#[cfg(feature = "keyed")]
impl<H: Clone, F: Clone, Q: ?Sized> Clone for PerKey<H, F, Q> {
    fn clone(&self) -> Self {
        Self { family: self.family.clone(), key: self.key.clone(), borrowed: PhantomData }
    }
}

#[cfg(feature = "keyed")]
impl<H: std::fmt::Debug, F, Q: ?Sized> std::fmt::Debug for PerKey<H, F, Q> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PerKey").field("family", &self.family).finish_non_exhaustive()
    }
}

#[cfg(feature = "keyed")]
impl<H, F, Q: ?Sized> Sealed for PerKey<H, F, Q> {}

#[cfg(feature = "keyed")]
impl<Request, H, F, K, Q> Pick<Request> for PerKey<H, F, Q>
where
    H: Deref<Target = Keyed<K>>,
    F: Fn(&Request) -> Cow<'_, Q>,
    K: Key + Borrow<Q>,
    Q: ?Sized + Hash + Eq + ToOwned<Owned = K>,
{
    fn pick(&self, request: &Request) -> BreakerRef {
        self.family.get((self.key)(request).as_ref())
    }

    fn refuses(&self) -> bool {
        false
    }
}
