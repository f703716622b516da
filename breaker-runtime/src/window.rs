//! The sliding window: counts of the recent outcomes, by time in slices or by count exactly. It
//! knows nothing of states.
//!
//! By time, the window is ten equal slices. The nine finished ones are kept newest first; the counts
//! of the slice under way are not kept at all, as they are the live totals less the nine: so an
//! outcome touches the totals only, and slices are moved when one ends. By count, a ring holds two
//! bits an outcome.
//!
//! Both need room of one kind, words of the machine's buffer: the ring, and the slow counts of the
//! finished slices. A time window without `slow_call` needs none.

use crate::clock::Nanos;
use crate::policy::Policy;

/// What the window holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Counts {
    /// Calls in the window; at `u32::MAX` nothing more is counted until some are forgotten.
    pub(crate) calls: u32,
    pub(crate) failures: u32,
    pub(crate) slow: u32,
    /// Failures in a row, of any age.
    pub(crate) run: u32,
}

/// One outcome, as the window sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) failed: bool,
    pub(crate) slow: bool,
}

/// Slices of a window by time.
const SLICES: u64 = 10;
/// Slices that are over and still count.
const FINISHED: usize = 9;
/// Outcomes in a word of the ring.
const PER_WORD: u32 = u64::BITS / 2;
/// The bits of a word of the ring that say which of its outcomes failed.
const FAILED: u64 = 0x5555_5555_5555_5555;
/// Successes that are taken in together: few enough that it is quick, as the lock is held.
const MOST_TOGETHER: u16 = 1_023;

/// What every outcome touches stands first, see `Machine`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct SlidingWindow {
    live: Counts,
    /// By time: when the slice under way ends. By count: the place in the ring of the next outcome.
    edge: u64,
    /// By time: the finished slices, newest first.
    finished: [Slice; FINISHED],
}

#[derive(Debug, Clone, Copy, Default)]
struct Slice {
    calls: u32,
    failures: u32,
}

impl SlidingWindow {
    pub(crate) const fn empty() -> Self {
        Self {
            live: Counts { calls: 0, failures: 0, slow: 0, run: 0 },
            edge: 0,
            finished: [Slice { calls: 0, failures: 0 }; FINISHED],
        }
    }

    /// An empty window that takes over the buffer. Its ring needs no clearing: a place is written
    /// before it is read.
    pub(crate) fn start(policy: &Policy, buffer: &mut [u64]) -> Self {
        if !policy.by_calls {
            let words = Self::words(policy);
            buffer[..words].fill(0);
        }
        Self::empty()
    }

    /// How many words of the buffer a window of this policy uses.
    #[expect(clippy::cast_possible_truncation, reason = "a window by count is at most a million")]
    pub(crate) const fn words(policy: &Policy) -> usize {
        if policy.by_calls {
            policy.window.div_ceil(PER_WORD as u64) as usize
        } else if policy.slow_call.is_some() {
            FINISHED
        } else {
            0
        }
    }

    /// How many successes may be taken in together, as none of them can open a breaker, and until
    /// when: of a window that was judged before, a success only lowers the rates, but for the one
    /// that completes `threshold`, and the first of a slice, with which others are forgotten.
    pub(crate) fn spare(&self, policy: &Policy) -> (u16, Nanos) {
        let calls = self.live.calls;
        let most = u32::from(MOST_TOGETHER).min(u32::MAX - calls);
        let spare = match policy.threshold - 1 {
            _ if policy.slow_call.is_some() => 0,
            last if calls <= last => most.min(last - calls),
            _ => most,
        };
        let until = if policy.by_calls { Nanos::MAX } else { self.edge };
        (u16::try_from(spare).unwrap_or(MOST_TOGETHER), until)
    }

    /// Takes in so many successes, no more than [`SlidingWindow::spare`] said.
    pub(crate) fn take_in(&mut self, policy: &Policy, buffer: &mut [u64], successes: u16) {
        if successes == 0 {
            return;
        }
        if policy.by_calls {
            self.overwrite(policy, buffer, successes.into());
        } else {
            self.live.calls += u32::from(successes);
        }
        self.live.run = 0;
    }

