//! The state machine, pure: a plain struct without lock, clock or atomics. `breaker.rs` locks it,
//! reads the time and publishes the result.
//!
//! | in | on | then |
//! |---|---|---|
//! | Closed | a call | admitted |
//! | Closed | an outcome | recorded in the window, then judged, success or failure alike |
//! | Closed | a rate at `threshold` calls or more, a run, or too many failures | Open |
//! | Open | a call before the deadline | rejected |
//! | Open | a call at or after the deadline | `HalfOpen`; the call is the first probe |
//! | `HalfOpen` | a call | a probe while `successes + in flight < probes` and a slot is free |
//! | `HalfOpen` | a call finds no slot, and the oldest probe is `probe_timeout` old | Open |
//! | `HalfOpen` | a probe succeeded | at `probes` of them Closed, with an empty window |
//! | `HalfOpen` | a probe failed, or was slow while `slow_call` is set | Open |
//! | `HalfOpen` | a probe was ignored or cancelled | its slot is free again |
//! | `ForcedOpen` | a call | rejected |
//! | Disabled | a call, an outcome | admitted; counted in the totals only |
//! | any | an outcome of an earlier generation | counted as late, otherwise dropped |
//!
//! [`Machine::admit`] and [`Machine::settle`] are that table; [`Machine::turn`] alone changes the
//! state.

use crate::clock::Nanos;
use crate::config::MILLION;
use crate::policy::Policy;
use crate::probes::Probes;
use crate::rejected::RejectedKind;
use crate::transition::{Cause, State};
use crate::window::{Counts, Mark, SlidingWindow};
use std::num::NonZero;

/// What a state change asks of the outside world, and only a state change.
pub(crate) trait Surroundings {
    /// The precise time: a cooldown that starts at a coarse one could end early.
    fn now(&self) -> Nanos;
    /// Any number, each as likely as any other: for jitter.
    fn random(&self) -> u32;
}

/// What every closed call touches stands first: together with the lock before it, it is one cache
/// line, so that two threads on one breaker pass one line to and fro.
#[repr(C)]
pub(crate) struct Machine {
    generation: u64,
    success: u64,
    failure: u64,
    phase: Phase,
    pub(crate) policy: Policy,
    totals: RareTotals,
    /// Room for what a fixed size cannot hold, made once by [`Machine::prepare`]: empty for a time
    /// window without `slow_call` and with few probes. The window uses it in Closed, the probes in
    /// `HalfOpen`.
    buffer: Option<Box<[u64]>>,
}

/// The state and what belongs to it alone. The window and the probes share their memory. (`repr(u8)`
/// keeps the fields in order, the window's counts close to the tag.)
#[derive(Clone, Copy)]
#[repr(u8)]
enum Phase {
    Closed {
        failed_recoveries: u8,
        window: SlidingWindow,
        /// From when on the next trip no longer counts as one more failed recovery.
        forgiven_at: Nanos,
    },
    Open {
        failed_recoveries: u8,
        since: Nanos,
        deadline: Nanos,
        cooldown: Nanos,
        cause: Cause,
        /// What was judged; all zero where it opened out of `HalfOpen`.
        counts: Counts,
    },
    HalfOpen {
        failed_recoveries: u8,
        probes: Probes,
        /// The cooldown that went before.
        cooldown: Nanos,
    },
    ForcedOpen {
        since: Nanos,
    },
    Disabled,
}

/// The right to one call, as the machine sees it: handed out by `admit`, given back to `settle`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) generation: u64,
    /// The slot of a probe; of no meaning in other states.
    pub(crate) slot: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Admission {
    Admitted(Token),
    Rejected(RejectedKind, Option<Nanos>),
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Success,
    Failure,
    Ignored,
    /// Given up by its caller before it had an outcome.
    Cancelled,
}

