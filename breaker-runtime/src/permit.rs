//! The right to make one call, given back exactly once.

use crate::breaker::Breaker;
use crate::clock::Nanos;
use crate::config::nanos;
use crate::gate::Word;
use crate::outcome::Outcome;
use crate::state::End;
use std::fmt;

/// The right to make one call, from [`Breaker::acquire`]. Say how the call ended with
/// [`success`](Self::success), [`failure`](Self::failure) or [`record`](Self::record).
///
/// A permit that is dropped instead counts as cancelled: `Ignored`, or a failure where the breaker
/// says `cancelled = Failure`. If it is dropped because the thread panics, and the panic began after
/// the permit was acquired, it counts as a failure. Either way a probe gives its slot back.
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::{Breaker, Config};
///
/// static SEARCH: Breaker = Breaker::new("search", Config::new());
///
/// let permit = SEARCH.acquire()?;
/// match "42".parse::<u32>() {
///     Ok(_) => permit.success(),
///     Err(_) => permit.failure(),
/// }
/// # Ok::<(), breakerbox::Rejected>(())
/// ```
#[must_use = "a permit that is dropped counts its call as cancelled"]
// Four words, each written as a whole. It moves often, and what is copied by words can be read at once;
// what was pieced together from parts has to reach the cache first, which costs a call 4 ns.
pub struct Permit<'a> {
    breaker: &'a Breaker,
    word: Word,
    /// When the call started; zero where nobody measures it.
    started: Nanos,
    slot: Slot,
}

/// A permit without its breaker. Nothing happens where it is dropped, so nobody but a lease has it.
#[cfg(feature = "tower")]
pub(crate) struct Detached {
    word: Word,
    started: Nanos,
    slot: Slot,
}

/// The slot of a probe in the lower half, and in the upper one what it means if the permit is
/// dropped.
#[derive(Clone, Copy)]
struct Slot(u64);

/// What it means if the permit is dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dropped {
    /// A panic if the thread is panicking, else a cancelled call.
    Unknown,
    /// A cancelled call: the future is between two polls, or the thread panicked before.
    Cancelled,
    /// A panic: user code is running right now.
    Panicked,
    /// Nothing: the outcome was recorded.
    Settled,
}

impl<'a> Permit<'a> {
    #[inline]
    pub(crate) fn new(breaker: &'a Breaker, word: Word, started: Nanos, slot: u32) -> Self {
        Self { breaker, word, started, slot: Slot::new(slot, Dropped::Unknown) }
    }

    /// The call succeeded.
    ///
    /// ```
    /// # use breaker_runtime::{Breaker, Config};
    /// # static SEARCH: Breaker = Breaker::new("search", Config::new());
    /// SEARCH.acquire()?.success();
    /// assert_eq!(SEARCH.snapshot().totals.success, 1);
    /// # Ok::<(), breaker_runtime::Rejected>(())
    /// ```
    #[inline]
    pub fn success(self) {
        self.record(Outcome::Success);
    }

    /// The call failed.
    ///
    /// ```
    /// # use breaker_runtime::{Breaker, Config};
    /// # static SEARCH: Breaker = Breaker::new("search", Config::new());
    /// SEARCH.acquire()?.failure();
    /// assert_eq!(SEARCH.snapshot().totals.failure, 1);
    /// # Ok::<(), breaker_runtime::Rejected>(())
    /// ```
    #[inline]
    pub fn failure(self) {
        self.record(Outcome::Failure);
    }

    /// The call ended as `outcome` says.
    ///
    /// ```
    /// # use breaker_runtime::{Breaker, Config, Outcome};
    /// # use std::time::Duration;
    /// # static SEARCH: Breaker = Breaker::new("search", Config::new());
    /// SEARCH.acquire()?.record(Outcome::Throttled(Duration::from_secs(40)));
    /// # Ok::<(), breaker_runtime::Rejected>(())
    /// ```
    #[inline]
    pub fn record(mut self, outcome: Outcome) {
        self.when_dropped(Dropped::Settled);
        self.settle_as(outcome);
    }

    /// Takes it from its breaker, for a lease to keep. What a drop means stays as it is.
    #[cfg(feature = "tower")]
    pub(crate) fn detach(self) -> Detached {
        let Self { word, started, slot, .. } = self;
        std::mem::forget(self);
        Detached { word, started, slot }
    }

    /// Brings it back to the breaker that it was taken from.
    #[cfg(feature = "tower")]
    pub(crate) fn attach(breaker: &'a Breaker, Detached { word, started, slot }: Detached) -> Self {
        Self { breaker, word, started, slot }
    }

    #[cfg(feature = "tokio")]
    pub(crate) fn breaker(&self) -> &'a Breaker {
        self.breaker
    }

    /// Says what a drop from here on means.
    #[inline]
    pub(crate) fn when_dropped(&mut self, dropped: Dropped) {
        self.slot = Slot::new(self.slot.number(), dropped);
    }

    /// Records the outcome where the permit cannot be moved. Only the first counts: a future may be
    /// polled again after it panicked.
    #[inline]
    pub(crate) fn settle(&mut self, outcome: Outcome) {
        if !self.slot.is_settled() {
            self.when_dropped(Dropped::Settled);
            self.settle_as(outcome);
        }
    }

    #[inline]
    fn settle_as(&self, outcome: Outcome) {
        let (end, asked) = match outcome {
            Outcome::Success => (End::Success, 0),
            Outcome::Failure => (End::Failure, 0),
            Outcome::Ignored => (End::Ignored, 0),
            Outcome::Throttled(after) => (End::Failure, nanos(after)),
        };
        self.breaker.settle(self.word, self.slot.number(), self.started, end, asked);
    }
}

impl Drop for Permit<'_> {
    #[inline]
    fn drop(&mut self) {
        if !self.slot.is_settled() {
            settle_dropped(self);
        }
    }
}

#[cold]
fn settle_dropped(permit: &Permit<'_>) {
    let panicked = permit.slot.means(Dropped::Panicked)
        || permit.slot.means(Dropped::Unknown) && std::thread::panicking();
    let end = if panicked { End::Failure } else { End::Cancelled };
    permit.breaker.settle(permit.word, permit.slot.number(), permit.started, end, 0);
}

impl Slot {
    #[inline]
    fn new(number: u32, dropped: Dropped) -> Self {
        Self(u64::from(number) | (dropped as u64) << u32::BITS)
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the lower half")]
    fn number(self) -> u32 {
        self.0 as u32
    }

    #[inline]
    fn means(self, dropped: Dropped) -> bool {
        self.0 >> u32::BITS == dropped as u64
    }

    #[inline]
    fn is_settled(self) -> bool {
        self.means(Dropped::Settled)
    }
}

impl fmt::Debug for Permit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Permit").field("breaker", &self.breaker.name()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::Permit;
    use crate::{Breaker, Config};

    #[test]
    fn it_is_small() {
        assert!(size_of::<Permit<'_>>() <= 32, "{} bytes", size_of::<Permit<'_>>());
    }

    #[test]
    fn it_names_its_breaker() {
        let breaker = Breaker::new("search", Config::new());
        let permit = breaker.acquire().expect("closed");
        assert_eq!(format!("{permit:?}"), "Permit { breaker: \"search\", .. }");
        permit.success();
    }

    #[test]
    fn it_may_cross_threads() {
        fn sendable<T: Send + Sync>() {}
        sendable::<Permit<'_>>();
    }
}
