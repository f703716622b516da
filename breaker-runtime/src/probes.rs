//! The probes of one half-open phase: who holds a slot since when, and how many succeeded.
//!
//! A slot holds the time at which its probe started. The first slots are kept in place, so that the
//! usual few probes need no memory of their own; where `probe_concurrency` asks for more, all are
//! words of the machine's buffer.

use crate::clock::Nanos;
use crate::policy::Policy;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Probes {
    in_place: [Nanos; IN_PLACE],
    in_flight: u16,
    succeeded: u16,
}

/// As many as fit in the room of a closed breaker's window.
const IN_PLACE: usize = 11;
/// Later than any start of a probe.
const FREE: Nanos = Nanos::MAX;

impl Probes {
    /// No probe yet; takes over the buffer.
    pub(crate) fn start(policy: &Policy, buffer: &mut [u64]) -> Self {
        let words = Self::words(policy);
        buffer[..words].fill(FREE);
        Self { in_place: [FREE; IN_PLACE], in_flight: 0, succeeded: 0 }
    }

    /// How many words of the buffer the probes of this policy use.
    pub(crate) const fn words(policy: &Policy) -> usize {
        let at_once = policy.probe_concurrency as usize;
        if at_once > IN_PLACE { at_once } else { 0 }
    }

    /// Takes a slot, if one is free and the probes in flight could not already close the breaker.
    pub(crate) fn enter(&mut self, policy: &Policy, buffer: &mut [u64], now: Nanos) -> Option<u32> {
        if self.are_busy(policy) {
            return None;
        }
        let slots = self.slots(policy, buffer);
        let free = slots.iter().position(|start| *start == FREE)?;
        slots[free] = now.min(FREE - 1);
        self.in_flight += 1;
        u32::try_from(free).ok()
    }

    /// Whether the probes in flight could already close the breaker, or hold every slot.
    pub(crate) fn are_busy(&self, policy: &Policy) -> bool {
        let spoken_for = u32::from(self.succeeded) + u32::from(self.in_flight);
        spoken_for >= u32::from(policy.probes) || self.in_flight >= policy.probe_concurrency
    }

    /// Gives the slot back.
    pub(crate) fn leave(&mut self, policy: &Policy, buffer: &mut [u64], slot: u32) {
        self.slots(policy, buffer)[slot as usize] = FREE;
        self.in_flight -= 1;
    }

    /// Counts one more success and says how many there are.
    pub(crate) fn succeed(&mut self) -> u16 {
        self.succeeded += 1;
        self.succeeded
    }

    /// When the oldest probe in flight started; later than any time where none is.
    pub(crate) fn oldest(&mut self, policy: &Policy, buffer: &mut [u64]) -> Nanos {
        self.slots(policy, buffer).iter().copied().min().unwrap_or(FREE)
    }

    pub(crate) fn in_flight(&self) -> u16 {
        self.in_flight
    }

    pub(crate) fn succeeded(&self) -> u16 {
        self.succeeded
    }

    fn slots<'a>(&'a mut self, policy: &Policy, buffer: &'a mut [u64]) -> &'a mut [Nanos] {
        match Self::words(policy) {
            0 => &mut self.in_place[..usize::from(policy.probe_concurrency)],
            words => &mut buffer[..words],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    fn policy(probes: u32) -> Policy {
        Policy::new(&Config::new().probes(probes)).expect("a valid config")
    }

    #[test]
    fn few_probes_need_no_buffer() {
        for (probes, words) in [(1, 0), (3, 0), (11, 0), (12, 12), (40, 40)] {
            assert_eq!(Probes::words(&policy(probes)), words, "{probes} probes");
        }
    }

    #[test]
    fn slots_are_told_apart_at_the_end_of_time_too() {
        let policy = policy(3);
        let mut probes = Probes::start(&policy, &mut []);
        let slots: Vec<_> =
            (0..3).filter_map(|_| probes.enter(&policy, &mut [], Nanos::MAX)).collect();
        assert_eq!((slots, probes.in_flight()), (vec![0, 1, 2], 3));
        assert_eq!(probes.oldest(&policy, &mut []), Nanos::MAX - 1);
    }
}
