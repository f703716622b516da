//! One attempt, and which of its errors are worth another.

use backon::ExponentialBuilder;
use breakerbox::{Outcome, Rejected, classify};
use std::time::Duration;
use tokio::time::timeout;

/// What is called, and how long one attempt may take: in real life, a little longer than the slowest
/// answer that is still wanted.
#[derive(Debug, Clone)]
pub struct Target {
    /// Where it is.
    pub url: String,
    /// The limit of an attempt.
    pub limit: Duration,
}

/// Attempts for one operation, the first one included.
pub const ATTEMPTS: u32 = 3;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The service could not be reached, or answered with an error.
    #[error("no good answer")]
    Http(#[from] reqwest::Error),
    /// It did not answer in time.
    #[error("no answer in time")]
    TimedOut,
    /// A breaker was open: the service was not asked.
    #[error("not asked")]
    Rejected(#[from] Rejected),
}

impl FetchError {
    /// Whether another attempt may end better. A rejection will not, and neither will a request that
    /// the service refuses for what it is.
    #[must_use]
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Http(error) => {
                matches!(classify::reqwest_error(error), Outcome::Failure | Outcome::Throttled(_))
            }
            Self::TimedOut => true,
            Self::Rejected(rejected) => rejected.is_retryable(),
        }
    }
}

/// The pauses between attempts: growing, random, and few.
#[must_use]
pub fn pauses() -> ExponentialBuilder {
    ExponentialBuilder::new()
        .with_min_delay(Duration::from_millis(5))
        .with_max_delay(Duration::from_millis(20))
        .with_max_times(ATTEMPTS as usize - 1)
        .with_jitter()
}

/// One attempt within the limit.
///
/// # Errors
///
/// If no good answer comes in time.
pub async fn attempt(target: &Target) -> Result<String, FetchError> {
    timeout(target.limit, unlimited_attempt(target))
        .await
        .map_err(|_elapsed| FetchError::TimedOut)?
}

/// One attempt, however long it takes.
///
/// # Errors
///
/// If no good answer comes.
pub async fn unlimited_attempt(target: &Target) -> Result<String, FetchError> {
    let client = reqwest::Client::builder().no_proxy().build()?;
    Ok(client.get(&target.url).send().await?.error_for_status()?.text().await?)
}