/// A state change, for whoever wants to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Turn {
    pub(crate) from: State,
    pub(crate) to: State,
    pub(crate) cause: Cause,
    pub(crate) counts: Counts,
    /// Set where `to` is Open.
    pub(crate) cooldown: Option<Nanos>,
}

/// Counts of a lifetime. They survive every state change and never fall.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Totals {
    pub(crate) success: u64,
    pub(crate) failure: u64,
    pub(crate) rare: RareTotals,
}

/// The totals that most calls leave alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct RareTotals {
    pub(crate) ignored: u64,
    pub(crate) late: u64,
    pub(crate) slow: u64,
    pub(crate) probes: u64,
    /// Time spent in Open and `ForcedOpen`, without the one under way.
    pub(crate) open: Nanos,
    pub(crate) trips: [u32; TRIP_CAUSES.len()],
}

/// The causes that lead to Open, in the order of [`RareTotals::trips`].
pub(crate) const TRIP_CAUSES: [Cause; 6] = [
    Cause::FailureRate,
    Cause::SlowRate,
    Cause::Consecutive,
    Cause::MaxFailures,
    Cause::ProbeFailed,
    Cause::ProbeLost,
];

/// No server can close us out for longer, where `max_cooldown` is unset.
const LONGEST_ASKED: Nanos = 3_600 * 1_000_000_000;

impl Machine {
    pub(crate) const fn new(policy: Policy) -> Self {
        Self {
            generation: 0,
            success: 0,
            failure: 0,
            phase: Phase::Closed {
                failed_recoveries: 0,
                window: SlidingWindow::empty(),
                forgiven_at: 0,
            },
            policy,
            totals: RareTotals {
                ignored: 0,
                late: 0,
                slow: 0,
                probes: 0,
                open: 0,
                trips: [0; TRIP_CAUSES.len()],
            },
            buffer: None,
        }
    }

    /// Makes the buffer that the policy needs: before the first call, and after a new policy.
    pub(crate) fn prepare(&mut self) {
        let words = SlidingWindow::words(&self.policy).max(Probes::words(&self.policy));
        if self.buffer.as_ref().map_or(0, |buffer| buffer.len()) < words {
            self.buffer = Some(vec![0; words].into());
        }
    }

    /// Whether a call that comes at `now` may run.
    pub(crate) fn admit(
        &mut self,
        now: Nanos,
        surroundings: &impl Surroundings,
    ) -> (Admission, Option<Turn>) {
        let mut turn = None;
        if let Phase::Open { deadline, cooldown, failed_recoveries, .. } = self.phase {
            if now < deadline {
                let left = Some(deadline - now);
                return (Admission::Rejected(RejectedKind::Open, left), None);
            }
            let probes = Probes::start(&self.policy, words(&mut self.buffer));
            let half_open = Phase::HalfOpen { probes, cooldown, failed_recoveries };
            turn = Some(self.turn(half_open, Cause::CooldownOver, now));
        }
        let mut token = Token { generation: self.generation, slot: 0 };
        match &mut self.phase {
            Phase::ForcedOpen { .. } => {
                return (Admission::Rejected(RejectedKind::ForcedOpen, None), None);
            }
            Phase::HalfOpen { probes, .. } => {
                let buffer = words(&mut self.buffer);
                let Some(slot) = probes.enter(&self.policy, buffer, now) else {
                    let oldest = probes.oldest(&self.policy, buffer);
                    if now.saturating_sub(oldest) < self.policy.probe_timeout {
                        return (Admission::Rejected(RejectedKind::ProbesBusy, None), None);
                    }
                    let turn = self.open(Cause::ProbeLost, Counts::default(), 0, surroundings);
                    return (Admission::Rejected(RejectedKind::Open, turn.cooldown), Some(turn));
                };
                token.slot = slot;
                self.totals.probes += 1;
            }
            Phase::Closed { .. } | Phase::Open { .. } | Phase::Disabled => {}
        }
        (Admission::Admitted(token), turn)
    }

