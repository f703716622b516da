//! A judged [`Config`] in the form that the state machine works with: integers only, 72 bytes.

use crate::clock::Nanos;
use crate::config::{Cancelled, Config, ConfigError, MILLION, Window, nanos, parts_per_million};
use std::num::NonZero;
use std::time::Duration;

/// What exists is valid: it is only made from a [`Config`] that passed its check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Policy {
    /// By time in nanoseconds, or by count in calls: see `by_calls`.
    pub(crate) window: u64,
    pub(crate) slow_call: Option<NonZero<Nanos>>,
    pub(crate) cooldown: Nanos,
    pub(crate) max_cooldown: Option<NonZero<Nanos>>,
    pub(crate) probe_timeout: Nanos,
    pub(crate) threshold: u32,
    /// Parts per million, like the two shares below.
    pub(crate) rate: u32,
    pub(crate) slow_rate: u32,
    pub(crate) jitter: u32,
    pub(crate) consecutive: Option<NonZero<u32>>,
    pub(crate) max_failures: Option<NonZero<u32>>,
    pub(crate) probes: u16,
    pub(crate) probe_concurrency: u16,
    pub(crate) by_calls: bool,
    pub(crate) cancelled_fails: bool,
}

impl Policy {
    #[expect(clippy::cast_possible_truncation, reason = "`check` bounds both by `u16::MAX`")]
    pub(crate) const fn new(config: &Config) -> Result<Self, ConfigError> {
        if let Err(fault) = config.check() {
            return Err(fault);
        }
        let (window, by_calls) = match config.window {
            Window::Time(time) => (nanos(time), false),
            Window::Calls(calls) => (calls as u64, true),
        };
        let probe_concurrency = match config.probe_concurrency {
            Some(at_once) => at_once,
            None => config.probes,
        };
        let slow_rate = match config.slow_rate {
            Some(rate) => parts_per_million(rate),
            None => MILLION,
        };
        Ok(Self {
            window,
            slow_call: non_zero_nanos(config.slow_call),
            cooldown: nanos(config.cooldown),
            max_cooldown: non_zero_nanos(config.max_cooldown),
            probe_timeout: nanos(config.probe_timeout),
            threshold: config.threshold,
            rate: parts_per_million(config.rate),
            slow_rate,
            jitter: parts_per_million(config.jitter),
            consecutive: non_zero(config.consecutive),
            max_failures: non_zero(config.max_failures),
            probes: config.probes as u16,
            probe_concurrency: probe_concurrency as u16,
            by_calls,
            cancelled_fails: matches!(config.cancelled, Cancelled::Failure),
        })
    }

    /// The settings in the user's terms, for a snapshot. What was left unset reads as unset, so
    /// that a setting which follows another goes on following it.
    pub(crate) fn config(&self) -> Config {
        let mut config = Config::new()
            .threshold(self.threshold)
            .rate(share(self.rate))
            .window(match u32::try_from(self.window) {
                Ok(calls) if self.by_calls => Window::Calls(calls),
                _ => Window::Time(Duration::from_nanos(self.window)),
            })
            .cooldown(Duration::from_nanos(self.cooldown))
            .jitter(share(self.jitter))
            .probes(self.probes.into())
            .probe_timeout(Duration::from_nanos(self.probe_timeout))
            .cancelled(if self.cancelled_fails { Cancelled::Failure } else { Cancelled::Ignored });
        if self.probe_concurrency < self.probes {
            config = config.probe_concurrency(self.probe_concurrency.into());
        }
        config.max_cooldown = self.max_cooldown.map(|most| Duration::from_nanos(most.get()));
        config.consecutive = self.consecutive.map(NonZero::get);
        config.max_failures = self.max_failures.map(NonZero::get);
        if let Some(slow_call) = self.slow_call {
            config = config.slow_call(Duration::from_nanos(slow_call.get()));
            config.slow_rate = (self.slow_rate < MILLION).then(|| share(self.slow_rate));
        }
        config
    }
}

fn share(parts_per_million: u32) -> f64 {
    f64::from(parts_per_million) / f64::from(MILLION)
}

const fn non_zero(value: Option<u32>) -> Option<NonZero<u32>> {
    match value {
        Some(value) => NonZero::new(value),
        None => None,
    }
}

const fn non_zero_nanos(value: Option<Duration>) -> Option<NonZero<Nanos>> {
    match value {
        Some(value) => NonZero::new(nanos(value)),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_small() {
        assert_eq!(size_of::<Policy>(), 72);
    }

    #[test]
    fn it_reads_back_as_the_config_it_was_made_from() {
        let config = Config::new()
            .threshold(7)
            .rate(0.333_333)
            .window(Window::Calls(9))
            .consecutive(3)
            .max_failures(4)
            .slow_call(Duration::from_millis(250))
            .slow_rate(0.75)
            .cooldown(Duration::from_secs(2))
            .max_cooldown(Duration::from_secs(64))
            .jitter(0.2)
            .probes(5)
            .probe_concurrency(2)
            .probe_timeout(Duration::from_secs(6))
            .cancelled(Cancelled::Failure);
        assert_eq!(Policy::new(&config).unwrap().config(), config);
        let short = Config::new().window(Window::Time(Duration::from_secs(1)));
        for config in [Config::new(), short, Config::new().slow_call(Duration::from_secs(1))] {
            assert_eq!(Policy::new(&config).unwrap().config(), config);
        }
    }
}
