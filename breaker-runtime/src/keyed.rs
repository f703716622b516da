//! One breaker per key: host, region, tenant. Here is what users see; `members` keeps the breakers, each
//! of them a `member`.

mod member;
mod members;

use crate::config::{Config, ConfigError};
use crate::panel::BreakerRef;
use crate::policy::Policy;
use crate::snapshot::Totals;
use crate::transition::Transition;
pub(crate) use member::Member;
use members::Members;
use once_cell::sync::OnceCell;
use quick_cache::Equivalent;
use std::borrow::Borrow;
use std::fmt::{self, Display};
use std::hash::Hash;
use std::panic::Location;
use std::sync::Arc;

/// A family of breakers with one configuration, one for each key that was called: one bad host does
/// not open the rest.
///
/// The attribute's `key` makes one; this is the typed form for use by hand. A breaker is made when
/// its key is first asked for, once however many threads ask, and named `family[key]`. At `capacity`
/// closed breakers go first, the least used before the others; open and half-open ones are kept as
/// long as any closed one is left, then the one goes whose cooldown ends first, and last of all those
/// that were set by hand. So keys chosen by an attacker neither grow the memory nor reset a tripped
/// breaker. Where all are open, making a new one looks at each, which takes some 40 µs at a thousand
/// keys.
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::{Config, Keyed, Rejected};
///
/// static HOSTS: Keyed<String> = Keyed::new("fetch", Config::new()).capacity(10_000);
///
/// fn fetch(host: &str) -> Result<u16, Rejected> {
///     HOSTS.get(host).call(|| Ok(200))
/// }
/// fetch("eu.example")?;
/// assert_eq!(HOSTS.get("eu.example").name(), "fetch[eu.example]");
/// # Ok::<(), Rejected>(())
/// ```
pub struct Keyed<K> {
    settings: Settings,
    members: OnceCell<Arc<Members<K>>>,
}

#[derive(Clone, Copy)]
struct Settings {
    name: &'static str,
    policy: Policy,
    capacity: usize,
    listener: Option<fn(&Transition)>,
    location: &'static Location<'static>,
}

/// What a key of a [`Keyed`] can do: text and integers can.
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::{Config, Keyed};
///
/// #[derive(Debug, Clone, PartialEq, Eq, Hash)]
/// struct Region(u8);
/// impl std::fmt::Display for Region {
///     fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
///         write!(f, "r{}", self.0)
///     }
/// }
/// static REGIONS: Keyed<Region> = Keyed::new("regions", Config::new());
/// assert_eq!(REGIONS.get(&Region(3)).name(), "regions[r3]");
/// ```
pub trait Key: Display + Eq + Hash + Clone + Send + Sync + 'static {}

impl<K: Display + Eq + Hash + Clone + Send + Sync + 'static> Key for K {}

/// Most keys kept where nothing else is said.
const CAPACITY: usize = 1_024;

impl<K> Keyed<K> {
    /// A family without members yet. In a `static` the config is judged while the program is
    /// compiled.
    ///
    /// # Panics
    ///
    /// If the config is a bad one: in a `static` that is a compile error.
    ///
    /// ```
    /// # extern crate breaker_runtime as breakerbox;
    /// use breakerbox::{Config, Keyed};
    ///
    /// static TENANTS: Keyed<u64> = Keyed::new("tenants", Config::new());
    /// assert!(TENANTS.get(&7).acquire().is_ok());
    /// ```
    #[track_caller]
    #[must_use]
    pub const fn new(name: &'static str, config: Config) -> Self {
        match Policy::new(&config) {
            Ok(policy) => Self::with(name, policy),
            Err(fault) => panic!("{}", fault.bound()),
        }
    }

    /// A family from values that are known only at run time.
    ///
    /// # Errors
    ///
    /// What [`Config::check`] finds.
    ///
    /// ```
    /// # extern crate breaker_runtime as breakerbox;
    /// use breakerbox::{Config, Keyed};
    ///
    /// assert!(Keyed::<u64>::try_new("tenants", Config::new().probes(0)).is_err());
    /// ```
    #[track_caller]
    pub fn try_new(name: &'static str, config: Config) -> Result<Self, ConfigError> {
        Ok(Self::with(name, Policy::new(&config)?))
    }