    /// How many successes of this generation may be counted elsewhere and brought to
    /// [`Machine::take_in`] later, and until when: each of them would change nothing but counts.
    pub(crate) fn spare(&self) -> (u16, Nanos) {
        match &self.phase {
            Phase::Closed { window, .. } => window.spare(&self.policy),
            _ => (0, 0),
        }
    }

    /// Takes in successes that were counted elsewhere.
    pub(crate) fn take_in(&mut self, successes: u16) {
        if let Phase::Closed { window, .. } = &mut self.phase {
            window.take_in(&self.policy, words(&mut self.buffer), successes);
            self.success += u64::from(successes);
        }
    }

    /// Takes in how a call ended; a failure may have `asked` us to stay away for a while. Only a time
    /// window looks at `now`, only `slow_call` at `elapsed`; what a state change needs is asked of
    /// the surroundings.
    #[inline]
    pub(crate) fn settle(
        &mut self,
        token: Token,
        end: End,
        asked: Nanos,
        elapsed: Nanos,
        now: Nanos,
        surroundings: &impl Surroundings,
    ) -> Option<Turn> {
        if token.generation != self.generation {
            self.totals.late += 1;
            return None;
        }
        let failed = match end {
            End::Success => false,
            End::Failure => true,
            End::Cancelled if self.policy.cancelled_fails => true,
            End::Ignored | End::Cancelled => {
                self.totals.ignored += 1;
                if let Phase::HalfOpen { probes, .. } = &mut self.phase {
                    probes.leave(&self.policy, words(&mut self.buffer), token.slot);
                }
                return None;
            }
        };
        let slow = self.policy.slow_call.is_some_and(|least| elapsed >= least.get());
        if failed {
            self.failure += 1;
        } else {
            self.success += 1;
        }
        if slow {
            self.totals.slow += 1;
        }
        let Phase::Closed { window, .. } = &mut self.phase else {
            return self.settle_probe(token, failed || slow, asked, surroundings);
        };
        let mark = Mark { failed, slow };
        window.roll(&self.policy, words(&mut self.buffer), now);
        let counts = window.record(&self.policy, words(&mut self.buffer), mark);
        let cause = judge(&self.policy, counts)?;
        Some(self.open(cause, counts, asked, surroundings))
    }

    #[cold]
    fn settle_probe(
        &mut self,
        token: Token,
        failed: bool,
        asked: Nanos,
        surroundings: &impl Surroundings,
    ) -> Option<Turn> {
        let Phase::HalfOpen { probes, .. } = &mut self.phase else { return None };
        probes.leave(&self.policy, words(&mut self.buffer), token.slot);
        if failed {
            return Some(self.open(Cause::ProbeFailed, Counts::default(), asked, surroundings));
        }
        if probes.succeed() < self.policy.probes {
            return None;
        }
        Some(self.recover(surroundings.now()))
    }

    pub(crate) fn force_open(&mut self, now: Nanos) -> Turn {
        self.turn(Phase::ForcedOpen { since: now }, Cause::Manual, now)
    }

    pub(crate) fn disable(&mut self, now: Nanos) -> Turn {
        self.turn(Phase::Disabled, Cause::Manual, now)
    }

    /// Closed, as if it had never tripped; the totals stay.
    pub(crate) fn reset(&mut self, now: Nanos) -> Turn {
        // Before the new window takes the buffer over.
        let before = self.counts(now);
        let closed = self.closed(0, 0);
        let turn = self.turn(closed, Cause::Manual, now);
        Turn { counts: before, ..turn }
    }

