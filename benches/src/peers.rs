//! Other breakers, with settings as alike as they allow: half of at least twenty calls, over thirty
//! seconds or a hundred calls.

use crate::candidates::{Broken, DAY, MOMENT, candidate, fail, fail_at_times, now, succeed};
use crate::measure::{Candidate, Row};
use crate::ours::WINDOWS;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

const THRESHOLD: u32 = 20;
const RATE: f64 = 0.5;
const WINDOW: Duration = Duration::from_secs(30);
const CALLS: u32 = 100;
/// More than are made in all rounds.
const PROBES: u32 = 10_000_000;

/// The memory of a breaker.
pub(crate) struct Size {
    pub(crate) who: &'static str,
    pub(crate) bytes: u64,
}

pub(crate) fn all() -> Vec<Candidate> {
    let mut all = Vec::new();
    all.extend(failsafe_rate());
    all.extend(failsafe_run());
    all.extend(recloser());
    all.extend(breaker());
    all.extend(tower_resilience());
    all.extend(throttle_net());
    all.extend(execution_policy());
    all.extend(circuitbreaker_rs());
    all.extend(governor());
    all
}

/// How much memory each breaker takes after a thousand calls: its own and what it has on the heap.
pub(crate) fn sizes() -> Vec<Size> {
    fn grown<T>(who: &'static str, make: impl FnOnce() -> T, call: impl Fn(&T)) -> Size {
        let mut kept = None;
        let counted = allocation_counter::measure(|| {
            let breaker = make();
            for _ in 0..1_000 {
                call(&breaker);
            }
            kept = Some(breaker);
        });
        let on_the_heap = u64::try_from(counted.bytes_current).unwrap_or(0);
        Size { who, bytes: on_the_heap + size_of::<T>() as u64 }
    }
    vec![
        grown("breakerbox", crate::ours::one, |breaker| {
            let _ = breaker.call(|| succeed(0));
        }),
        grown("failsafe, rate", rate_of_failsafe, |breaker| {
            let _ = failsafe::CircuitBreaker::call(breaker, || succeed(0));
        }),
        grown("recloser", recloser_of_100, |breaker| {
            let _ = breaker.call(|| succeed(0));
        }),
        grown("breaker", breaker_of_100, |breaker| {
            let _ = now!(breaker.call(|| async { succeed(0) }));
        }),
        grown(
            "throttle-net",
            || throttle(ratio(CALLS)),
            |breaker| {
                if let Ok(Some(permit)) = breaker.try_acquire() {
                    permit.success();
                }
            },
        ),
        grown("execution-policy", policy, |policy| {
            let _ = now!(policy.run(async || succeed(0)));
        }),
        grown("circuitbreaker-rs", circuit, |breaker| {
            let _ = breaker.call(|| succeed(0));
        }),
    ]
}

type RateOfFailsafe =
    failsafe::StateMachine<failsafe::failure_policy::SuccessRateOverTimeWindow<Constant>, ()>;
type RunOfFailsafe =
    failsafe::StateMachine<failsafe::failure_policy::ConsecutiveFailures<Constant>, ()>;
type Constant = failsafe::backoff::Constant;

fn rate_of_failsafe() -> RateOfFailsafe {
    let policy = failsafe::failure_policy::success_rate_over_time_window(
        1.0 - RATE,
        THRESHOLD,
        WINDOW,
        failsafe::backoff::constant(DAY),
    );
    failsafe::Config::new().failure_policy(policy).build()
}

fn run_of_failsafe(failures: u32) -> RunOfFailsafe {
    let policy =
        failsafe::failure_policy::consecutive_failures(failures, failsafe::backoff::constant(DAY));
    failsafe::Config::new().failure_policy(policy).build()
}

