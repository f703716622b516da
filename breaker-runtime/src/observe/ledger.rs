//! What is counted beside the breakers, by family: their transitions, and what those that are gone
//! had counted. Written when a state changes or a breaker is dropped, never by a call.

use crate::snapshot::Totals;
use crate::transition::{Cause, State, Transition};
use parking_lot::Mutex;
use std::collections::BTreeMap;

/// Counts by the family's name. Both maps grow with the names that programs give, not with keys.
pub(super) type ByFamily<T> = BTreeMap<Box<str>, T>;

/// A way from one state to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) from: State,
    pub(super) to: State,
    pub(super) cause: Cause,
}

static TRANSITIONS: Mutex<ByFamily<Vec<(Change, u64)>>> = Mutex::new(BTreeMap::new());
static GONE: Mutex<ByFamily<Totals>> = Mutex::new(BTreeMap::new());

/// Counts a transition. Under its breaker's lock, so that it is counted as soon as it can be seen.
pub(super) fn count(transition: &Transition) {
    let Transition { from, to, cause, .. } = *transition;
    let change = Change { from, to, cause };
    let mut transitions = TRANSITIONS.lock();
    let counts = entry(&mut transitions, transition.family());
    match counts.iter_mut().find(|(counted, _)| *counted == change) {
        Some((_, count)) => *count += 1,
        None => counts.push((change, 1)),
    }
}

/// Keeps what a breaker had counted that is about to be gone.
pub(crate) fn keep(family: &str, totals: &Totals) {
    entry(&mut GONE.lock(), family).add(totals);
}

pub(super) fn transitions() -> ByFamily<Vec<(Change, u64)>> {
    TRANSITIONS.lock().clone()
}

pub(super) fn gone() -> ByFamily<Totals> {
    GONE.lock().clone()
}

#[cfg(feature = "test-util")]
pub(super) fn clear() {
    TRANSITIONS.lock().clear();
    GONE.lock().clear();
}

/// The counts of this family.
pub(super) fn entry<'a, T: Default>(counts: &'a mut ByFamily<T>, family: &str) -> &'a mut T {
    counts.entry(family.into()).or_default()
}