    /// Takes in one outcome and gives the counts with it. A window by time is to be rolled before.
    #[inline]
    pub(crate) fn record(&mut self, policy: &Policy, buffer: &mut [u64], mark: Mark) -> Counts {
        if policy.by_calls {
            self.evict(policy, buffer, mark);
        }
        let live = &mut self.live;
        // Branches rather than sums: most calls change one count, and a count that is stored and
        // then read together with its neighbour costs more than the rest of this function.
        if live.calls < u32::MAX {
            live.calls += 1;
            if mark.failed {
                live.failures += 1;
            }
            if mark.slow {
                live.slow += 1;
            }
        }
        live.run = if mark.failed { live.run.saturating_add(1) } else { 0 };
        *live
    }

    /// What the window holds at `now`, leaving it as it is.
    pub(crate) fn counts(&self, policy: &Policy, buffer: &[u64], now: Nanos) -> Counts {
        let mut then = *self;
        if self.is_due(policy, now) {
            let mut slow = [0; FINISHED];
            // Before the first call there is no buffer yet, and nothing to forget.
            if let Some(kept) = buffer.get(..FINISHED) {
                slow.copy_from_slice(kept);
            }
            then.finish_slices(policy, &mut slow, now);
        }
        then.live
    }

    /// Puts the outcome in the place of the oldest, which is forgotten where the ring is full.
    #[expect(clippy::cast_possible_truncation, reason = "a window by count is at most a million")]
    #[inline]
    fn evict(&mut self, policy: &Policy, buffer: &mut [u64], mark: Mark) {
        let place = self.edge;
        let shift = (place % u64::from(PER_WORD)) * 2;
        let word = &mut buffer[(place / u64::from(PER_WORD)) as usize];
        if u64::from(self.live.calls) == policy.window {
            let oldest = *word >> shift;
            self.live.calls -= 1;
            if oldest & 0b01 != 0 {
                self.live.failures -= 1;
            }
            if oldest & 0b10 != 0 {
                self.live.slow -= 1;
            }
        }
        let bits = u64::from(mark.failed) | u64::from(mark.slow) << 1;
        *word = *word & !(0b11 << shift) | bits << shift;
        self.edge = next(place, policy);
    }

    /// Puts successes in the places of the oldest, a word of the ring at a time.
    #[expect(clippy::cast_possible_truncation, reason = "a window by count is at most a million")]
    fn overwrite(&mut self, policy: &Policy, buffer: &mut [u64], mut successes: u64) {
        let live = &mut self.live;
        while successes > 0 {
            let room = policy.window - u64::from(live.calls);
            if room == 0 && live.failures == 0 {
                // Successes in place of others: the ring is as it was.
                self.edge = (self.edge + successes) % policy.window;
                return;
            }
            let in_word = self.edge % u64::from(PER_WORD);
            let places = (u64::from(PER_WORD) - in_word).min(policy.window - self.edge);
            let places = places.min(successes).min(if room == 0 { u64::MAX } else { room });
            let mask = u64::MAX >> (u64::from(u64::BITS) - 2 * places) << (2 * in_word);
            let word = &mut buffer[(self.edge / u64::from(PER_WORD)) as usize];
            if room == 0 {
                live.failures -= (*word & mask & FAILED).count_ones();
            } else {
                live.calls += places as u32;
            }
            *word &= !mask;
            successes -= places;
            self.edge += places;
            if self.edge == policy.window {
                self.edge = 0;
            }
        }
    }

    /// Whether a slice is over. A clock that stands still or steps back ends none, and a window by
    /// count has none.
    #[inline]
    pub(crate) fn is_due(&self, policy: &Policy, now: Nanos) -> bool {
        !policy.by_calls && now >= self.edge
    }

    /// Lets the slices that are over move on.
    pub(crate) fn roll(&mut self, policy: &Policy, buffer: &mut [u64], now: Nanos) {
        if self.is_due(policy, now) {
            self.finish_slices(policy, buffer, now);
        }
    }

