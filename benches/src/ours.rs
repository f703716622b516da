//! This crate: through the attribute, and through the runtime by hand.

use crate::candidates::{Broken, DAY, MOMENT, candidate, now, succeed};
use crate::floors::{self, KEYS};
use crate::measure::{Candidate, Row};
use breakerbox::{
    Breaker, Classified, Config, FromRejected, Keyed, Outcome, Rejected, State, Window,
    circuit_breaker,
};
use std::hint::black_box;
use std::thread;

pub(crate) const WHO: &str = "breakerbox";
const BY_HAND: &str = "breakerbox, by hand";

type Answer = Result<u32, Broken>;

impl From<Rejected> for Broken {
    fn from(_: Rejected) -> Self {
        Self
    }
}

#[circuit_breaker(handle = by_time_breaker)]
fn by_time(number: u32) -> Answer {
    succeed(number)
}

#[circuit_breaker(window = 100, handle = by_count_breaker)]
fn by_count(number: u32) -> Answer {
    succeed(number)
}

#[circuit_breaker(
    classify = |answer| match answer {
        Ok(number) if number % 10 == 9 => Outcome::Failure,
        _ => Outcome::Success,
    },
    handle = tenths_breaker
)]
fn in_tenths(number: u32) -> Answer {
    succeed(number)
}

#[circuit_breaker(classify = |_| Outcome::Ignored, handle = ignored_breaker)]
fn ignored(number: u32) -> Answer {
    succeed(number)
}

static OPEN: Breaker = Breaker::new("open", Config::new().threshold(1).cooldown(DAY));

/// What a caller gets who wants to know which breaker rejected the call, and for how long.
type Told = Result<u32, Rejected>;

#[expect(clippy::unnecessary_wraps, reason = "the breaker can reject it")]
fn told(number: u32) -> Told {
    Ok(black_box(number))
}

#[circuit_breaker(breaker = &OPEN)]
fn while_open(number: u32) -> Told {
    told(number)
}

#[circuit_breaker(slow_call = "200ms", handle = slow_breaker)]
fn measured(number: u32) -> Answer {
    succeed(number)
}

#[circuit_breaker(handle = async_breaker)]
async fn by_time_async(number: u32) -> Answer {
    succeed(number)
}

#[circuit_breaker(handle = shared_by_time_breaker)]
fn shared_by_time(number: u32) -> Answer {
    succeed(number)
}

#[circuit_breaker(window = 100, handle = shared_by_count_breaker)]
fn shared_by_count(number: u32) -> Answer {
    succeed(number)
}

static HALF_OPEN: Breaker = Breaker::new(
    "half-open",
    Config::new().threshold(1).cooldown(MOMENT).probes(60_000).probe_concurrency(1),
);

/// An answer of which every tenth is a failure.
struct Tenth(u32);

impl Classified for Tenth {
    #[inline]
    fn outcome(&self) -> Outcome {
        if self.0 % 10 == 9 { Outcome::Failure } else { Outcome::Success }
    }
}

impl FromRejected for Tenth {
    fn from_rejected(_: Rejected) -> Self {
        Self(0)
    }
}

/// Half-open with no probe yet.
fn half_open() {
    HALF_OPEN.reset();
    if let Ok(permit) = HALF_OPEN.acquire() {
        permit.failure();
    }
    while HALF_OPEN.state() != State::HalfOpen {
        thread::sleep(MOMENT);
        if let Ok(permit) = HALF_OPEN.acquire() {
            permit.record(Outcome::Ignored);
        }
    }
}

fn closed(breaker: &'static Breaker) -> impl Fn() -> bool {
    move || breaker.state() == State::Closed
}

/// A breaker whose window is full.
fn with_window(calls: u32) -> &'static Breaker {
    let config = Config::new().threshold(10).window(Window::Calls(calls));
    let breaker: &'static Breaker = Box::leak(Box::new(Breaker::new("window", config)));
    for _ in 0..calls {
        breaker.acquire().expect("closed").success();
    }
    breaker
}

#[circuit_breaker(key = host, capacity = 20_000)]
fn by_key(host: &str, number: u32) -> Answer {
    let _ = host;
    succeed(number)
}

static HOSTS: Keyed<String> = Keyed::new("hosts", Config::new()).capacity(2 * KEYS as usize);