fn failsafe_rate() -> Vec<Candidate> {
    use failsafe::CircuitBreaker;

    const WHO: &str = "failsafe, rate";
    let simple = |row, call: fn(u32) -> Result<u32, Broken>| {
        let breaker = Arc::new(rate_of_failsafe());
        let asked = Arc::clone(&breaker);
        candidate(
            row,
            WHO,
            move |number| breaker.call(|| call(number)),
            move || asked.is_call_permitted(),
        )
    };
    let asynchronous = rate_of_failsafe();
    vec![
        simple(Row::ClosedByTime, succeed),
        simple(Row::TenthFails, fail_at_times),
        simple(Row::ByTimeTwo, succeed),
        candidate(
            Row::Async,
            WHO,
            move |number| {
                now!(failsafe::futures::CircuitBreaker::call(&asynchronous, async move {
                    succeed(number)
                }))
            },
            || true,
        ),
    ]
}

fn failsafe_run() -> Vec<Candidate> {
    use failsafe::CircuitBreaker;

    const WHO: &str = "failsafe, run";
    let rejecting = |row| {
        let breaker = Arc::new(run_of_failsafe(1));
        let asked = Arc::clone(&breaker);
        let _ = breaker.call(|| fail(0));
        candidate(
            row,
            WHO,
            move |number| breaker.call(|| succeed(number)),
            move || !asked.is_call_permitted(),
        )
    };
    let ignoring = run_of_failsafe(5);
    vec![
        candidate(
            Row::Ignored,
            WHO,
            move |number| ignoring.call_with(|_: &Broken| false, || fail(number)),
            || true,
        ),
        rejecting(Row::Rejected),
        rejecting(Row::RejectedTwo),
    ]
}

fn recloser_with(calls: u32, wait: Duration) -> recloser::Recloser {
    recloser::Recloser::custom()
        .error_rate(0.5)
        .closed_len(calls as usize)
        .half_open_len(PROBES as usize)
        .open_wait(wait)
        .build()
}

fn recloser_of_100() -> recloser::Recloser {
    recloser::Recloser::custom().error_rate(0.5).closed_len(CALLS as usize).half_open_len(3).build()
}

fn recloser() -> Vec<Candidate> {
    use recloser::{AsyncRecloser, Error};

    const WHO: &str = "recloser";
    let simple = |row, calls, call: fn(u32) -> Result<u32, Broken>| {
        let breaker = Arc::new(recloser_with(calls, DAY));
        for _ in 0..calls {
            let _ = breaker.call(|| succeed(0));
        }
        let asked = Arc::clone(&breaker);
        candidate(
            row,
            WHO,
            move |number| breaker.call(|| call(number)),
            move || asked.call(|| succeed(0)).is_ok(),
        )
    };
    let open = |wait| {
        let breaker = recloser_with(1, wait);
        for _ in 0..2 {
            let _ = breaker.call(|| fail(0));
        }
        assert!(matches!(breaker.call(|| succeed(0)), Err(Error::Rejected)), "it is open");
        Arc::new(breaker)
    };
    let rejecting = |row| {
        let breaker = open(DAY);
        let asked = Arc::clone(&breaker);
        candidate(
            row,
            WHO,
            move |number| breaker.call(|| succeed(number)),
            move || matches!(asked.call(|| succeed(0)), Err(Error::Rejected)),
        )
    };
    let ignoring = recloser_with(CALLS, DAY);
    let half_open = open(MOMENT);
    thread::sleep(5 * MOMENT);
    let asked = Arc::clone(&half_open);
    let asynchronous = AsyncRecloser::from(recloser_with(CALLS, DAY));
    let mut all = vec![
        simple(Row::ClosedByCount, CALLS, succeed),
        simple(Row::TenthFails, CALLS, fail_at_times),
        simple(Row::ByCountTwo, CALLS, succeed),
        candidate(
            Row::Ignored,
            WHO,
            move |number| ignoring.call_with(|_: &Broken| false, || fail(number)),
            || true,
        ),
        rejecting(Row::Rejected),
        rejecting(Row::RejectedTwo),
        candidate(
            Row::HalfOpen,
            WHO,
            move |number| half_open.call(|| succeed(number)),
            move || asked.call(|| succeed(0)).is_ok(),
        ),
        candidate(
            Row::Async,
            WHO,
            move |number| now!(asynchronous.call(async move { succeed(number) })),
            || true,
        ),
    ];
    all.extend(WINDOWS.map(|(row, calls)| simple(row, calls, fail_at_times)));
    all
}

