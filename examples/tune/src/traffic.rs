//! The calls, in the order in which they begin, and when the dependency was failing.

use crate::args::MadeUp;
use crate::text::{LONGEST, Range, exact, exact_range};
use anyhow::{Result, bail};
use breakerbox::Outcome;
use std::time::Duration;

/// The most calls of one replay.
pub const MOST_CALLS: usize = 5_000_000;

/// The calls to replay.
#[derive(Debug, Clone)]
pub struct Traffic {
    /// In the order in which they begin.
    pub calls: Vec<Call>,
    /// How much time the calls take up together.
    pub span: Duration,
    /// When the dependency was failing, in order; `None` where nobody has said.
    pub outages: Option<Vec<Range>>,
}

/// One call, as it goes if it is let through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Call {
    /// When it begins, from the beginning of the traffic.
    pub at: Duration,
    /// How long it takes.
    pub latency: Duration,
    /// How it ends.
    pub ending: Ending,
}

/// How a call ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// With a result that counts as this.
    Outcome(Outcome),
    /// Its caller gives it up.
    Cancelled,
}

impl Ending {
    /// Whether the dependency did its job.
    #[must_use]
    pub fn is_success(self) -> bool {
        self == Self::Outcome(Outcome::Success)
    }

    /// Whether it did not.
    #[must_use]
    pub fn is_failure(self) -> bool {
        matches!(self, Self::Outcome(Outcome::Failure | Outcome::Throttled(_)))
    }
}

impl Call {
    /// When it ends.
    #[must_use]
    pub fn end(&self) -> Duration {
        self.at + self.latency
    }
}

impl Traffic {
    /// How much it is: `540 calls in 3m`.
    #[must_use]
    pub fn title(&self) -> String {
        let count = self.calls.len();
        let calls = if count == 1 { "call" } else { "calls" };
        format!("{count} {calls} in {}", exact(self.span))
    }

    /// The place of the outage at that moment.
    #[must_use]
    pub fn outage_at(&self, moment: Duration) -> Option<usize> {
        self.outages.iter().flatten().position(|outage| outage.contains(moment))
    }
}

/// Calls at equal distances, that fail by chance: seldom in good times, and during the outages as often
/// as is said.
///
/// # Errors
///
/// If there would be none or too many, or an outage does not fit.
pub fn make_up(wanted: &MadeUp, outages: &[Range]) -> Result<Traffic> {
    let MadeUp { rps, duration, latency, .. } = *wanted;
    let expected = rps * duration.as_secs_f64();
    if expected > f64::from(u32::try_from(MOST_CALLS)?) {
        bail!(
            "--rps {rps} for {} are {expected:.0} calls, and more than {MOST_CALLS} are not \
             replayed: choose a lower --rps or a shorter --duration",
            exact(duration)
        );
    }
    if duration.is_zero() {
        bail!("--duration is zero: there would be no call");
    }
    let mut traffic =
        Traffic { calls: Vec::new(), span: duration, outages: Some(in_order(outages, duration)?) };
    let starts = (0_u32..).map_while(|nth| Duration::try_from_secs_f64(f64::from(nth) / rps).ok());
    let mut random = fastrand::Rng::with_seed(wanted.seed);
    for at in starts.take_while(|at| *at < duration) {
        let (error_rate, latency) = match traffic.outage_at(at) {
            Some(_) => (wanted.outage_error_rate, wanted.outage_latency.unwrap_or(latency)),
            None => (wanted.error_rate, latency),
        };
        // Both are drawn whether they matter or not, so that a call's chance stays what it was when
        // another argument changes.
        let (fails, share) = (random.f64() < error_rate, random.f64());
        let outcome = if fails { Outcome::Failure } else { Outcome::Success };
        traffic.calls.push(Call {
            at,
            latency: latency.start + latency.end.saturating_sub(latency.start).mul_f64(share),
            ending: Ending::Outcome(outcome),
        });
    }
    Ok(traffic)
}

/// The calls of a log. Outages are known only where some are given.
///
/// # Errors
///
/// If an outage does not fit.
pub fn from_log(calls: Vec<Call>, outages: &[Range]) -> Result<Traffic> {
    let span = calls.iter().map(Call::end).max().unwrap_or_default();
    // A log of one call that took no time still has a time axis.
    let span = span.clamp(Duration::from_millis(1), LONGEST);
    let outages = if outages.is_empty() { None } else { Some(in_order(outages, span)?) };
    Ok(Traffic { calls, span, outages })
}

fn in_order(outages: &[Range], span: Duration) -> Result<Vec<Range>> {
    let mut outages = outages.to_vec();
    outages.sort_by_key(|outage| outage.start);
    for pair in outages.windows(2) {
        if pair[1].start < pair[0].end {
            bail!("the outages {} and {} overlap", exact_range(pair[0]), exact_range(pair[1]));
        }
    }
    if let Some(last) = outages.last().filter(|last| last.end > span) {
        bail!(
            "the outage {} goes on after the traffic, which ends at {}",
            exact_range(*last),
            exact(span)
        );
    }
    Ok(outages)
}
