//! One breaker per key: host, region, tenant.
//!
//! The breakers are kept in a concurrent cache that evicts closed ones first and never holds more
//! than `capacity`; what an evicted breaker had counted is added to its family's totals, so that
//! counts never fall.

use crate::breaker::Breaker;
use crate::clock::Nanos;
use crate::config::{Config, ConfigError};
use crate::name::Name;
#[cfg(any(feature = "metrics", feature = "opentelemetry"))]
use crate::observe::Seen;
use crate::panel::{self, BreakerRef, Family};
use crate::policy::Policy;
use crate::snapshot::{Snapshot, Totals};
use crate::transition::{State, Transition};
use foldhash::SharedSeed;
use foldhash::quality::SeedableRandomState;
use once_cell::sync::OnceCell;
use parking_lot::Mutex;
use quick_cache::sync::{Cache, GuardResult};
use quick_cache::{Equivalent, Lifecycle, OptionsBuilder, UnitWeighter};
use std::borrow::Borrow;
use std::fmt::{self, Display, Write};
use std::hash::{BuildHasher, Hash, RandomState};
use std::ops::Deref;
use std::panic::Location;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

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
    kept: OnceCell<Arc<Kept<K>>>,
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
        Self { settings, kept: OnceCell::new() }
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
    /// [`Breaker::on_transition`] does.
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
        let kept = self.kept.get_or_init(|| Kept::start(self.settings));
        match kept.cache.get(key) {
            Some(member) => BreakerRef::from(member),
            None => BreakerRef::from(kept.make(&own())),
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
        self.kept.get().map_or_else(Totals::default, |kept| kept.sum(|(), _| ()).0)
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
        self.kept.get().map_or(0, |kept| kept.cache.len())
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

/// The members of a family. Apart from [`Keyed`], so that the panel can hold on to it.
struct Kept<K> {
    settings: Settings,
    cache: Cache<K, Arc<Member>, UnitWeighter, SeedableRandomState, KeepUnlessClosed>,
    retired: Arc<Retired>,
}

/// What members that are gone have counted.
struct Retired {
    /// The family's name.
    #[cfg(any(feature = "metrics", feature = "opentelemetry"))]
    family: &'static str,
    totals: Mutex<Totals>,
    /// The highest sum that was given out, so that none is ever less.
    most: Mutex<Totals>,
    /// Members that began to move from the cache to the totals, and that have arrived. While they
    /// differ, a sum over both might miss one or take one twice.
    departed: AtomicU64,
    arrived: AtomicU64,
}

/// A breaker that leaves what it counted to its family.
pub(crate) struct Member {
    breaker: Breaker,
    retired: Arc<Retired>,
    /// What was already left when it was evicted, while calls were under way.
    left: Mutex<Option<Box<Totals>>>,
    /// Whether room was made for it. Before that it must not be evicted itself: where all others are
    /// open it is the only closed one, and would be made anew for each call and never trip.
    is_settled: AtomicBool,
}

impl<K: Key> Kept<K> {
    fn start(settings: Settings) -> Arc<Self> {
        let options = OptionsBuilder::new()
            .estimated_items_capacity(settings.capacity)
            .weight_capacity(settings.capacity as u64)
            .build()
            .unwrap_or_else(|_| unreachable!("both capacities are given"));
        let cache = Cache::with_options(options, UnitWeighter, hasher(), KeepUnlessClosed);
        let kept = Arc::new(Self { settings, cache, retired: Arc::new(Retired::new(&settings)) });
        panel::list_family(Arc::downgrade(&kept) as _);
        kept
    }

    #[cold]
    fn make(&self, key: &K) -> Arc<Member> {
        let member = match self.cache.get_value_or_guard(key, None) {
            GuardResult::Guard(place) => {
                let member = Arc::new(self.member(key));
                // Fails only where the cache was cleared meanwhile, which nobody does.
                let _ = place.insert(Arc::clone(&member));
                member
            }
            GuardResult::Value(member) => return member,
            GuardResult::Timeout => unreachable!("it was to wait for ever"),
        };
        // Again and again: two threads may choose the same one to go.
        while self.cache.len() > self.settings.capacity && self.evict_one(key) {}
        member.is_settled.store(true, Ordering::Relaxed);
        member
    }

    fn member(&self, key: &K) -> Member {
        let Settings { name, policy, listener, location, .. } = self.settings;
        let name = Name::member(member_name(name, key), name);
        Member {
            breaker: Breaker::member(name, policy, listener, location),
            retired: Arc::clone(&self.retired),
            left: Mutex::default(),
            is_settled: AtomicBool::new(false),
        }
    }

    /// Where the cache found nothing to evict: its part of the keys has no closed breaker. Another
    /// part may have one; if not, an open one must go.
    #[cold]
    fn evict_one(&self, newest: &K) -> bool {
        let mut victim = None;
        for (key, member) in self.cache.iter().filter(|(key, _)| key != newest) {
            let worth = member.worth();
            if victim.as_ref().is_none_or(|(least, _)| worth < *least) {
                victim = Some((worth, key));
            }
            if worth == Worth::Closed {
                break;
            }
        }
        let Some((_, key)) = victim else { return false };
        self.retired.departed.fetch_add(1, Ordering::SeqCst);
        if let Some((_, member)) = self.cache.remove(&key) {
            member.leave_totals();
        }
        self.retired.arrived.fetch_add(1, Ordering::SeqCst);
        true
    }

    /// What the members have counted, those that are gone too; and whatever else `look` makes of
    /// those that are there.
    fn sum<T: Default>(&self, look: impl Fn(&mut T, &Snapshot)) -> (Totals, T) {
        let mut attempt = 0;
        loop {
            let arrived = self.retired.arrived.load(Ordering::SeqCst);
            // Before the living ones: a member that moves meanwhile may be missed, never counted
            // twice.
            let mut totals = *self.retired.totals.lock();
            let mut seen = T::default();
            for (_, member) in self.cache.iter() {
                let snapshot = member.breaker.snapshot();
                totals.add(&snapshot.totals);
                look(&mut seen, &snapshot);
            }
            attempt += 1;
            // A flood of new keys could keep this up for ever; then what just moves is missed.
            if self.retired.departed.load(Ordering::SeqCst) == arrived || attempt == ATTEMPTS {
                let mut most = self.retired.most.lock();
                *most = most.highest(&totals);
                return (*most, seen);
            }
        }
    }
}

/// Quick, as each call hashes its key, and not to be foretold, as keys may come from an attacker: its
/// seed is the standard library's, from the operating system. Who found out keys that collide, from
/// how long answers take, would make a look-up compare no more than `capacity` of them.
fn hasher() -> SeedableRandomState {
    SeedableRandomState::with_seed(RandomState::new().hash_one(0_u8), SharedSeed::global_random())
}

/// How often a sum is tried before it is taken as it is.
const ATTEMPTS: u32 = 4;

impl<K: Key> Family for Kept<K> {
    fn members(&self) -> Vec<BreakerRef> {
        self.cache.iter().map(|(_, member)| BreakerRef::from(member)).collect()
    }

    #[cfg(any(feature = "metrics", feature = "opentelemetry"))]
    fn name(&self) -> &'static str {
        self.settings.name
    }

    #[cfg(any(feature = "metrics", feature = "opentelemetry"))]
    fn seen(&self) -> Seen {
        let (totals, mut seen) = self.sum(Seen::look_at);
        seen.totals = totals;
        seen
    }

    #[cfg(feature = "test-util")]
    fn clear_retired(&self) {
        *self.retired.totals.lock() = Totals::default();
        *self.retired.most.lock() = Totals::default();
    }
}