fn breaker_with(calls: u32, wait: Duration) -> breaker::CircuitBreaker {
    let config = breaker::CircuitBreakerConfig::builder()
        .failure_rate_threshold(0.5)
        .consecutive_failures(u32::MAX)
        .sliding_window_size(calls)
        .minimum_calls(THRESHOLD.min(calls))
        .wait_duration(wait)
        .success_threshold(PROBES)
        .failure_predicate(|broken: &Broken| {
            let Broken = broken;
            true
        });
    breaker::CircuitBreaker::new(config.build())
}

fn breaker_of_100() -> breaker::CircuitBreaker {
    breaker_with(CALLS, DAY)
}

fn breaker() -> Vec<Candidate> {
    const WHO: &str = "breaker";
    type Function = fn(u32) -> Result<u32, Broken>;

    let with = |row, breaker: breaker::CircuitBreaker, call: Function, state| {
        let breaker = Arc::new(breaker);
        let asked = Arc::clone(&breaker);
        candidate(
            row,
            WHO,
            move |number| now!(breaker.call(|| async move { call(number) })),
            move || asked.state() == state,
        )
    };
    let closed = |row, calls, call: Function| {
        let breaker = breaker_with(calls, DAY);
        for _ in 0..calls {
            breaker.record_success();
        }
        with(row, breaker, call, breaker::State::Closed)
    };
    let tripped = |row, wait, state| {
        let breaker = breaker_with(CALLS, wait);
        breaker.trip();
        with(row, breaker, succeed, state)
    };
    let half_open = tripped(Row::HalfOpen, MOMENT, breaker::State::HalfOpen);
    thread::sleep(5 * MOMENT);
    let mut all = vec![
        closed(Row::ClosedByCount, CALLS, succeed),
        closed(Row::TenthFails, CALLS, fail_at_times),
        closed(Row::Async, CALLS, succeed),
        closed(Row::ByCountTwo, CALLS, succeed),
        tripped(Row::Rejected, DAY, breaker::State::Open),
        tripped(Row::RejectedTwo, DAY, breaker::State::Open),
        half_open,
    ];
    all.extend(WINDOWS.map(|(row, calls)| closed(row, calls, fail_at_times)));
    all
}

fn tower_resilience() -> Vec<Candidate> {
    use tower::{Layer, Service, service_fn};
    use tower_resilience_circuitbreaker::{CircuitBreakerLayer, SlidingWindowType};

    const WHO: &str = "tower-resilience";
    type Function = fn(u32) -> Result<u32, Broken>;

    // A service cannot be called through a shared reference: each round calls a clone of its own.
    let with = |row, by_time: bool, slow: bool, call: Function, open: bool| {
        let mut layer = CircuitBreakerLayer::builder()
            .failure_rate_threshold(RATE)
            .sliding_window_size(CALLS as usize)
            .minimum_number_of_calls(THRESHOLD as usize)
            .wait_duration_in_open(DAY);
        if by_time {
            layer = layer
                .sliding_window_type(SlidingWindowType::TimeBased)
                .sliding_window_duration(WINDOW);
        }
        if slow {
            layer = layer.slow_call_duration_threshold(Duration::from_millis(200));
        }
        let service = layer
            .build()
            .expect("valid settings")
            .layer(service_fn(move |number: u32| async move { call(number) }));
        if open {
            let mut failing = service.clone();
            let fails = now!(failing.call(9)).is_err();
            assert!(fails, "the function fails");
            for _ in 0..CALLS {
                let _ = now!(failing.call(9));
            }
        }
        let asked = service.clone();
        let service = std::sync::Mutex::new(service);
        Candidate {
            row,
            who: WHO,
            calls: Box::new(move |calls| {
                let mut service = service.lock().expect("nothing panics").clone();
                for number in 0..calls {
                    std::hint::black_box(&now!(service.call(number)));
                }
            }),
            is_ready: Box::new(move || asked.is_open() == open),
            before: None,
        }
    };
    vec![
        with(Row::ClosedByTime, true, false, succeed, false),
        with(Row::ClosedByCount, false, false, succeed, false),
        with(Row::TenthFails, false, false, fail_at_times, false),
        with(Row::SlowCall, false, true, succeed, false),
        with(Row::Async, false, false, succeed, false),
        with(Row::Rejected, false, false, fail_at_times, true),
    ]
}