    /// Takes a new policy. The state stays, and an open breaker its deadline, but what was counted
    /// under the old policy is dropped and calls in flight will be late.
    pub(crate) fn reconfigure(&mut self, policy: Policy, now: Nanos) -> Turn {
        let before = self.counts(now);
        self.policy = policy;
        self.prepare();
        let phase = match self.phase {
            Phase::Closed { forgiven_at, failed_recoveries, .. } => {
                self.closed(forgiven_at, failed_recoveries)
            }
            Phase::HalfOpen { cooldown, failed_recoveries, .. } => {
                let probes = Probes::start(&self.policy, words(&mut self.buffer));
                Phase::HalfOpen { probes, cooldown, failed_recoveries }
            }
            phase => phase,
        };
        let turn = self.turn(phase, Cause::Manual, now);
        Turn { counts: before, ..turn }
    }

    #[cfg(feature = "test-util")]
    pub(crate) fn clear_totals(&mut self) {
        (self.success, self.failure, self.totals) = Default::default();
    }

    pub(crate) fn state(&self) -> State {
        match self.phase {
            Phase::Closed { .. } => State::Closed,
            Phase::Open { .. } => State::Open,
            Phase::HalfOpen { .. } => State::HalfOpen,
            Phase::ForcedOpen { .. } => State::ForcedOpen,
            Phase::Disabled => State::Disabled,
        }
    }

    pub(crate) fn generation(&self) -> u64 {
        self.generation
    }

    /// When a call may come again, in Open.
    pub(crate) fn deadline(&self) -> Option<Nanos> {
        match self.phase {
            Phase::Open { deadline, .. } => Some(deadline),
            _ => None,
        }
    }

    /// Why it opened, in Open, and what was judged.
    pub(crate) fn opened(&self) -> Option<(Cause, Counts)> {
        match self.phase {
            Phase::Open { cause, counts, .. } => Some((cause, counts)),
            _ => None,
        }
    }

    /// Probes in flight and succeeded, in `HalfOpen`.
    pub(crate) fn probes(&self) -> (u16, u16) {
        match &self.phase {
            Phase::HalfOpen { probes, .. } => (probes.in_flight(), probes.succeeded()),
            _ => (0, 0),
        }
    }

    /// Whether it is in `HalfOpen` with no probe to give.
    #[cfg(feature = "tower")]
    pub(crate) fn probes_are_busy(&self) -> bool {
        matches!(&self.phase, Phase::HalfOpen { probes, .. } if probes.are_busy(&self.policy))
    }

    /// What the window holds at `now`; nothing in any state but Closed.
    pub(crate) fn counts(&self, now: Nanos) -> Counts {
        match &self.phase {
            Phase::Closed { window, .. } => {
                window.counts(&self.policy, self.buffer.as_deref().unwrap_or_default(), now)
            }
            _ => Counts::default(),
        }
    }

    /// The totals, with the time spent open so far.
    pub(crate) fn totals(&self, now: Nanos) -> Totals {
        let open = self.totals.open.saturating_add(self.open_for(now));
        let rare = RareTotals { open, ..self.totals };
        Totals { success: self.success, failure: self.failure, rare }
    }

    /// Trips or reopens, for what the window held when it was judged. `asked` is the least time that
    /// the dependency asked for.
    #[cold]
    fn open(
        &mut self,
        cause: Cause,
        counts: Counts,
        asked: Nanos,
        surroundings: &impl Surroundings,
    ) -> Turn {
        let (now, random) = (surroundings.now(), surroundings.random());
        let failed_recoveries = match self.phase {
            Phase::Closed { forgiven_at, .. } if now >= forgiven_at => 0,
            Phase::Closed { failed_recoveries, .. } | Phase::HalfOpen { failed_recoveries, .. } => {
                failed_recoveries.saturating_add(1)
            }
            _ => 0,
        };
        let cooldown = cooldown(&self.policy, failed_recoveries, asked, random);
        let deadline = now.saturating_add(cooldown);
        let open = Phase::Open { failed_recoveries, since: now, deadline, cooldown, cause, counts };
        if let Some(place) = TRIP_CAUSES.iter().position(|trip| *trip == cause) {
            self.totals.trips[place] = self.totals.trips[place].saturating_add(1);
        }
        let turn = self.turn(open, cause, now);
        Turn { counts, cooldown: Some(cooldown), ..turn }
    }

