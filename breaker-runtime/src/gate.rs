//! What a call sees of a breaker without its lock: one word and one deadline.
//!
//! The word holds, from the lowest bit:
//!
//! | bits | meaning |
//! |---|---|
//! | 0–2 | the state, or [`FRESH`] before the first call |
//! | 3 | the breaker is listed in the panel |
//! | 4 | the end of a call needs a clock: the window is by time, or calls are measured |
//! | 5 | the start of a call needs a clock: `slow_call` is set |
//! | 6 | that clock is the precise one |
//! | 8–63 | the generation |
//!
//! Both are written under the breaker's lock only, the deadline first: whoever reads that the state
//! is Open reads a deadline at least as new.

use crate::clock::Nanos;
use crate::policy::Policy;
use crate::state::Machine;
use crate::sync::{AtomicU64, Ordering};
use crate::transition::State;

pub(crate) struct Gate {
    word: AtomicU64,
    deadline: AtomicU64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Word(u64);

/// No call has come yet.
const FRESH: u64 = 0;
const CLOSED: u64 = 1;
const OPEN: u64 = 2;
const HALF_OPEN: u64 = 3;
const FORCED_OPEN: u64 = 4;
const DISABLED: u64 = 5;
const STATE: u64 = 0b111;
const LISTED: u64 = 1 << 3;
const ENDS_TIMED: u64 = 1 << 4;
const STARTS_TIMED: u64 = 1 << 5;
const PRECISE: u64 = 1 << 6;
const GENERATION_SHIFT: u32 = 8;

/// A `slow_call` from here on is measured with the coarse clock, whose tick is below a hundredth.
const COARSE_FROM: Nanos = 1_000_000_000;

impl Gate {
    pub(crate) const fn new() -> Self {
        Self { word: AtomicU64::new(FRESH), deadline: AtomicU64::new(0) }
    }

    #[inline]
    pub(crate) fn read(&self) -> Word {
        Word(self.word.load(Ordering::Acquire))
    }

    /// Of meaning after [`Gate::read`] said Open.
    #[inline]
    pub(crate) fn deadline(&self) -> Nanos {
        self.deadline.load(Ordering::Relaxed)
    }

    /// Shows what the machine is in now. Under the lock only.
    pub(crate) fn publish(&self, machine: &Machine) {
        if let Some(deadline) = machine.deadline() {
            self.deadline.store(deadline, Ordering::Relaxed);
        }
        let listed = self.word.load(Ordering::Relaxed) & LISTED;
        let word = state_bits(machine.state())
            | listed
            | policy_bits(&machine.policy)
            | machine.generation() << GENERATION_SHIFT;
        self.word.store(word, Ordering::Release);
    }

    /// Notes that the panel knows the breaker; true for the one caller that is to tell it. Under the
    /// lock only.
    pub(crate) fn list(&self) -> bool {
        self.word.fetch_or(LISTED, Ordering::Relaxed) & LISTED == 0
    }
}

impl Word {
    /// Closed, and no clock is to be read when a call starts.
    #[inline]
    pub(crate) fn is_closed_untimed(self) -> bool {
        self.0 & (STATE | STARTS_TIMED) == CLOSED
    }

    #[inline]
    pub(crate) fn is_closed_untimed_and_listed(self) -> bool {
        self.0 & (STATE | STARTS_TIMED | LISTED) == CLOSED | LISTED
    }

    pub(crate) fn is_listed(self) -> bool {
        self.0 & LISTED != 0
    }

    /// The state, or `None` before the first call.
    #[inline]
    pub(crate) fn state(self) -> Option<State> {
        match self.0 & STATE {
            CLOSED => Some(State::Closed),
            OPEN => Some(State::Open),
            HALF_OPEN => Some(State::HalfOpen),
            FORCED_OPEN => Some(State::ForcedOpen),
            DISABLED => Some(State::Disabled),
            _ => None,
        }
    }

    #[inline]
    pub(crate) fn generation(self) -> u64 {
        self.0 >> GENERATION_SHIFT
    }

    #[inline]
    pub(crate) fn starts_timed(self) -> bool {
        self.0 & STARTS_TIMED != 0
    }

    #[inline]
    pub(crate) fn ends_timed(self) -> bool {
        self.0 & ENDS_TIMED != 0
    }

    #[inline]
    pub(crate) fn is_precise(self) -> bool {
        self.0 & PRECISE != 0
    }
}

fn state_bits(state: State) -> u64 {
    match state {
        State::Closed => CLOSED,
        State::Open => OPEN,
        State::HalfOpen => HALF_OPEN,
        State::ForcedOpen => FORCED_OPEN,
        State::Disabled => DISABLED,
    }
}

fn policy_bits(policy: &Policy) -> u64 {
    match policy.slow_call {
        Some(slow) if slow.get() < COARSE_FROM => STARTS_TIMED | ENDS_TIMED | PRECISE,
        Some(_) => STARTS_TIMED | ENDS_TIMED,
        None if policy.by_calls => 0,
        None => ENDS_TIMED,
    }
}
