//! Counts under load: what was let through is what ended and what is under way, no counter ever
//! falls, and nothing is lost where callers give up, keys are evicted and breakers are dropped.

use breakerbox::testing::Clock;
use breakerbox::{Breaker, BreakerRef, Config, Keyed, Outcome, Permit, Window};
use observe::{Exported, Page, secs};
use std::collections::BTreeMap;
use std::io;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::task::{Context, Poll, Waker};
use std::thread::ScopedJoinHandle;

const THREADS: u64 = 8;
const CALLS: u64 = 20_000;
const CONFIG: Config = Config::new().threshold(10).window(Window::Calls(50)).probes(2);

#[test]
fn counts_add_up_under_load_and_never_fall() {
    let clock = Clock::freeze();
    let (page, meter) = (Page::open(), Exported::open());
    let kept: Keyed<u64> = Keyed::new("load", CONFIG).capacity(20);
    let tally = Tally::default();
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let callers: Vec<_> = (1..=THREADS)
            .map(|seed| {
                let (clock, kept, tally) = (&clock, &kept, &tally);
                scope.spawn(move || call_at_random(seed, clock, kept, tally))
            })
            .collect();
        // A counter of `metrics` takes the highest value it is given; this one would show a fall.
        let (is_over, meter) = (&is_over, &meter);
        let watcher = scope.spawn(move || {
            let mut before = BTreeMap::<String, f64>::new();
            let mut looks = 0;
            while !is_over.load(SeqCst) || looks < 2 {
                let now = meter.counters_of("load");
                for (series, count) in &before {
                    assert!(now[series] >= *count, "{series} fell from {count} to {}", now[series]);
                }
                before = now;
                looks += 1;
            }
        });
        let callers: Vec<_> = callers.into_iter().map(ScopedJoinHandle::join).collect();
        is_over.store(true, SeqCst);
        assert!(callers.iter().all(Result::is_ok), "a caller panicked");
        watcher.join().expect("no counter fell");
    });

    let under_way = [1, 2, 3].map(|key| kept.get(&key));
    let permits: Vec<Permit<'_>> =
        under_way.iter().filter_map(|held| held.acquire().ok()).collect();
    let admitted = tally.admitted.into_inner() + permits.len() as u64;
    let rejected = tally.rejected.into_inner() + 3 - permits.len() as u64;
    assert_eq!(ended(&page) + permits.len() as u64, admitted);
    assert_eq!(sum(&counters(&page), "rejected_calls_total"), rejected);
    drop(permits);
    drop(under_way);
    assert_eq!(ended(&page), admitted);
    assert_eq!(admitted + rejected, THREADS * CALLS + 3);
    drop(kept);
    assert_eq!(ended(&page), admitted, "what was counted stays when the family is gone");
}

#[derive(Default)]
struct Tally {
    admitted: AtomicU64,
    rejected: AtomicU64,
}

/// Calls through a family that evicts all the time, and through breakers that come and go.
fn call_at_random(seed: u64, clock: &Clock, kept: &Keyed<u64>, tally: &Tally) {
    let mut random = Random(seed);
    let mut shared = Breaker::shared("load", CONFIG).expect("a valid config");
    let mut member: Option<BreakerRef> = None;
    for _ in 0..CALLS {
        match random.below(500) {
            0 => shared = Breaker::shared("load", CONFIG).expect("a valid config"),
            1..10 => clock.advance(secs(5)),
            10 => shared.reset(),
            // Held on to until the next, evicted or not.
            11..100 => member = Some(kept.get(&random.below(100))),
            _ => {}
        }
        match (random.below(3), &member) {
            (0, _) => call(&shared, &mut random, tally),
            (1, Some(member)) => call(member, &mut random, tally),
            _ => call(&kept.get(&random.below(100)), &mut random, tally),
        }
    }
}

/// One call that ends, or that its caller gives up.
fn call(breaker: &Breaker, random: &mut Random, tally: &Tally) {
    let ran = AtomicBool::new(false);
    let (fails, gives_up) = (random.below(3) == 0, random.below(4) == 0);
    if random.below(8) == 0 {
        match breaker.acquire() {
            Ok(permit) => {
                ran.store(true, SeqCst);
                permit.record(Outcome::Ignored);
            }
            Err(_rejected) => {}
        }
    } else {
        let mut call = pin!(breaker.call_async(async {
            ran.store(true, SeqCst);
            if gives_up {
                std::future::pending::<()>().await;
            }
            if fails { Err(io::Error::other("down")) } else { Ok(()) }
        }));
        let polled = call.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        assert_eq!(polled.is_pending(), gives_up && ran.load(SeqCst));
        if let Poll::Ready(Err(error)) = polled {
            assert_eq!(error.to_string() == "down", ran.load(SeqCst));
        }
    }
    let count = if ran.into_inner() { &tally.admitted } else { &tally.rejected };
    count.fetch_add(1, SeqCst);
}

/// All counters of the family.
fn counters(page: &Page) -> BTreeMap<String, f64> {
    let mut values = page.values();
    values.retain(|series, _| series.contains("_total{breaker=\"load\""));
    values
}

fn ended(page: &Page) -> u64 {
    sum(&counters(page), "calls_total")
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole and positive")]
fn sum(counters: &BTreeMap<String, f64>, metric: &str) -> u64 {
    let counts = counters.iter().filter(|(series, _)| series.split('{').next() == Some(metric));
    counts.map(|(_, count)| *count).sum::<f64>() as u64
}

/// The same numbers in every run (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}
