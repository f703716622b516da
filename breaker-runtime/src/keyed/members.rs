//! The members of a family, in a concurrent cache that evicts nobody before there are `capacity` of
//! them, and then closed ones first.

use super::member::{Member, Retired, Worth};
use super::{Key, Settings};
#[cfg(any(feature = "metrics", feature = "opentelemetry"))]
use crate::observe::Seen;
use crate::panel::{self, BreakerRef, Family};
use crate::snapshot::{Snapshot, Totals};
use foldhash::SharedSeed;
use foldhash::quality::SeedableRandomState;
use parking_lot::Mutex;
use quick_cache::sync::Cache;
use quick_cache::{Equivalent, Lifecycle, OptionsBuilder, UnitWeighter};
use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::Arc;

/// Apart from [`Keyed`](super::Keyed), so that the panel can hold on to it.
pub(super) struct Members<K> {
    settings: Settings,
    cache: Cache<K, Arc<Member>, UnitWeighter, SeedableRandomState, KeepUnlessClosed>,
    retired: Arc<Retired>,
    making: Mutex<()>,
}

impl<K: Key> Members<K> {
    pub(super) fn start(settings: Settings) -> Arc<Self> {
        let options = OptionsBuilder::new()
            .estimated_items_capacity(settings.capacity)
            .weight_capacity(settings.capacity as u64)
            // Of several, each would hold its part of the capacity only, and evict before the whole
            // is full: hosts whose keys meet in one part would take the place from each other, and
            // one that is down would never be rejected.
            .shards(1)
            .build()
            .unwrap_or_else(|_| unreachable!("both capacities are given"));
        let cache = Cache::with_options(options, UnitWeighter, hasher(), KeepUnlessClosed);
        let retired = Arc::new(Retired::new(&settings));
        let members = Arc::new(Self { settings, cache, retired, making: Mutex::default() });
        panel::list_family(Arc::downgrade(&members) as _);
        members
    }

    #[inline]
    pub(super) fn find<Q: ?Sized + Hash + Equivalent<K>>(&self, key: &Q) -> Option<Arc<Member>> {
        self.cache.get(key)
    }

    pub(super) fn len(&self) -> usize {
        self.cache.len()
    }

    #[cold]
    pub(super) fn make(&self, key: &K) -> Arc<Member> {
        // Before the lock: to copy the key and to write its text is user code.
        let (kept, member) = (key.clone(), Member::new(&self.settings, key, &self.retired));
        let member = Arc::new(member);
        // One at a time: else those that are just made are the only closed ones, and for each of them
        // an open one would have to go.
        let _one_at_a_time = self.making.lock();
        if let Some(found) = self.cache.get(key) {
            return found;
        }
        self.cache.insert(kept, Arc::clone(&member));
        while self.cache.len() > self.settings.capacity && self.evict_one(key) {}
        member.settle_in();
        member
    }

    /// Where the cache found nothing to evict, as no other is closed: an open one must go.
    #[cold]
    fn evict_one(&self, newest: &K) -> bool {
        let others = self.cache.iter().filter(|(key, _)| key != newest);
        let least =
            others.map(|(key, member)| (member.worth(), key)).min_by_key(|(worth, _)| *worth);
        let Some((worth, key)) = least else { return false };
        self.retired.moving(|| {
            // Unless it has changed since: then it is looked for again.
            if let Some((_, member)) = self.cache.remove_if(&key, |member| member.worth() == worth)
            {
                member.leave_totals();
            }
        });
        true
    }

    /// What the members have counted, those that are gone too; and whatever else `look` makes of
    /// those that are there.
    pub(super) fn sum<T: Default>(&self, look: impl Fn(&mut T, &Snapshot)) -> (Totals, T) {
        let mut attempt = 0;
        loop {
            let arrived = self.retired.arrived();
            // Before the living ones: a member that moves meanwhile may be missed, never counted
            // twice.
            let mut totals = self.retired.totals();
            let mut seen = T::default();
            for (_, member) in self.cache.iter() {
                let snapshot = member.snapshot();
                totals.add(&snapshot.totals);
                look(&mut seen, &snapshot);
            }
            attempt += 1;
            // A flood of new keys could keep this up for ever; then what just moves is missed.
            if self.retired.departed() == arrived || attempt == ATTEMPTS {
                return (self.retired.at_least(&totals), seen);
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

impl<K: Key> Family for Members<K> {
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
        self.retired.clear();
    }
}

/// Lets the cache evict nothing but closed breakers that have settled in.
#[derive(Clone)]
struct KeepUnlessClosed;

impl<K> Lifecycle<K, Arc<Member>> for KeepUnlessClosed {
    type RequestState = ();

    fn is_pinned(&self, _: &K, member: &Arc<Member>) -> bool {
        member.worth() != Worth::Closed
    }

    fn before_evict(&self, (): &mut (), _: &K, member: &mut Arc<Member>) {
        member.retire();
    }
}