    #[cold]
    fn finish_slices(&mut self, policy: &Policy, buffer: &mut [u64], now: Nanos) {
        let width = policy.window / SLICES;
        let over = (now - self.edge) / width + 1;
        let slow = if policy.slow_call.is_some() { &mut buffer[..FINISHED] } else { &mut [] };
        if over > FINISHED as u64 {
            let run = self.live.run;
            *self = Self::empty();
            self.live.run = run;
            self.edge = now.saturating_add(width);
            slow.fill(0);
            return;
        }
        for _ in 0..over {
            let older = self.finished.iter().fold(Slice::default(), |sum, slice| Slice {
                calls: sum.calls + slice.calls,
                failures: sum.failures + slice.failures,
            });
            let older_slow: u64 = slow.iter().sum();
            let forgotten = self.finished[FINISHED - 1];
            self.finished.copy_within(..FINISHED - 1, 1);
            self.finished[0] = Slice {
                calls: self.live.calls - older.calls,
                failures: self.live.failures - older.failures,
            };
            self.live.calls -= forgotten.calls;
            self.live.failures -= forgotten.failures;
            if let Some(&forgotten) = slow.last() {
                slow.copy_within(..FINISHED - 1, 1);
                slow[0] = u64::from(self.live.slow) - older_slow;
                self.live.slow -= u32::try_from(forgotten).unwrap_or(u32::MAX);
            }
        }
        self.edge = self.edge.saturating_add(over * width);
    }
}