pub(crate) fn all() -> Vec<Candidate> {
    static HAND_BY_TIME: Breaker = Breaker::new("by time", Config::new());
    static HAND_BY_COUNT: Breaker =
        Breaker::new("by count", Config::new().window(Window::Calls(100)));
    static HAND_ASYNC: Breaker = Breaker::new("async", Config::new());

    OPEN.acquire().expect("closed").failure();
    let is_open = || OPEN.state() == State::Open && OPEN.acquire().is_err();
    let names = floors::names();
    // One after the other, as the members of a family lie together where there is but one.
    for name in &names {
        by_key(name, 0).expect("closed");
    }
    for name in &names {
        HOSTS.get(name.as_str());
    }
    let (same_names, names_of_two) = (names.clone(), names.clone());
    let mut all = vec![
        candidate(Row::ClosedByTime, WHO, by_time, || {
            by_time(0).is_ok() && by_time_breaker().state() == State::Closed
        }),
        candidate(
            Row::ClosedByTime,
            BY_HAND,
            |number| HAND_BY_TIME.call(|| succeed(number)),
            || HAND_BY_TIME.state() == State::Closed,
        ),
        candidate(Row::ClosedByCount, WHO, by_count, closed(by_count_breaker())),
        candidate(
            Row::ClosedByCount,
            BY_HAND,
            |number| HAND_BY_COUNT.call(|| succeed(number)),
            closed(&HAND_BY_COUNT),
        ),
        candidate(Row::TenthFails, WHO, in_tenths, closed(tenths_breaker())),
        candidate(Row::Ignored, WHO, ignored, closed(ignored_breaker())),
        candidate(Row::Rejected, WHO, while_open, is_open),
        candidate(Row::Rejected, BY_HAND, |number| OPEN.call(|| told(number)), is_open),
        Candidate {
            before: Some(Box::new(half_open)),
            ..candidate(
                Row::HalfOpen,
                WHO,
                |number| HALF_OPEN.call(|| succeed(number)),
                || HALF_OPEN.state() == State::HalfOpen,
            )
        },
        candidate(Row::SlowCall, WHO, measured, closed(slow_breaker())),
        candidate(Row::Async, WHO, |number| now!(by_time_async(number)), closed(async_breaker())),
        candidate(
            Row::Async,
            BY_HAND,
            |number| now!(HAND_ASYNC.call_async(async move { succeed(number) })),
            closed(&HAND_ASYNC),
        ),
        candidate(
            Row::Keyed,
            WHO,
            move |number| by_key(&same_names[(number % KEYS) as usize], number),
            || true,
        ),
        candidate(
            Row::Keyed,
            BY_HAND,
            move |number| {
                HOSTS.get(names[(number % KEYS) as usize].as_str()).call(|| succeed(number))
            },
            || HOSTS.len() == KEYS as usize,
        ),
        candidate(Row::ByTimeTwo, WHO, shared_by_time, closed(shared_by_time_breaker())),
        candidate(Row::ByCountTwo, WHO, shared_by_count, closed(shared_by_count_breaker())),
        candidate(Row::RejectedTwo, WHO, while_open, is_open),
        candidate(
            Row::KeyedTwo,
            WHO,
            move |number| by_key(&names_of_two[(number % KEYS) as usize], number),
            || true,
        ),
    ];
    for (row, calls) in WINDOWS {
        let breaker = with_window(calls);
        all.push(candidate(
            row,
            WHO,
            |number| breaker.call(|| Tenth(number)).0,
            move || breaker.snapshot().window.calls == calls,
        ));
    }
    all
}

/// The rows of windows and how many calls they hold.
pub(crate) const WINDOWS: [(Row, u32); 3] =
    [(Row::Window10, 10), (Row::Window10Thousand, 10_000), (Row::WindowMillion, 1_000_000)];

/// By how many bytes the attribute makes a future grow, beside its arguments.
pub(crate) fn growth_of_a_future() -> usize {
    #[expect(clippy::unused_async, reason = "to be compared with an async function")]
    async fn bare(number: u32) -> Answer {
        succeed(number)
    }
    size_of_val(&by_time_async(7)) - size_of_val(&bare(7)) - size_of::<u32>()
}

/// Bytes of one of many breakers with keys, with all that its family keeps for it.
pub(crate) fn size_of_a_keyed() -> u64 {
    let family: &Keyed<String> =
        Box::leak(Box::new(Keyed::new("sizes", Config::new()).capacity(KEYS as usize)));
    let names = floors::names();
    let counted = allocation_counter::measure(|| {
        for name in &names {
            let _ = family.get(name.as_str()).call(|| succeed(0));
        }
    });
    u64::try_from(counted.bytes_current).unwrap_or(u64::MAX) / family.len() as u64
}

pub(crate) fn one() -> Breaker {
    Breaker::new("one", Config::new())
}
