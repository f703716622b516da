//! How a candidate is measured: in short rounds, in turn with all others, so that a busy machine or
//! a changing clock rate hits all alike; the median of the rounds counts.

use crate::floors::KEYS;
use std::hint::spin_loop;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Makes that many calls.
pub(crate) type Calls = Box<dyn Fn(u32) + Send + Sync>;

/// One way to do what a row names.
pub(crate) struct Candidate {
    pub(crate) row: Row,
    pub(crate) who: &'static str,
    pub(crate) calls: Calls,
    /// Whether the breaker is in the state that the row names; it may make a call to find out.
    pub(crate) is_ready: Box<dyn Fn() -> bool>,
    /// What has to be done before each round, untimed.
    pub(crate) before: Option<Box<dyn Fn()>>,
}

/// What is measured, in the order of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Row {
    Empty,
    EmptyAsync,
    Load,
    Coarse,
    Precise,
    Lock,
    ClosedByTime,
    ClosedByCount,
    TenthFails,
    Ignored,
    Rejected,
    HalfOpen,
    SlowCall,
    Async,
    KeyLookUp,
    Keyed,
    Window10,
    Window10Thousand,
    WindowMillion,
    LockTwo,
    FetchAddTwo,
    CoarseFetchAddTwo,
    ByTimeTwo,
    ByCountTwo,
    RejectedTwo,
    KeyLookUpTwo,
    KeyedTwo,
}

impl Row {
    fn threads(self) -> u32 {
        if self >= Self::LockTwo { 2 } else { 1 }
    }

    fn has_keys(self) -> bool {
        matches!(self, Self::KeyLookUp | Self::Keyed | Self::KeyLookUpTwo | Self::KeyedTwo)
    }
}

/// Nanoseconds of one call.
pub(crate) struct Measured {
    pub(crate) row: Row,
    pub(crate) who: &'static str,
    pub(crate) nanos: f64,
    /// Allocations of one call.
    pub(crate) allocations: f64,
}

const ROUNDS: usize = 301;
/// How long a round is to take: long beside the reading of a clock, short beside a time slice.
const ROUND: Duration = Duration::from_micros(100);
/// A round of two threads has to outlast their start.
const LONG_ROUND: Duration = Duration::from_micros(400);
/// Few enough that the probes of a half-open breaker last for all rounds.
const MOST_CALLS: u32 = 20_000;

pub(crate) fn measure(candidates: &[Candidate]) -> Vec<Measured> {
    for candidate in candidates {
        prepare(candidate);
        assert!(
            (candidate.is_ready)(),
            "{} is not in the state of {:?}",
            candidate.who,
            candidate.row
        );
    }
    let calls: Vec<u32> = candidates.iter().map(calls_of_a_round).collect();
    let mut rounds = vec![Vec::with_capacity(ROUNDS); candidates.len()];
    for number in 0..ROUNDS {
        for ((candidate, calls), rounds) in candidates.iter().zip(&calls).zip(&mut rounds) {
            // Those of two threads are long, and may be repeated.
            if candidate.row.threads() == 2 && number % 3 != 0 {
                continue;
            }
            prepare(candidate);
            rounds.push(round(candidate, *calls));
        }
    }
    let allocations = candidates.iter().zip(&calls).map(|(candidate, calls)| {
        prepare(candidate);
        let counted = allocation_counter::measure(|| (candidate.calls)(*calls));
        #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
        let total = counted.count_total as f64;
        total / f64::from(*calls)
    });
    let allocations: Vec<f64> = allocations.collect();
    for candidate in candidates {
        prepare(candidate);
        assert!((candidate.is_ready)(), "{} left {:?}", candidate.who, candidate.row);
    }
    candidates
        .iter()
        .zip(rounds)
        .zip(allocations)
        .map(|((candidate, mut rounds), allocations)| {
            rounds.sort_by(f64::total_cmp);
            let Candidate { row, who, .. } = *candidate;
            Measured { row, who, nanos: rounds[rounds.len() / 2], allocations }
        })
        .collect()
}

fn prepare(candidate: &Candidate) {
    if candidate.row.has_keys() {
        // Else the memory of its keys would be cold from the other candidates.
        (candidate.calls)(KEYS);
    }
    if let Some(before) = &candidate.before {
        before();
    }
}

/// As many as fill the time of a round, or go through all keys.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positive and small")]
fn calls_of_a_round(candidate: &Candidate) -> u32 {
    if candidate.row.has_keys() {
        return KEYS;
    }
    let mut fastest = f64::MAX;
    for _ in 0..10 {
        prepare(candidate);
        fastest = fastest.min(round(candidate, 100));
    }
    let time = if candidate.row.threads() == 1 { ROUND } else { LONG_ROUND };
    let fitting = time.as_secs_f64() * 1e9 / fastest.max(0.1);
    (fitting as u32).clamp(1, MOST_CALLS)
}

/// Nanoseconds of one call: the time in which all threads made their calls, by all calls.
fn round(candidate: &Candidate, calls: u32) -> f64 {
    if candidate.row.threads() == 1 {
        let start = Instant::now();
        (candidate.calls)(calls);
        return start.elapsed().as_secs_f64() * 1e9 / f64::from(calls);
    }
    for _ in 0..ATTEMPTS {
        let (time, overlap) = round_of_two(&candidate.calls, calls);
        if overlap >= LEAST_OVERLAP {
            return time;
        }
    }
    round_of_two(&candidate.calls, calls).0
}

/// A machine with other work often lets two threads run one after the other, without a contest.
const ATTEMPTS: u32 = 4;
/// The share of a round in which both are to run.
const LEAST_OVERLAP: f64 = 0.8;

/// Nanoseconds of one call, and the share of the time in which both threads made calls.
fn round_of_two(make: &Calls, calls: u32) -> (f64, f64) {
    let origin = Instant::now();
    let arrived = AtomicU32::new(0);
    let run = || {
        arrived.fetch_add(1, Ordering::SeqCst);
        while arrived.load(Ordering::SeqCst) < 2 {
            spin_loop();
        }
        let start = origin.elapsed();
        make(calls);
        (start.as_secs_f64(), origin.elapsed().as_secs_f64())
    };
    let (one, other) = thread::scope(|scope| {
        let other = scope.spawn(run);
        (run(), other.join().expect("no call panics"))
    });
    let all = one.1.max(other.1) - one.0.min(other.0);
    let both = one.1.min(other.1) - one.0.max(other.0);
    (all * 1e9 / f64::from(2 * calls), both / all)
}
