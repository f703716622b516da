//! The members of a family, in a concurrent cache that evicts closed ones first and never holds more
//! than `capacity`.

use super::member::{Member, Retired, Worth};
use super::{Key, Settings};
#[cfg(any(feature = "metrics", feature = "opentelemetry"))]
use crate::observe::Seen;
use crate::panel::{self, BreakerRef, Family};
use crate::snapshot::{Snapshot, Totals};
use foldhash::SharedSeed;
use foldhash::quality::SeedableRandomState;
use quick_cache::sync::{Cache, GuardResult};
use quick_cache::{Equivalent, Lifecycle, OptionsBuilder, UnitWeighter};
use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::Arc;

/// Apart from [`Keyed`](super::Keyed), so that the panel can hold on to it.
pub(super) struct Members<K> {
    settings: Settings,
    cache: Cache<K, Arc<Member>, UnitWeighter, SeedableRandomState, KeepUnlessClosed>,
    retired: Arc<Retired>,
}

impl<K: Key> Members<K> {
    pub(super) fn start(settings: Settings) -> Arc<Self> {
        let options = OptionsBuilder::new()
            .estimated_items_capacity(settings.capacity)
            .weight_capacity(settings.capacity as u64)
            .build()
            .unwrap_or_else(|_| unreachable!("both capacities are given"));
        let cache = Cache::with_options(options, UnitWeighter, hasher(), KeepUnlessClosed);
        let retired = Arc::new(Retired::new(&settings));
        let members = Arc::new(Self { settings, cache, retired });
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
        let member = match self.cache.get_value_or_guard(key, None) {
            GuardResult::Guard(place) => {
                let member = Arc::new(Member::new(&self.settings, key, &self.retired));
                // Fails only where the cache was cleared meanwhile, which nobody does.
                let _ = place.insert(Arc::clone(&member));
                member
            }
            GuardResult::Value(member) => return member,
            GuardResult::Timeout => unreachable!("it was to wait for ever"),
        };
        // Again and again: two threads may choose the same one to go.
        while self.cache.len() > self.settings.capacity && self.evict_one(key) {}
        member.settle_in();
        member
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
        self.retired.moving(|| {
            if let Some((_, member)) = self.cache.remove(&key) {
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
