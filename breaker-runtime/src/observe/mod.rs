//! Telling listeners of transitions: each exactly once, in order, outside the breaker's lock, and
//! without anyone waiting for another's listener.
//!
//! A change is queued under the breaker's lock. If nobody is telling this breaker's listeners just
//! then, whoever made the change does it, once the lock is released; else whoever is at it takes it
//! along. A listener that changes the state itself thus hears of it after it has returned.
//!
//! Below this module, each behind its feature, are those who listen or look on operators' behalf:
//! `tracing`, and the exporters `metrics` and `opentelemetry`, which fill one table of
//! `instruments` from what `collect` finds in the breakers and in the `ledger`. How all that is
//! written for those who look by themselves is in `serialize`.

#[cfg(any(feature = "metrics", feature = "opentelemetry"))]
mod collect;
#[cfg(any(feature = "metrics", feature = "opentelemetry"))]
mod instruments;
#[cfg(any(feature = "metrics", feature = "opentelemetry"))]
pub(crate) mod ledger;
#[cfg(feature = "metrics")]
pub mod metrics;
#[cfg(feature = "opentelemetry")]
pub mod opentelemetry;
#[cfg(feature = "serde")]
mod serialize;
#[cfg(feature = "tracing")]
mod tracing;

#[cfg(any(feature = "metrics", feature = "opentelemetry"))]
pub(crate) use self::collect::Seen;
#[cfg(feature = "tracing")]
pub(crate) use self::tracing::rejected;

use crate::transition::Transition;
use parking_lot::{Mutex, RwLock};
use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Breakers, by address, whose listeners are being told right now, and what they are yet to hear. A
/// breaker is borrowed for as long as it is in here, so its address is its own.
static TELLING: Mutex<BTreeMap<usize, VecDeque<Transition>>> = Mutex::new(BTreeMap::new());

/// Listeners that a feature brings along.
const BUILT_IN: &[fn(&Transition)] = &[
    #[cfg(feature = "tracing")]
    tracing::transition,
];

static SUBSCRIBERS: RwLock<Vec<fn(&Transition)>> = RwLock::new(Vec::new());

/// The duty to tell a breaker's listeners, starting with one transition.
#[must_use = "transitions would pile up for ever"]
pub(crate) struct Delivery {
    breaker: usize,
    first: Transition,
}

/// Queues a transition; who gets a [`Delivery`] is to run it after releasing the breaker's lock.
pub(crate) fn queue(breaker: usize, transition: Transition) -> Option<Delivery> {
    // Here, not when it is told: a listener that hangs must not hold the counts up.
    #[cfg(any(feature = "metrics", feature = "opentelemetry"))]
    ledger::count(&transition);
    let mut telling = TELLING.lock();
    if let Some(waiting) = telling.get_mut(&breaker) {
        waiting.push_back(transition);
        return None;
    }
    telling.insert(breaker, VecDeque::new());
    Some(Delivery { breaker, first: transition })
}

impl Delivery {
    /// Tells the listeners that features bring along, for an operator is to know even if another
    /// hangs; then the breaker's own, then the subscribers in the order in which they came.
    pub(crate) fn run(self, own: Option<fn(&Transition)>) {
        let mut next = Some(self.first);
        while let Some(transition) = next {
            let subscribers = SUBSCRIBERS.read().clone();
            let built_in = BUILT_IN.iter().copied();
            for listener in built_in.chain(own).chain(subscribers) {
                // The hook has reported the panic; the caller's result must not be lost for it. Nor
                // for what the panic carries, which could panic in turn when it is dropped.
                if let Err(carried) = catch_unwind(AssertUnwindSafe(|| listener(&transition))) {
                    std::mem::forget(carried);
                }
            }
            next = take_next(self.breaker);
        }
    }
}

/// Adds a listener to all breakers.
pub(crate) fn subscribe(subscriber: fn(&Transition)) {
    SUBSCRIBERS.write().push(subscriber);
}

/// Whether anyone but a breaker's own listener wants to know.
pub(crate) fn anyone_listens() -> bool {
    cfg!(any(feature = "metrics", feature = "opentelemetry"))
        || !BUILT_IN.is_empty()
        || !SUBSCRIBERS.read().is_empty()
}

/// For a test to begin with: as if the exporters had seen nothing.
#[cfg(all(feature = "test-util", any(feature = "metrics", feature = "opentelemetry")))]
pub(crate) fn clear() {
    ledger::clear();
    collect::clear();
}

fn take_next(breaker: usize) -> Option<Transition> {
    let mut telling = TELLING.lock();
    let next = telling.get_mut(&breaker).and_then(VecDeque::pop_front);
    if next.is_none() {
        telling.remove(&breaker);
    }
    next
}
