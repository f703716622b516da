//! `timeout`: a call that takes too long is dropped, counts as a failure, and is answered as such. The facade goes by
//! another name here, which `crate` says.

#![allow(clippy::manual_async_fn, reason = "futures are returned on purpose")]

use resilience::{Outcome, Rejected, RejectedKind, circuit_breaker};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use tokio::time::{Instant, sleep};

static DROPPED: AtomicU32 = AtomicU32::new(0);

struct Noted;

impl Drop for Noted {
    fn drop(&mut self) {
        DROPPED.fetch_add(1, Ordering::Relaxed);
    }
}

#[circuit_breaker(crate = resilience, timeout = "2s", handle = fetch_breaker)]
async fn fetch(takes: Duration) -> Result<u32, Rejected> {
    let _noted = Noted;
    sleep(takes).await;
    Ok(5)
}

const LIMIT: Duration = Duration::from_millis(1500);

#[circuit_breaker(crate = resilience, timeout = LIMIT, classify = |_| Outcome::Ignored, handle = constant_breaker)]
fn constant(takes: Duration) -> impl Future<Output = Result<u32, Rejected>> {
    async move {
        sleep(takes).await;
        Ok(5)
    }
}

#[circuit_breaker(crate = resilience, timeout = "2s", fallback = async |_| Ok(7), handle = with_fallback_breaker)]
async fn with_fallback(takes: Duration) -> Result<u32, Rejected> {
    sleep(takes).await;
    Ok(5)
}

#[tokio::test(start_paused = true)]
async fn a_call_in_time_is_judged_as_ever() {
    assert_eq!(fetch(Duration::from_millis(1999)).await.unwrap(), 5);
    assert_eq!(constant(Duration::from_secs(1)).await.unwrap(), 5);
    assert_eq!(constant_breaker().snapshot().totals.ignored, 1);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_takes_longer_is_dropped_and_failed() {
    let failures = || fetch_breaker().snapshot().totals.failure;
    let (start, before, dropped) = (Instant::now(), failures(), DROPPED.load(Ordering::Relaxed));
    let rejected = fetch(Duration::from_secs(60)).await.unwrap_err();
    assert_eq!(start.elapsed(), Duration::from_secs(2));
    assert_eq!(rejected.kind(), RejectedKind::TimedOut);
    assert_eq!(failures(), before + 1);
    assert!(DROPPED.load(Ordering::Relaxed) > dropped);
    assert_eq!(constant(Duration::from_secs(2)).await.unwrap_err().kind(), RejectedKind::TimedOut);
}

#[tokio::test(start_paused = true)]
async fn a_fallback_answers_rejections_and_hides_no_time_out() {
    let late = with_fallback(Duration::from_secs(3)).await.unwrap_err();
    assert_eq!(late.kind(), RejectedKind::TimedOut);
    with_fallback_breaker().force_open();
    assert_eq!(with_fallback(Duration::ZERO).await.unwrap(), 7);
    assert_eq!(with_fallback_breaker().snapshot().totals.fallbacks, 1);
}

#[tokio::test(start_paused = true)]
async fn a_call_cancelled_from_outside_stays_cancelled() {
    let ignored = || fetch_breaker().snapshot().totals.ignored;
    let before = ignored();
    let call = fetch(Duration::from_secs(60));
    tokio::time::timeout(Duration::from_secs(1), call).await.unwrap_err();
    assert_eq!(ignored(), before + 1);
}