impl Retired {
    #[cfg_attr(
        not(any(feature = "metrics", feature = "opentelemetry")),
        expect(unused_variables, reason = "only exporters ask whose the counts were")
    )]
    fn new(settings: &Settings) -> Self {
        Self {
            #[cfg(any(feature = "metrics", feature = "opentelemetry"))]
            family: settings.name,
            totals: Mutex::default(),
            most: Mutex::default(),
            departed: AtomicU64::new(0),
            arrived: AtomicU64::new(0),
        }
    }
}

/// The family and all its members are gone.
#[cfg(any(feature = "metrics", feature = "opentelemetry"))]
impl Drop for Retired {
    fn drop(&mut self) {
        crate::observe::ledger::keep(self.family, self.totals.get_mut());
    }
}

/// What a member is worth keeping for, the least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Worth {
    Closed,
    /// Until then it would reject; the one whose cooldown ends first is the least loss.
    OpenUntil(Nanos),
    HalfOpen,
    /// Another thread is just making room for it.
    New,
    /// An operator's decision must not get lost.
    SetByHand,
}

impl Member {
    fn worth(&self) -> Worth {
        match self.breaker.state() {
            State::Closed if self.is_settled.load(Ordering::Relaxed) => Worth::Closed,
            State::Closed => Worth::New,
            State::Open => Worth::OpenUntil(self.breaker.deadline()),
            State::HalfOpen => Worth::HalfOpen,
            State::ForcedOpen | State::Disabled => Worth::SetByHand,
        }
    }

