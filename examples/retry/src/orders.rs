//! The right order, and the ones that look as good.

use crate::client::{ATTEMPTS, FetchError, Target, attempt, pauses, unlimited_attempt};
use backon::Retryable;
use breakerbox::{circuit_breaker, classify};
use tokio::time::timeout;

/// The right one: breaker, retry, time limit, call. The breaker judges what its caller gets, so that an
/// operation is one outcome, however many attempts it took.
///
/// # Errors
///
/// If no attempt succeeds, or the breaker is open.
#[circuit_breaker(threshold = 4, rate = 0.5, classify = classify::reqwest, handle = right_breaker)]
pub async fn right(target: &Target) -> Result<String, FetchError> {
    (|| attempt(target)).retry(pauses()).when(FetchError::may_pass).await
}

/// Wrong: the retry is outside the breaker, and tries again whatever happens. Each attempt is an
/// outcome of its own, and an open breaker is asked again and again.
///
/// # Errors
///
/// If no attempt succeeds.
pub async fn retry_outside(target: &Target) -> Result<String, FetchError> {
    (|| guarded_attempt(target)).retry(pauses()).await
}

/// The part of [`retry_outside`] that its breaker guards.
///
/// # Errors
///
/// If the attempt does not succeed, or the breaker is open.
#[circuit_breaker(
    threshold = 4,
    rate = 0.5,
    classify = classify::reqwest,
    handle = retry_outside_breaker
)]
pub async fn guarded_attempt(target: &Target) -> Result<String, FetchError> {
    attempt(target).await
}

/// Wrong: the time limit is around all of it. It cuts the first attempt off that hangs, and the breaker
/// sees a call that its caller gave up, which says nothing.
///
/// # Errors
///
/// If the time is over, no attempt succeeds, or the breaker is open.
pub async fn limit_outside(target: &Target) -> Result<String, FetchError> {
    let all_attempts = target.limit * ATTEMPTS;
    timeout(all_attempts, unlimited(target)).await.map_err(|_elapsed| FetchError::TimedOut)?
}

/// The part of [`limit_outside`] that its breaker guards.
///
/// # Errors
///
/// If no attempt succeeds, or the breaker is open.
#[circuit_breaker(
    threshold = 4,
    rate = 0.5,
    classify = classify::reqwest,
    handle = limit_outside_breaker
)]
pub async fn unlimited(target: &Target) -> Result<String, FetchError> {
    (|| unlimited_attempt(target)).retry(pauses()).when(FetchError::may_pass).await
}

/// Wrong: no breaker, as many programs have it. An outage gets three times the traffic of a good day.
///
/// # Errors
///
/// If no attempt succeeds.
pub async fn no_breaker(target: &Target) -> Result<String, FetchError> {
    (|| attempt(target)).retry(pauses()).when(FetchError::may_pass).await
}