/// What `throttle-net` asks its breaker to guard: a limiter, here one without a limit.
struct Unlimited;

impl throttle_net::Limiter for Unlimited {
    fn peek(&self, _: u32) -> throttle_net::Decision {
        throttle_net::Decision::Acquired
    }

    fn acquire_cost(&self, _: u32) -> throttle_net::Decision {
        throttle_net::Decision::Acquired
    }

    fn available(&self) -> u32 {
        u32::MAX
    }

    fn capacity(&self) -> u32 {
        u32::MAX
    }
}

type Throttle = throttle_net::CircuitBreaker<Unlimited>;

fn throttle(trip: throttle_net::Trip) -> Throttle {
    throttle_net::CircuitBreaker::builder().trip(trip).cooldown(DAY).build(Unlimited)
}

fn ratio(calls: u32) -> throttle_net::Trip {
    throttle_net::Trip::Ratio { window: calls, ratio: RATE, min_calls: THRESHOLD.min(calls) }
}

fn throttle_net() -> Vec<Candidate> {
    use throttle_net::{BreakerState, Trip};

    const WHO: &str = "throttle-net";
    let with = |row, breaker: Throttle, call: fn(u32) -> Result<u32, Broken>, state| {
        let breaker = Arc::new(breaker);
        let asked = Arc::clone(&breaker);
        let one = move |number| {
            let permit = breaker.try_acquire().ok()??;
            let answer = call(number);
            if answer.is_ok() {
                permit.success();
            } else {
                permit.failure();
            }
            Some(answer)
        };
        candidate(row, WHO, one, move || asked.state() == state)
    };
    let closed = |row, trip, call| with(row, throttle(trip), call, BreakerState::Closed);
    let open = |row| {
        let breaker = throttle(Trip::Consecutive(1));
        breaker.record_failure();
        with(row, breaker, succeed, BreakerState::Open)
    };
    let by_time = Trip::Windowed { failures: u32::MAX, period: WINDOW };
    let asynchronous = throttle(ratio(CALLS));
    let mut all = vec![
        closed(Row::ClosedByTime, by_time, succeed),
        closed(Row::ClosedByCount, ratio(CALLS), succeed),
        closed(Row::TenthFails, ratio(CALLS), fail_at_times),
        closed(Row::ByTimeTwo, by_time, succeed),
        closed(Row::ByCountTwo, ratio(CALLS), succeed),
        open(Row::Rejected),
        open(Row::RejectedTwo),
        candidate(
            Row::Async,
            WHO,
            move |number| now!(asynchronous.call(|| async move { succeed(number) })),
            || true,
        ),
    ];
    all.extend(WINDOWS.map(|(row, calls)| {
        let breaker = throttle(ratio(calls));
        for _ in 0..calls {
            breaker.record_success();
        }
        with(row, breaker, fail_at_times, BreakerState::Closed)
    }));
    all
}

