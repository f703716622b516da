//! One breaker of a family, what it is worth, and what it leaves behind: what an evicted breaker had
//! counted is added to its family's totals, so that counts never fall.

use super::Settings;
use crate::breaker::Breaker;
use crate::clock::Nanos;
use crate::name::Name;
use crate::snapshot::Totals;
use crate::transition::State;
use parking_lot::Mutex;
use std::fmt::Display;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What members that are gone have counted.
pub(super) struct Retired {
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

impl Retired {
    #[cfg_attr(
        not(any(feature = "metrics", feature = "opentelemetry")),
        expect(unused_variables, reason = "only exporters ask whose the counts were")
    )]
    pub(super) fn new(settings: &Settings) -> Self {
        Self {
            #[cfg(any(feature = "metrics", feature = "opentelemetry"))]
            family: settings.name,
            totals: Mutex::default(),
            most: Mutex::default(),
            departed: AtomicU64::new(0),
            arrived: AtomicU64::new(0),
        }
    }

    /// Does what moves a member from the cache to the totals.
    pub(super) fn moving(&self, work: impl FnOnce()) {
        self.departed.fetch_add(1, Ordering::SeqCst);
        work();
        self.arrived.fetch_add(1, Ordering::SeqCst);
    }

    pub(super) fn departed(&self) -> u64 {
        self.departed.load(Ordering::SeqCst)
    }

    pub(super) fn arrived(&self) -> u64 {
        self.arrived.load(Ordering::SeqCst)
    }

    pub(super) fn totals(&self) -> Totals {
        *self.totals.lock()
    }

    /// This sum, or the highest that was given out before.
    pub(super) fn at_least(&self, sum: &Totals) -> Totals {
        let mut most = self.most.lock();
        *most = most.highest(sum);
        *most
    }

    #[cfg(feature = "test-util")]
    pub(super) fn clear(&self) {
        *self.totals.lock() = Totals::default();
        *self.most.lock() = Totals::default();
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
pub(super) enum Worth {
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
    pub(super) fn new(settings: &Settings, key: &impl Display, retired: &Arc<Retired>) -> Self {
        let Settings { name, policy, listener, location, .. } = *settings;
        Self {
            breaker: Breaker::member(Name::member(name, key), policy, listener, location),
            retired: Arc::clone(retired),
            left: Mutex::default(),
            is_settled: AtomicBool::new(false),
        }
    }

    /// Room was made for it.
    pub(super) fn settle_in(&self) {
        self.is_settled.store(true, Ordering::Relaxed);
    }

    pub(super) fn worth(&self) -> Worth {
        match self.breaker.state() {
            State::Closed if self.is_settled.load(Ordering::Relaxed) => Worth::Closed,
            State::Closed => Worth::New,
            State::Open => Worth::OpenUntil(self.breaker.deadline()),
            State::HalfOpen => Worth::HalfOpen,
            State::ForcedOpen | State::Disabled => Worth::SetByHand,
        }
    }

    /// It is about to be evicted.
    pub(super) fn retire(&self) {
        self.retired.moving(|| self.leave_totals());
    }

    pub(super) fn leave_totals(&self) {
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