    fn leave_totals(&self) {
        let totals = self.breaker.snapshot().totals;
        let mut left = self.left.lock();
        let before = left.replace(Box::new(totals)).map_or_else(Totals::default, |before| *before);
        self.retired.totals.lock().add(&totals.since(&before));
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        self.leave_totals();
    }
}

impl Deref for Member {
    type Target = Breaker;

    #[inline]
    fn deref(&self) -> &Breaker {
        &self.breaker
    }
}

/// Lets the cache evict nothing but closed breakers that have settled in.
#[derive(Clone)]
struct KeepUnlessClosed;

impl<K> Lifecycle<K, Arc<Member>> for KeepUnlessClosed {
    type RequestState = ();

    fn is_pinned(&self, _: &K, member: &Arc<Member>) -> bool {
        !member.is_settled.load(Ordering::Relaxed) || member.breaker.state() != State::Closed
    }

    fn before_evict(&self, (): &mut (), _: &K, member: &mut Arc<Member>) {
        member.retired.departed.fetch_add(1, Ordering::SeqCst);
        member.leave_totals();
        member.retired.arrived.fetch_add(1, Ordering::SeqCst);
    }
}

/// Characters of a key that are shown.
const SHOWN: usize = 64;

/// `family[key]`, with the key escaped and cut: it comes from outside, and must not be able to forge
/// a line of a log or a label of a metric.
fn member_name(family: &str, key: &impl Display) -> String {
    struct Escaped<'a> {
        name: &'a mut String,
        left: usize,
    }
    impl Write for Escaped<'_> {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            for character in text.chars() {
                if self.left == 0 {
                    return Err(fmt::Error);
                }
                self.left -= 1;
                match character {
                    '[' | ']' | '{' | '}' | '=' | ',' | '`' => self.name.extend(['\\', character]),
                    _ => self.name.extend(character.escape_debug()),
                }
            }
            Ok(())
        }
    }
    let mut name = format!("{family}[");
    let cut = write!(Escaped { name: &mut name, left: SHOWN }, "{key}").is_err();
    name.push_str(if cut { "…]" } else { "]" });
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostile_key_forges_nothing_in_its_name() {
        for (key, name) in [
            ("eu.example:443", "fetch[eu.example:443]"),
            ("", "fetch[]"),
            ("a\nb\r\t\0", "fetch[a\\nb\\r\\t\\0]"),
            ("x] {a=\"b\"}", "fetch[x\\] \\{a\\=\\\"b\\\"\\}]"),
            ("\u{202e}\u{1b}[31m", "fetch[\\u{202e}\\u{1b}\\[31m]"),
            ("Zürich", "fetch[Zürich]"),
        ] {
            assert_eq!(member_name("fetch", &key), name);
        }
        assert_eq!(member_name("f", &"k".repeat(64)), format!("f[{}]", "k".repeat(64)));
        assert_eq!(member_name("f", &"k".repeat(65)), format!("f[{}…]", "k".repeat(64)));
    }
}