    /// Closes after enough probes. A trip before it has stayed closed as long as its last cooldown
    /// is one more recovery that failed.
    #[cold]
    fn recover(&mut self, now: Nanos) -> Turn {
        let (cooldown, failed_recoveries) = match self.phase {
            Phase::HalfOpen { cooldown, failed_recoveries, .. } => (cooldown, failed_recoveries),
            _ => (0, 0),
        };
        let closed = self.closed(now.saturating_add(cooldown), failed_recoveries);
        self.turn(closed, Cause::Recovered, now)
    }

    fn closed(&mut self, forgiven_at: Nanos, failed_recoveries: u8) -> Phase {
        let window = SlidingWindow::start(&self.policy, words(&mut self.buffer));
        Phase::Closed { window, forgiven_at, failed_recoveries }
    }

    /// Makes every change of the state, and raises the generation: what was admitted before is late
    /// from here on.
    fn turn(&mut self, phase: Phase, cause: Cause, now: Nanos) -> Turn {
        let from = self.state();
        let counts = self.counts(now);
        self.totals.open = self.totals.open.saturating_add(self.open_for(now));
        self.phase = phase;
        // A phase that a new policy leaves in place starts its time anew, as it was just counted.
        if let Phase::Open { since, .. } | Phase::ForcedOpen { since } = &mut self.phase {
            *since = now;
        }
        self.generation += 1;
        Turn { from, to: self.state(), cause, counts, cooldown: None }
    }

    fn open_for(&self, now: Nanos) -> Nanos {
        match self.phase {
            Phase::Open { since, .. } | Phase::ForcedOpen { since } => now.saturating_sub(since),
            _ => 0,
        }
    }
}

/// Whether the window's counts open the breaker, and why. Rates are compared in integers.
#[inline]
fn judge(policy: &Policy, counts: Counts) -> Option<Cause> {
    let Counts { calls, failures, slow, run } = counts;
    let reaches = |part: u32, rate: u32| {
        u64::from(part) * u64::from(MILLION) >= u64::from(calls) * u64::from(rate)
    };
    if calls >= policy.threshold {
        if reaches(failures, policy.rate) {
            return Some(Cause::FailureRate);
        }
        if policy.slow_call.is_some() && reaches(slow, policy.slow_rate) {
            return Some(Cause::SlowRate);
        }
    }
    if policy.consecutive.is_some_and(|most| run >= most.get()) {
        return Some(Cause::Consecutive);
    }
    if policy.max_failures.is_some_and(|most| failures >= most.get()) {
        return Some(Cause::MaxFailures);
    }
    None
}

/// How long to stay open: `cooldown` doubled with each failed recovery up to `max_cooldown`, or what
/// the dependency asked for where that is more, then stretched by the jitter, never shortened.
fn cooldown(policy: &Policy, failed_recoveries: u8, asked: Nanos, random: u32) -> Nanos {
    let factor = 1_u64.checked_shl(failed_recoveries.into()).unwrap_or(u64::MAX);
    let most = policy.max_cooldown.map_or(policy.cooldown, NonZero::get);
    let doubled = policy.cooldown.saturating_mul(factor).min(most);
    let most_asked = policy.max_cooldown.map_or(LONGEST_ASKED, NonZero::get);
    let least = u128::from(doubled.max(asked.min(most_asked)));
    let stretch =
        least * u128::from(policy.jitter) * u128::from(random) / (u128::from(MILLION) << u32::BITS);
    Nanos::try_from(least + stretch).unwrap_or(Nanos::MAX)
}

fn words(buffer: &mut Option<Box<[u64]>>) -> &mut [u64] {
    buffer.as_deref_mut().unwrap_or_default()
}
