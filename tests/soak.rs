//! Everything at once, for as long as `SOAK_SECONDS` says: eight threads make calls of all kinds,
//! sync and async, that succeed, fail, panic, hang and are cancelled, while others reset, force,
//! disable and reconfigure. Afterwards all totals add up and nothing is wedged.

use breakerbox::testing::Clock;
use breakerbox::{Breaker, Config, Keyed, Outcome, Permit, Rejected, State, Window};
use futures::FutureExt;
use futures::future::{pending, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::Poll;
use std::time::{Duration, Instant};

const THREADS: u64 = 8;
const CONFIGS: [Config; 3] = [
    Config::new().threshold(10).window(Window::Calls(64)).probes(2),
    Config::new().threshold(5).consecutive(4).probes(20).probe_concurrency(15).jitter(1.0),
    Config::new().slow_call(Duration::from_millis(1)).max_failures(9).probe_timeout(COOLDOWN),
];
const COOLDOWN: Duration = Duration::from_secs(15);

#[derive(Default)]
struct Counted {
    admitted: u64,
    rejected: u64,
}

/// Numbers that look random, of a sequence of its own for each seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }
}

#[test]
fn after_all_that_totals_add_up_and_nothing_is_wedged() {
    std::panic::set_hook(Box::new(|panic| {
        if !panic.payload().is::<Expected>() {
            eprintln!("{panic}");
        }
    }));
    let clock = Clock::freeze();
    let one = Breaker::new("soaked", CONFIGS[0]);
    let family: Keyed<u64> = Keyed::new("soaked_family", CONFIGS[1]).capacity(8);
    let until = Instant::now() + Duration::from_secs(seconds());

    let counted: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (1..=THREADS)
            .map(|number| {
                let (clock, one, family) = (&clock, &one, &family);
                scope.spawn(move || soak(number, until, clock, one, family))
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("only expected panics")).collect()
    });

    let of = |count: fn(&(Counted, Counted)) -> u64| counted.iter().map(count).sum::<u64>();
    let totals = one.snapshot().totals;
    assert_eq!(totals.calls(), of(|(one, _)| one.admitted));
    assert_eq!(totals.all_rejected(), of(|(one, _)| one.rejected));
    let totals = family.totals();
    assert_eq!(totals.calls(), of(|(_, family)| family.admitted));
    assert_eq!(totals.all_rejected(), of(|(_, family)| family.rejected));

    one.reset();
    trip(&one);
    recover(&clock, &one);
    for key in 0..20 {
        recover(&clock, &family.get(&key));
    }
}

fn soak(
    number: u64,
    until: Instant,
    clock: &Clock,
    one: &Breaker,
    family: &Keyed<u64>,
) -> (Counted, Counted) {
    let mut dice = Dice(number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let (mut of_one, mut of_family) = (Counted::default(), Counted::default());
    let mut held = Vec::new();
    while Instant::now() < until {
        for _ in 0..100 {
            match dice.roll(40) {
                0 => clock.advance(Duration::from_millis(dice.roll(4_000))),
                1 => clock.advance(COOLDOWN),
                2 if dice.roll(20) == 0 => by_hand(&mut dice, one),
                3 => {
                    let seen = one.snapshot();
                    assert!(seen.window.failures <= seen.window.calls);
                    assert!(seen.probes_in_flight <= 20 && seen.probes_succeeded <= 20);
                }
                4..=8 => {
                    if let Ok(permit) = count(one.acquire(), &mut of_one) {
                        held.push(permit);
                    }
                    if held.len() > 8 {
                        // These are late, or hung probes, more often than not.
                        held.drain(..).for_each(|permit| give_back(permit, &mut dice));
                    }
                }
                9..=14 => {
                    let member = family.get(&dice.roll(20));
                    if let Ok(permit) = count(member.acquire(), &mut of_family) {
                        give_back(permit, &mut dice);
                    }
                }
                15..=24 => call(&mut dice, one, &mut of_one),
                _ => call_async(&mut dice, one, &mut of_one),
            }
        }
    }
    held.drain(..).for_each(|permit| give_back(permit, &mut dice));
    (of_one, of_family)
}

fn by_hand(dice: &mut Dice, breaker: &Breaker) {
    match dice.roll(4) {
        0 => breaker.force_open(),
        1 => breaker.disable(),
        2 => {
            let config = CONFIGS[usize::try_from(dice.roll(3)).expect("small")];
            breaker.reconfigure(config).expect("a valid config");
        }
        _ => {}
    }
    breaker.reset();
}

fn count<T>(asked: Result<T, Rejected>, counted: &mut Counted) -> Result<T, Rejected> {
    *(if asked.is_ok() { &mut counted.admitted } else { &mut counted.rejected }) += 1;
    asked
}

fn give_back(permit: Permit<'_>, dice: &mut Dice) {
    match dice.roll(6) {
        0 => permit.record(Outcome::Ignored),
        1 => permit.record(Outcome::Throttled(Duration::from_secs(dice.roll(100)))),
        2 => drop(permit),
        3 => permit.failure(),
        _ => permit.success(),
    }
}

/// What the soak panics with, and its hook keeps quiet about.
struct Expected;

fn call(dice: &mut Dice, breaker: &Breaker, counted: &mut Counted) {
    let roll = dice.roll(6);
    let mut ran = false;
    let _ = catch_unwind(AssertUnwindSafe(|| {
        breaker.call(|| {
            ran = true;
            match roll {
                0 => std::panic::panic_any(Expected),
                1 | 2 => Err(std::io::Error::other("down")),
                _ => Ok(()),
            }
        })
    }));
    *(if ran { &mut counted.admitted } else { &mut counted.rejected }) += 1;
}

fn call_async(dice: &mut Dice, breaker: &Breaker, counted: &mut Counted) {
    let (ending, polls) = (dice.roll(7), dice.roll(4));
    let mut ran = false;
    let body = async {
        ran = true;
        for _ in 0..polls {
            yield_once().await;
        }
        match ending {
            0 => std::panic::panic_any(Expected),
            1 => pending().await,
            2 | 3 => Err(std::io::Error::other("down")),
            _ => Ok(()),
        }
    };
    let mut future = Box::pin(breaker.call_async(body));
    let polled = catch_unwind(AssertUnwindSafe(|| {
        for _ in 0..=2 {
            if (&mut future).now_or_never().is_some() {
                break;
            }
        }
    }));
    drop((future, polled));
    *(if ran { &mut counted.admitted } else { &mut counted.rejected }) += 1;
}

async fn yield_once() {
    let mut yielded = false;
    poll_fn(
        |_| {
            if std::mem::replace(&mut yielded, true) { Poll::Ready(()) } else { Poll::Pending }
        },
    )
    .await;
}

fn trip(breaker: &Breaker) {
    while let Ok(permit) = breaker.acquire() {
        permit.failure();
    }
    assert_eq!(breaker.state(), State::Open);
}

/// Whatever it went through, a breaker whose calls succeed is closed again soon.
fn recover(clock: &Clock, breaker: &Breaker) {
    for _ in 0..1_000 {
        match breaker.acquire() {
            Ok(permit) => permit.success(),
            Err(_) => clock.advance(COOLDOWN),
        }
        if breaker.state() == State::Closed {
            return;
        }
    }
    panic!("wedged: {}", breaker.snapshot());
}

fn seconds() -> u64 {
    std::env::var("SOAK_SECONDS").ok().and_then(|seconds| seconds.parse().ok()).unwrap_or(1)
}