/// The place in the ring that follows.
#[inline]
fn next(place: u64, policy: &Policy) -> u64 {
    if place + 1 == policy.window { 0 } else { place + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, Window};
    use std::collections::VecDeque;
    use std::time::Duration;

    fn policy(config: Config) -> Policy {
        Policy::new(&config.threshold(1)).expect("a valid config")
    }

    /// Numbers that look random and are the same in every run.
    fn numbers() -> impl Iterator<Item = u64> {
        std::iter::successors(Some(0x9E37_79B9_7F4A_7C15_u64), |state| {
            let state = state ^ (state << 13);
            let state = state ^ (state >> 7);
            Some(state ^ (state << 17))
        })
    }

    fn marks() -> impl Iterator<Item = Mark> {
        numbers().map(|number| Mark { failed: number % 3 == 0, slow: number % 5 == 0 })
    }

    #[test]
    fn by_count_each_size_from_1_to_300_evicts_exactly() {
        for size in 1..=300 {
            let policy = policy(Config::new().window(Window::Calls(size)));
            let mut buffer = vec![u64::MAX; SlidingWindow::words(&policy)];
            let mut window = SlidingWindow::start(&policy, &mut buffer);
            let mut naive = VecDeque::new();
            for mark in marks().take(3 * size as usize + 7) {
                let counts = window.record(&policy, &mut buffer, mark);
                naive.push_back(mark);
                if naive.len() > size as usize {
                    naive.pop_front();
                }
                let count = |of: fn(&Mark) -> bool| naive.iter().filter(|mark| of(mark)).count();
                assert_eq!(
                    (counts.calls as usize, counts.failures as usize, counts.slow as usize),
                    (naive.len(), count(|mark| mark.failed), count(|mark| mark.slow)),
                    "size {size}"
                );
            }
        }
    }

    #[test]
    fn by_count_successes_taken_in_together_are_as_many_one_by_one() {
        let mut lengths = numbers();
        for size in (1..=130).chain([1_000, 1_024, 2_000]) {
            let policy = policy(Config::new().window(Window::Calls(size)));
            let mut together = vec![u64::MAX; SlidingWindow::words(&policy)];
            let mut one_by_one = together.clone();
            let mut window = SlidingWindow::start(&policy, &mut together);
            let mut other = window;
            for number in lengths.by_ref().take(60) {
                let successes = if number % 4 == 0 { number % 1_024 } else { number % 9 };
                window.take_in(&policy, &mut together, u16::try_from(successes).unwrap());
                for _ in 0..successes {
                    other.record(&policy, &mut one_by_one, Mark { failed: false, slow: false });
                }
                assert_eq!((window.live, window.edge), (other.live, other.edge), "size {size}");
                for _ in 0..number % 3 {
                    let mark = Mark { failed: true, slow: false };
                    let counts = window.record(&policy, &mut together, mark);
                    assert_eq!(counts, other.record(&policy, &mut one_by_one, mark), "{size}");
                }
            }
        }
    }

    #[test]
    fn as_many_successes_are_spare_as_cannot_open() {
        let threshold = |threshold| {
            let config = Config::new().threshold(threshold).window(Window::Time(Duration::MAX));
            Policy::new(&config).expect("a valid config")
        };
        let mut window = SlidingWindow::empty();
        window.edge = 77;
        for (calls, least, spare) in [
            (0, 1, 0),
            (1, 1, 1_023),
            (0, 2, 1),
            (1, 2, 0),
            (2, 2, 1_023),
            (3, 20, 16),
            (19, 20, 0),
            (20, 20, 1_023),
            (0, 1_000_000, 1_023),
            (u32::MAX - 1, 20, 1),
            (u32::MAX, 20, 0),
        ] {
            window.live.calls = calls;
            assert_eq!(window.spare(&threshold(least)), (spare, 77), "{calls} of {least}");
        }
        let by_calls = policy(Config::new().window(Window::Calls(5)));
        window.live.calls = 5;
        assert_eq!(window.spare(&by_calls), (1_023, Nanos::MAX));
        let measured = policy(Config::new().slow_call(Duration::from_secs(1)));
        assert_eq!(window.spare(&measured).0, 0);
    }

    #[test]
    fn by_time_nothing_young_is_forgotten_and_nothing_old_counts() {
        const WINDOW: u64 = 10_000_000_000;
        let config = Config::new().window(Window::Time(Duration::from_nanos(WINDOW)));
        let policy = policy(config.slow_call(Duration::from_secs(1)));
        for longest_gap in [1_000, 10_000_000, 900_000_000, 4_000_000_000, 30_000_000_000] {
            let mut buffer = vec![u64::MAX; SlidingWindow::words(&policy)];
            let mut window = SlidingWindow::start(&policy, &mut buffer);
            let mut all = Vec::new();
            let mut now = 123_456_789;
            for (mark, number) in marks().zip(numbers().skip(99)).take(2_000) {
                now += number % longest_gap;
                all.push((now, mark));
                window.roll(&policy, &mut buffer, now);
                let counts = window.record(&policy, &mut buffer, mark);
                let within = |age: u64, of: fn(&Mark) -> bool| {
                    all.iter().filter(|(at, mark)| now - at <= age && of(mark)).count()
                };
                for (count, of) in [
                    (counts.calls, (|_| true) as fn(&Mark) -> bool),
                    (counts.failures, |mark| mark.failed),
                    (counts.slow, |mark| mark.slow),
                ] {
                    let young = within(WINDOW - WINDOW / SLICES - 1, of);
                    let old = within(WINDOW, of);
                    assert!((young..=old).contains(&(count as usize)), "{young} {count} {old}");
                }
            }
        }
    }

    #[test]
    fn counts_of_a_later_moment_are_those_that_a_record_would_find() {
        let policy = policy(Config::new().slow_call(Duration::from_secs(1)));
        let mut buffer = vec![0; SlidingWindow::words(&policy)];
        let mut window = SlidingWindow::start(&policy, &mut buffer);
        let mut now = 1;
        for (mark, number) in marks().zip(numbers().skip(7)).take(500) {
            now += number % 3_000_000_000;
            let before = window.counts(&policy, &buffer, now);
            assert_eq!(before, window.counts(&policy, &buffer, now));
            window.roll(&policy, &mut buffer, now);
            let after = window.record(&policy, &mut buffer, mark);
            assert_eq!(
                (before.calls + 1, before.slow + u32::from(mark.slow)),
                (after.calls, after.slow)
            );
        }
    }

    #[test]
    fn a_full_count_takes_nothing_more_until_some_is_forgotten() {
        let policy = policy(Config::new());
        let mut window = SlidingWindow::empty();
        let failure = Mark { failed: true, slow: false };
        window.record(&policy, &mut [], failure);
        window.live.calls = u32::MAX;
        let counts = window.record(&policy, &mut [], failure);
        assert_eq!((counts.calls, counts.failures, counts.run), (u32::MAX, 1, 2));
        window.roll(&policy, &mut [], 31_000_000_000);
        let counts = window.record(&policy, &mut [], failure);
        assert_eq!((counts.calls, counts.failures, counts.run), (1, 1, 3));
    }
}