type Policy = execution_policy::ExecutionPolicy<execution_policy::DefaultCore, u32, Broken>;

fn policy() -> Policy {
    let breaker = execution_policy::CircuitBreaker::failure_ratio()
        .ratio(RATE)
        .minimum_throughput(THRESHOLD)
        .sampling_window(WINDOW)
        .open_for(DAY);
    execution_policy::ExecutionPolicyBuilder::new().circuit_breaker(breaker).build()
}

fn execution_policy() -> Vec<Candidate> {
    use execution_policy::BreakerState;

    const WHO: &str = "execution-policy";
    let with = |row, policy: Policy, call: fn(u32) -> Result<u32, Broken>, state| {
        let policy = Arc::new(policy);
        let asked = Arc::clone(&policy);
        candidate(
            row,
            WHO,
            move |number| now!(policy.run(async || call(number))),
            move || asked.circuit_state() == Some(state),
        )
    };
    let open = |row| {
        let policy = policy();
        for _ in 0..CALLS {
            let _ = now!(policy.run(async || fail(0)));
        }
        with(row, policy, succeed, BreakerState::Open)
    };
    vec![
        with(Row::ClosedByTime, policy(), succeed, BreakerState::Closed),
        with(Row::TenthFails, policy(), fail_at_times, BreakerState::Closed),
        with(Row::Async, policy(), succeed, BreakerState::Closed),
        with(Row::ByTimeTwo, policy(), succeed, BreakerState::Closed),
        open(Row::Rejected),
        open(Row::RejectedTwo),
    ]
}

type Circuit = circuitbreaker_rs::CircuitBreaker<circuitbreaker_rs::DefaultPolicy, Broken>;

fn circuit() -> Circuit {
    Circuit::builder()
        .failure_threshold(RATE)
        .min_throughput(THRESHOLD.into())
        .consecutive_failures(u64::MAX)
        .cooldown(DAY)
        .build()
}

/// It counts since its last change of state, over no window at all; each call is timed.
fn circuitbreaker_rs() -> Vec<Candidate> {
    use circuitbreaker_rs::State;

    const WHO: &str = "circuitbreaker-rs";
    let with = |row, breaker: Circuit, call: fn(u32) -> Result<u32, Broken>, state| {
        let breaker = Arc::new(breaker);
        let asked = Arc::clone(&breaker);
        candidate(
            row,
            WHO,
            move |number| breaker.call(|| call(number)),
            move || asked.current_state() == state,
        )
    };
    let open = |row| {
        let breaker = circuit();
        breaker.force_open();
        with(row, breaker, succeed, State::Open)
    };
    vec![
        with(Row::TenthFails, circuit(), fail_at_times, State::Closed),
        with(Row::SlowCall, circuit(), succeed, State::Closed),
        open(Row::Rejected),
        open(Row::RejectedTwo),
    ]
}

/// No breaker but a rate limiter, which decides on every call by the clock too.
fn governor() -> Vec<Candidate> {
    use governor::{Quota, RateLimiter};
    use std::num::NonZero;

    const WHO: &str = "governor (a limiter)";
    let most = RateLimiter::direct(Quota::per_second(NonZero::<u32>::MAX));
    let least = RateLimiter::direct(Quota::with_period(DAY).expect("not zero"));
    let _ = least.check();
    let keyed = RateLimiter::keyed(Quota::per_second(NonZero::<u32>::MAX));
    let names = crate::floors::names();
    for name in &names {
        let _ = keyed.check_key(name);
    }
    vec![
        candidate(Row::ClosedByTime, WHO, move |_| most.check().is_ok(), || true),
        candidate(Row::Rejected, WHO, move |_| least.check().is_err(), || true),
        candidate(
            Row::Keyed,
            WHO,
            move |number| keyed.check_key(&names[number as usize % names.len()]).is_ok(),
            || true,
        ),
    ]
}