    #[track_caller]
    const fn with(name: &'static str, policy: Policy) -> Self {
        let location = Location::caller();
        let settings = Settings { name, policy, capacity: CAPACITY, listener: None, location };
        Self { settings, members: OnceCell::new() }
    }

    /// Most keys kept; 1,024 where this is not called.
    ///
    /// # Panics
    ///
    /// If it is zero: in a `static` that is a compile error.
    ///
    /// ```compile_fail,E0080
    /// # extern crate breaker_runtime as breakerbox;
    /// use breakerbox::{Config, Keyed};
    ///
    /// static TENANTS: Keyed<u64> = Keyed::new("tenants", Config::new()).capacity(0);
    /// ```
    #[track_caller]
    #[must_use]
    pub const fn capacity(mut self, capacity: usize) -> Self {
        assert!(capacity > 0, "`capacity` must be at least 1");
        self.settings.capacity = capacity;
        self
    }

    /// Calls `listener` after each change of any of its breakers, as
    /// [`Breaker::on_transition`](crate::Breaker::on_transition) does.
    ///
    /// ```
    /// # extern crate breaker_runtime as breakerbox;
    /// use breakerbox::{Config, Keyed};
    ///
    /// static TENANTS: Keyed<u64> =
    ///     Keyed::new("tenants", Config::new()).on_transition(|change| eprintln!("{change}"));
    /// ```
    #[must_use]
    pub const fn on_transition(mut self, listener: fn(&Transition)) -> Self {
        self.settings.listener = Some(listener);
        self
    }
}

impl<K: Key> Keyed<K> {
    /// The breaker of this key, which is made if there is none. It stays usable after it was
    /// evicted, but then another one answers for its key.
    ///
    /// ```
    /// # use breaker_runtime::{Config, Keyed, State};
    /// static TENANTS: Keyed<u64> = Keyed::new("tenants", Config::new());
    /// TENANTS.get(&7).force_open();
    /// assert_eq!(TENANTS.get(&7).state(), State::ForcedOpen);
    /// assert_eq!(TENANTS.get(&8).state(), State::Closed);
    /// ```
    pub fn get<Q>(&self, key: &Q) -> BreakerRef
    where
        K: Borrow<Q>,
        Q: ?Sized + Hash + Eq + ToOwned<Owned = K>,
    {
        self.get_or_make(key, || key.to_owned())
    }

    #[inline]
    pub(crate) fn get_or_make<Q>(&self, key: &Q, own: impl FnOnce() -> K) -> BreakerRef
    where
        Q: ?Sized + Hash + Equivalent<K>,
    {
        let members = self.members.get_or_init(|| Members::start(self.settings));
        match members.find(key) {
            Some(member) => BreakerRef::from(member),
            None => BreakerRef::from(members.make(&own())),
        }
    }

    /// What all its breakers have counted, those that were evicted too: never less than before.
    ///
    /// ```
    /// # use breaker_runtime::{Config, Keyed};
    /// static TENANTS: Keyed<u64> = Keyed::new("tenants", Config::new()).capacity(1);
    /// TENANTS.get(&7).acquire()?.success();
    /// TENANTS.get(&8).acquire()?.success();
    /// assert_eq!((TENANTS.len(), TENANTS.totals().success), (1, 2));
    /// # Ok::<(), breaker_runtime::Rejected>(())
    /// ```
    #[must_use]
    pub fn totals(&self) -> Totals {
        self.members.get().map_or_else(Totals::default, |members| members.sum(|(), _| ()).0)
    }

    /// How many keys are kept.
    ///
    /// ```
    /// # use breaker_runtime::{Config, Keyed};
    /// static TENANTS: Keyed<u64> = Keyed::new("tenants", Config::new());
    /// TENANTS.get(&7);
    /// assert_eq!(TENANTS.len(), 1);
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.members.get().map_or(0, |members| members.len())
    }

    /// Whether no key was asked for yet.
    ///
    /// ```
    /// # use breaker_runtime::{Config, Keyed};
    /// assert!(Keyed::<u64>::new("tenants", Config::new()).is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<K> fmt::Debug for Keyed<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Settings { name, capacity, .. } = self.settings;
        f.debug_struct("Keyed")
            .field("name", &name)
            .field("capacity", &capacity)
            .finish_non_exhaustive()
    }
}
