//! Every key.

use breakerbox::{Breaker, Cancelled, Config, Outcome, Rejected, Transition, circuit_breaker};
use std::future::ready;
use std::time::Duration;

const LIMIT: u32 = 30;
const PAUSE: Duration = Duration::from_secs(3);

static SHARED: Breaker = Breaker::new("shared", Config::new());

#[circuit_breaker(
    threshold = 20,
    rate = 0.5,
    window = "1m",
    consecutive = 5,
    max_failures = 50,
    slow_call = "2s",
    slow_rate = 0.8,
    cooldown = "15s",
    max_cooldown = "5m",
    jitter = 0.2,
    probes = 3,
    probe_concurrency = 1,
    probe_timeout = "30s",
    failure_if = is_severe,
    cancelled = Failure,
    name = "literals",
    handle = literals_breaker,
    on_transition = listen
)]
fn literals(number: u32) -> Result<u32, Rejected> {
    Ok(number)
}

#[circuit_breaker(
    threshold = LIMIT,
    rate = 1.0 / 3.0,
    window = LIMIT * 2,
    slow_call = PAUSE,
    cooldown = PAUSE,
    max_cooldown = Duration::from_secs(60),
    cancelled = Cancelled::Ignored,
    classify = |result| if result.is_ok() { Outcome::Success } else { Outcome::Ignored }
)]
async fn constants(number: u32) -> Result<u32, Rejected> {
    Ok(ready(number).await)
}

#[circuit_breaker(breaker = &SHARED, fallback = answer)]
fn shared(number: u32, _unused: &str) -> Result<u32, Rejected> {
    Ok(number)
}

#[circuit_breaker(breaker = &SHARED, fallback = |rejected| if number == 0 { Err(rejected) } else { Ok(number) })]
fn shared_again(number: u32) -> Result<u32, Rejected> {
    Ok(number)
}

#[circuit_breaker(fallback = |rejected| Err(rejected))]
fn passed_on(number: u32) -> Result<u32, Rejected> {
    Ok(number)
}

#[circuit_breaker(timeout = PAUSE)]
async fn limited(number: u32) -> Result<u32, Rejected> {
    Ok(ready(number).await)
}

fn answer(rejected: Rejected, number: u32, text: &str) -> Result<u32, Rejected> {
    if text.is_empty() { Ok(number) } else { Err(rejected) }
}

const fn listen(_: &Transition) {}

fn is_severe(rejected: &Rejected) -> bool {
    rejected.retry_after().is_some()
}

/// Uses them all.
///
/// # Errors
///
/// When rejected.
pub async fn all() -> Result<u32, Rejected> {
    let names = literals_breaker().name().len();
    let sum =
        literals(1)? + constants(2).await? + shared(3, "")? + shared_again(4)? + passed_on(5)?;
    Ok(sum + limited(1).await? + u32::from(names == 8))
}
