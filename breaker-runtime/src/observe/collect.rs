//! The one function that looks at all breakers for the exporters.
//!
//! Breakers are summed by family: those of one [`Keyed`](crate::Keyed), and those that share a name.

use super::ledger::{self, ByFamily, Change, entry};
use crate::panel;
use crate::snapshot::{Snapshot, Totals};
use crate::transition::State;
use parking_lot::Mutex;
use std::collections::BTreeMap;

/// What the breakers of one family have counted, and what they are in now.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seen {
    pub(crate) totals: Totals,
    pub(super) transitions: Vec<(Change, u64)>,
    states: [u32; STATES.len()],
    /// The sums over the windows.
    pub(super) window_calls: f64,
    window_failures: f64,
}

const STATES: [State; 5] =
    [State::Closed, State::Open, State::HalfOpen, State::ForcedOpen, State::Disabled];

/// The most that each family was ever seen to have counted. While a breaker is on its way out, its
/// counts are neither in it nor in the ledger; a counter must not fall for that.
static MOST: Mutex<ByFamily<Totals>> = Mutex::new(BTreeMap::new());

/// Every family of the panel, also those whose breakers are all gone.
pub(super) fn collect() -> ByFamily<Seen> {
    let mut families = ByFamily::<Seen>::new();
    // Before the living ones: a breaker that goes meanwhile is then missed, which `MOST` makes up
    // for; the other way round it would be counted twice.
    for (name, totals) in ledger::gone() {
        entry(&mut families, &name).totals = totals;
    }
    let (breakers, kept) = panel::by_family();
    for breaker in breakers {
        let snapshot = breaker.snapshot();
        let seen = entry(&mut families, snapshot.family());
        seen.totals.add(&snapshot.totals);
        seen.look_at(&snapshot);
    }
    for family in kept {
        entry(&mut families, family.name()).add(&family.seen());
    }
    never_less(&mut families);
    for (name, transitions) in ledger::transitions() {
        // What the panel does not show is not shown by half.
        if let Some(seen) = families.get_mut(&name) {
            seen.transitions = transitions;
        }
    }
    families
}

#[cfg(feature = "test-util")]
pub(super) fn clear() {
    MOST.lock().clear();
}

fn never_less(families: &mut ByFamily<Seen>) {
    let mut most = MOST.lock();
    for (name, seen) in families.iter() {
        let most = entry(&mut most, name);
        *most = most.highest(&seen.totals);
    }
    for (name, most) in most.iter() {
        entry(families, name).totals = *most;
    }
}

impl Seen {
    /// How many of the breakers are in each state.
    pub(super) fn states(&self) -> impl Iterator<Item = (State, u32)> {
        STATES.into_iter().zip(self.states)
    }

    /// The share of failures in the windows; zero where they are empty.
    pub(super) fn failure_ratio(&self) -> f64 {
        if self.window_calls > 0.0 { self.window_failures / self.window_calls } else { 0.0 }
    }

    fn add(&mut self, other: &Self) {
        self.totals.add(&other.totals);
        for (breakers, others) in self.states.iter_mut().zip(other.states) {
            *breakers += others;
        }
        self.window_calls += other.window_calls;
        self.window_failures += other.window_failures;
    }

    pub(crate) fn look_at(&mut self, snapshot: &Snapshot) {
        if let Some(place) = STATES.iter().position(|state| *state == snapshot.state) {
            self.states[place] += 1;
        }
        self.window_calls += f64::from(snapshot.window.calls);
        self.window_failures += f64::from(snapshot.window.failures);
    }
}
