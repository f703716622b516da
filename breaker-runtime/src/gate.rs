//! What a call sees of a breaker without its lock: one word and one time.
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
//! | 8–17 | in Closed, how many successes may still be noted |
//! | 18–63 | the generation |
//!
//! The time is that of the cooldown's end in Open, and in Closed the end of the time slice under way.
//!
//! Nearly every call of a closed breaker succeeds and changes nothing but counts. Such a success is
//! noted here, with one exchange of the word and without the lock, for as long as the machine has
//! said that it may: see [`Machine::spare`]. Whoever takes the lock brings what was noted to the
//! machine first, and nothing can be noted until the lock is given back; so the window takes in the
//! outcomes in an order in which they came, and nobody under the lock misses one.
//!
//! All else is written under the lock only. In Open the time is written before the word, in Closed
//! after it: so whoever finds the word unchanged after reading the time has read one that belongs to
//! it, or a newer one.

use crate::clock::Nanos;
use crate::policy::Policy;
use crate::state::Machine;
use crate::sync::{AtomicU64, Ordering};
use crate::transition::State;

pub(crate) struct Gate {
    word: AtomicU64,
    until: AtomicU64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Word(u64);

/// What became of a success.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Noted {
    Yes,
    /// Another thread changed the word meanwhile.
    NotYet,
    /// It is the machine's to count.
    No,
}

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
const LEFT_SHIFT: u32 = 8;
const LEFT: u64 = 0b11_1111_1111 << LEFT_SHIFT;
const GENERATION_SHIFT: u32 = 18;

/// A `slow_call` from here on is measured with the coarse clock, whose tick is below a hundredth.
const COARSE_FROM: Nanos = 1_000_000_000;

impl Gate {
    pub(crate) const fn new() -> Self {
        Self { word: AtomicU64::new(FRESH), until: AtomicU64::new(0) }
    }

    #[inline]
    pub(crate) fn read(&self) -> Word {
        Word(self.word.load(Ordering::Acquire))
    }

    /// When the cooldown ends of a breaker whose word says Open. Zero if it says so no longer: then
    /// the machine is to be asked.
    #[inline]
    pub(crate) fn deadline(&self, word: Word) -> Nanos {
        let until = self.until.load(Ordering::Acquire);
        if self.read() == word { until } else { 0 }
    }

    /// Notes a success of a call that was admitted with `admitted`. Windows by count do not look at
    /// `now`.
    #[inline]
    pub(crate) fn note(&self, admitted: Word, now: Nanos) -> Noted {
        let word = self.read();
        let is_late = (word.0 ^ admitted.0) >> GENERATION_SHIFT != 0;
        if is_late || word.0 & LEFT == 0 || now >= self.until.load(Ordering::Relaxed) {
            return Noted::No;
        }
        let noted = word.0 - (1 << LEFT_SHIFT);
        let order = (Ordering::AcqRel, Ordering::Relaxed);
        match self.word.compare_exchange(word.0, noted, order.0, order.1) {
            Ok(_) => Noted::Yes,
            Err(_) => Noted::NotYet,
        }
    }

    /// Takes out the successes that were noted, and lets none be noted until [`Gate::offer`]. Under
    /// the lock only.
    pub(crate) fn take(&self, machine: &Machine) -> u16 {
        // Nothing has changed since they were offered.
        let (offered, _) = machine.spare();
        if offered == 0 {
            return 0;
        }
        let word = self.word.fetch_and(!LEFT, Ordering::AcqRel);
        // Before the first call nobody has a permit to note anything with.
        if word & STATE == CLOSED { offered - ((word & LEFT) >> LEFT_SHIFT) as u16 } else { 0 }
    }

    /// Lets as many successes be noted as the machine can do without seeing. Under the lock only.
    pub(crate) fn offer(&self, machine: &Machine) {
        let (spare, until) = machine.spare();
        if spare > 0 {
            self.until.store(until, Ordering::Release);
            let word = self.word.load(Ordering::Relaxed);
            self.word.store(word | u64::from(spare) << LEFT_SHIFT, Ordering::Release);
        }
    }

    /// Shows what the machine is in now. Under the lock only.
    pub(crate) fn publish(&self, machine: &Machine) {
        if let Some(deadline) = machine.deadline() {
            self.until.store(deadline, Ordering::Release);
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
