//! What a user asks of a breaker, and the one function that judges it.
//!
//! A [`Config`] may hold anything; [`Config::check`] says whether it makes sense. Only a checked one
//! becomes the compact policy that the state machine works with (`policy.rs`).

use crate::clock::Nanos;
use std::fmt;
use std::time::Duration;

/// The settings of a breaker. Every setter is `const`, so that a `static` breaker is made, and its
/// settings are judged, while the program is compiled. With the feature `serde` a file may say them
/// in the words of the attribute: durations as text (`cooldown = "1m 30s"`), the window as `"30s"` or
/// a number of calls, what is missing is the default, and what is unknown or makes no sense is an
/// error.
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::{Breaker, Config, Window};
/// use std::time::Duration;
///
/// static SEARCH: Breaker = Breaker::new(
///     "search",
///     Config::new().threshold(50).rate(0.25).window(Window::Calls(200)).cooldown(Duration::from_secs(5)),
/// );
/// ```
///
/// A wrong value does not compile:
///
/// ```compile_fail,E0080
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::{Breaker, Config};
///
/// static SEARCH: Breaker = Breaker::new("search", Config::new().rate(1.5));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
#[must_use = "a Config does nothing until a Breaker is made from it"]
pub struct Config {
    /// See [`Config::threshold()`].
    pub threshold: u32,
    /// See [`Config::rate()`].
    pub rate: f64,
    /// See [`Config::window()`].
    pub window: Window,
    /// See [`Config::consecutive()`].
    pub consecutive: Option<u32>,
    /// See [`Config::max_failures()`].
    pub max_failures: Option<u32>,
    /// See [`Config::slow_call()`].
    pub slow_call: Option<Duration>,
    /// See [`Config::slow_rate()`].
    pub slow_rate: Option<f64>,
    /// See [`Config::cooldown()`].
    pub cooldown: Duration,
    /// See [`Config::max_cooldown()`].
    pub max_cooldown: Option<Duration>,
    /// See [`Config::jitter()`].
    pub jitter: f64,
    /// See [`Config::probes()`].
    pub probes: u32,
    /// See [`Config::probe_concurrency()`].
    pub probe_concurrency: Option<u32>,
    /// See [`Config::probe_timeout()`].
    pub probe_timeout: Duration,
    /// See [`Config::cancelled()`].
    pub cancelled: Cancelled,
}

/// Which recent calls are judged together.
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::{Config, Window};
/// use std::time::Duration;
///
/// assert!(Config::new().window(Window::Time(Duration::from_secs(60))).check().is_ok());
/// assert!(Config::new().threshold(20).window(Window::Calls(10)).check().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Window {
    /// The calls that ended in the last so much time, kept in ten equal slices: a call is forgotten
    /// between nine and ten tenths of this time after it ended.
    Time(Duration),
    /// The last so many calls, exactly.
    Calls(u32),
}

/// What a dropped future counts as.
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::{Cancelled, Config};
///
/// // Callers give up on this dependency when it hangs: that is a verdict.
/// let config = Config::new().cancelled(Cancelled::Failure);
/// # let _ = config;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Cancelled {
    /// It says nothing about the dependency.
    #[cfg_attr(feature = "serde", serde(alias = "Ignored"))]
    Ignored,
    /// The caller's patience is the time-out, so it counts against the dependency.
    #[cfg_attr(feature = "serde", serde(alias = "Failure"))]
    Failure,
}

/// The largest `threshold`, and the most calls that a window by count holds.
pub(crate) const MOST_CALLS: u32 = 1_000_000;
/// The most probes of one half-open phase.
pub(crate) const MOST_PROBES: u32 = u16::MAX as u32;
/// Rates and shares are held in parts per million, so that they are compared in integers.
pub(crate) const MILLION: u32 = 1_000_000;
/// The shortest window by time: below it, slices are shorter than a tick of the coarse clock.
const SHORTEST_WINDOW: Duration = Duration::from_millis(10);
/// The shortest cooldown and probe time-out.
const SHORTEST_WAIT: Duration = Duration::from_millis(1);

/// Documents a setter's bounds once, and keeps all of them one line long.
macro_rules! setters {
    ($($(#[$doc:meta])* $name:ident: $type:ty => $stored:expr;)*) => {$(
        $(#[$doc])*
        pub const fn $name(mut self, $name: $type) -> Self {
            self.$name = $stored;
            self
        }
    )*};
}

impl Config {
    /// The defaults: half of at least 20 calls within 30 seconds opens for 15 seconds, three probes
    /// close.
    ///
    /// ```
    /// # use breaker_runtime::Config;
    /// assert_eq!(Config::new().check(), Ok(()));
    /// ```
    pub const fn new() -> Self {
        Self {
            threshold: 20,
            rate: 0.5,
            window: Window::Time(Duration::from_secs(30)),
            consecutive: None,
            max_failures: None,
            slow_call: None,
            slow_rate: None,
            cooldown: Duration::from_secs(15),
            max_cooldown: None,
            jitter: 0.0,
            probes: 3,
            probe_concurrency: None,
            probe_timeout: Duration::from_secs(60),
            cancelled: Cancelled::Ignored,
        }
    }

    setters! {
        /// Calls that the window must hold before a rate is judged: 1 to 1,000,000; 20 by default.
        ///
        /// ```
        /// # use breaker_runtime::Config;
        /// assert_eq!(Config::new().threshold(0).check().unwrap_err().field(), "threshold");
        /// ```
        threshold: u32 => threshold;
        /// The share of failures that opens: above 0, at most 1, at least one in a million, and
        /// compared in whole parts per million; 0.5 by default.
        ///
        /// ```
        /// # use breaker_runtime::Config;
        /// assert_eq!(Config::new().rate(f64::NAN).check().unwrap_err().field(), "rate");
        /// ```
        rate: f64 => rate;
        /// The recent calls that are judged: a time of at least 10 ms, or a count of at least
        /// `threshold` and at most 1,000,000; the last 30 seconds by default.
        ///
        /// ```
        /// # use breaker_runtime::{Config, Window};
        /// assert_eq!(Config::new().threshold(100).window(Window::Calls(100)).check(), Ok(()));
        /// ```
        window: Window => window;
        /// A run of failures, at least 1, that opens whatever the rate and the threshold; off by
        /// default. At most the calls of a window by count, which opens at the latest when it holds
        /// nothing but failures.
        ///
        /// ```
        /// # use breaker_runtime::Config;
        /// assert_eq!(Config::new().consecutive(5).check(), Ok(()));
        /// ```
        consecutive: u32 => Some(consecutive);
        /// Failures in the window, at least 1, that open whatever the rate; off by default. At most
        /// the calls of a window by count.
        ///
        /// ```
        /// # use breaker_runtime::Config;
        /// assert_eq!(Config::new().max_failures(100).check(), Ok(()));
        /// ```
        max_failures: u32 => Some(max_failures);
        /// A call that takes at least this long, above zero, is slow; off by default. Below a
        /// second it is measured with the precise clock, otherwise with the coarse one.
        ///
        /// ```
        /// # use {breaker_runtime::Config, std::time::Duration};
        /// assert_eq!(Config::new().slow_call(Duration::from_secs(2)).check(), Ok(()));
        /// ```
        slow_call: Duration => Some(slow_call);
        /// The share of slow calls that opens, bounded as `rate`; needs `slow_call`; 1.0 by default.
        ///
        /// ```
        /// # use breaker_runtime::Config;
        /// assert_eq!(Config::new().slow_rate(0.5).check().unwrap_err().field(), "slow_rate");
        /// ```
        slow_rate: f64 => Some(slow_rate);
        /// The least time that the breaker stays open, at least 1 ms; 15 seconds by default.
        ///
        /// ```
        /// # use {breaker_runtime::Config, std::time::Duration};
        /// assert_eq!(Config::new().cooldown(Duration::ZERO).check().unwrap_err().field(), "cooldown");
        /// ```
        cooldown: Duration => cooldown;
        /// The ceiling of the cooldown, which doubles with each recovery that fails in a row; at
        /// least `cooldown`, and equal to it by default.
        ///
        /// ```
        /// # use {breaker_runtime::Config, std::time::Duration};
        /// assert_eq!(Config::new().max_cooldown(Duration::from_secs(300)).check(), Ok(()));
        /// ```
        max_cooldown: Duration => Some(max_cooldown);
        /// Stretches each cooldown by a random share of up to this much, 0 to 1, so that a fleet
        /// does not probe in step; 0 by default.
        ///
        /// ```
        /// # use breaker_runtime::Config;
        /// assert_eq!(Config::new().jitter(0.2).check(), Ok(()));
        /// ```
        jitter: f64 => jitter;
        /// Probes that must succeed to close: 1 to 65,535; 3 by default.
        ///
        /// ```
        /// # use breaker_runtime::Config;
        /// assert_eq!(Config::new().probes(1).check(), Ok(()));
        /// ```
        probes: u32 => probes;
        /// Probes in flight at once, 1 to `probes`, and equal to it by default.
        ///
        /// ```
        /// # use breaker_runtime::Config;
        /// assert_eq!(Config::new().probes(10).probe_concurrency(2).check(), Ok(()));
        /// ```
        probe_concurrency: u32 => Some(probe_concurrency);
        /// How long a probe may be in flight before a call that finds no free slot gives it up; at
        /// least 1 ms; 60 seconds by default.
        ///
        /// ```
        /// # use {breaker_runtime::Config, std::time::Duration};
        /// assert_eq!(Config::new().probe_timeout(Duration::from_secs(10)).check(), Ok(()));
        /// ```
        probe_timeout: Duration => probe_timeout;
        /// What a dropped future counts as; ignored by default.
        ///
        /// ```
        /// # use breaker_runtime::{Cancelled, Config};
        /// assert_eq!(Config::new().cancelled(Cancelled::Failure).check(), Ok(()));
        /// ```
        cancelled: Cancelled => cancelled;
    }

    /// Judges the whole.
    ///
    /// # Errors
    ///
    /// The first fault found, in the order of the fields.
    ///
    /// ```
    /// # extern crate breaker_runtime as breakerbox;
    /// use breakerbox::Config;
    ///
    /// let fault = Config::new().threshold(0).check().unwrap_err();
    /// assert_eq!(fault.to_string(), "`threshold` is 0: it must be from 1 to 1,000,000");
    /// ```
    pub const fn check(&self) -> Result<(), ConfigError> {
        use ConfigError as E;
        if self.threshold == 0 || self.threshold > MOST_CALLS {
            return Err(E::Threshold { value: self.threshold });
        }
        if !is_share(self.rate) {
            return Err(E::Rate { value: self.rate });
        }
        match self.window {
            Window::Time(time) if shorter(time, SHORTEST_WINDOW) => {
                return Err(E::WindowTime { value: time });
            }
            Window::Calls(calls) if calls > MOST_CALLS => {
                return Err(E::WindowCalls { value: calls });
            }
            Window::Calls(calls) if calls < self.threshold => {
                return Err(E::WindowBelowThreshold { value: calls, threshold: self.threshold });
            }
            _ => {}
        }
        if let Some(value) = self.consecutive {
            match self.window {
                _ if value == 0 => return Err(E::Consecutive { value }),
                // A window full of failures has opened the breaker before, whatever the rate.
                Window::Calls(window) if value > window => {
                    return Err(E::ConsecutiveAboveWindow { value, window });
                }
                _ => {}
            }
        }
        if let Some(value) = self.max_failures {
            match self.window {
                _ if value == 0 => return Err(E::MaxFailures { value }),
                Window::Calls(window) if value > window => {
                    return Err(E::MaxFailuresAboveWindow { value, window });
                }
                _ => {}
            }
        }
        if let Some(Duration::ZERO) = self.slow_call {
            return Err(E::SlowCall { value: Duration::ZERO });
        }
        if let Some(rate) = self.slow_rate {
            if !is_share(rate) {
                return Err(E::SlowRate { value: rate });
            }
            if self.slow_call.is_none() {
                return Err(E::SlowRateWithoutSlowCall { value: rate });
            }
        }
        if shorter(self.cooldown, SHORTEST_WAIT) {
            return Err(E::Cooldown { value: self.cooldown });
        }
        if let Some(most) = self.max_cooldown {
            if shorter(most, self.cooldown) {
                return Err(E::MaxCooldown { value: most, cooldown: self.cooldown });
            }
        }
        if !(self.jitter >= 0.0 && self.jitter <= 1.0) {
            return Err(E::Jitter { value: self.jitter });
        }
        if self.probes == 0 || self.probes > MOST_PROBES {
            return Err(E::Probes { value: self.probes });
        }
        if let Some(at_once) = self.probe_concurrency {
            if at_once == 0 || at_once > self.probes {
                return Err(E::ProbeConcurrency { value: at_once, probes: self.probes });
            }
        }
        if shorter(self.probe_timeout, SHORTEST_WAIT) {
            return Err(E::ProbeTimeout { value: self.probe_timeout });
        }
        Ok(())
    }
}

impl Default for Config {
    fn default() -> Self {
        Self::new()
    }
}

/// A setting that makes no sense: which, its value, and what is allowed.
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::{Config, ConfigError};
///
/// let fault = Config::new().probes(2).probe_concurrency(3).check().unwrap_err();
/// assert_eq!(fault, ConfigError::ProbeConcurrency { value: 3, probes: 2 });
/// assert_eq!(fault.to_string(), "`probe_concurrency` is 3: it must be from 1 to `probes`, which is 2");
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
#[allow(
    missing_docs,
    reason = "each variant is said by its message, each field is the value found"
)]
pub enum ConfigError {
    Threshold { value: u32 },
    Rate { value: f64 },
    WindowTime { value: Duration },
    WindowCalls { value: u32 },
    WindowBelowThreshold { value: u32, threshold: u32 },
    Consecutive { value: u32 },
    ConsecutiveAboveWindow { value: u32, window: u32 },
    MaxFailures { value: u32 },
    MaxFailuresAboveWindow { value: u32, window: u32 },
    SlowCall { value: Duration },
    SlowRate { value: f64 },
    SlowRateWithoutSlowCall { value: f64 },
    Cooldown { value: Duration },
    MaxCooldown { value: Duration, cooldown: Duration },
    Jitter { value: f64 },
    Probes { value: u32 },
    ProbeConcurrency { value: u32, probes: u32 },
    ProbeTimeout { value: Duration },
}

impl ConfigError {
    /// The setter of the faulty value.
    ///
    /// ```
    /// # use breaker_runtime::Config;
    /// assert_eq!(Config::new().jitter(-0.1).check().unwrap_err().field(), "jitter");
    /// ```
    #[must_use]
    pub const fn field(&self) -> &'static str {
        self.parts().0
    }

    /// What is allowed, without the value: all that a panic in const evaluation can say.
    pub(crate) const fn bound(&self) -> &'static str {
        self.parts().1
    }

    const fn parts(&self) -> (&'static str, &'static str) {
        match self {
            Self::Threshold { .. } => ("threshold", "`threshold` must be from 1 to 1,000,000"),
            Self::Rate { .. } => ("rate", "`rate` must be from 0.000001 to 1"),
            Self::WindowTime { .. } => ("window", "`window` must be at least 10 ms"),
            Self::WindowCalls { .. } => ("window", "`window` must hold at most 1,000,000 calls"),
            Self::WindowBelowThreshold { .. } => (
                "window",
                "`window` must hold at least `threshold` calls, or no rate is ever judged",
            ),
            Self::Consecutive { .. } => ("consecutive", "`consecutive` must be at least 1"),
            Self::ConsecutiveAboveWindow { .. } => (
                "consecutive",
                "`consecutive` must be at most the calls of `window`, as a window full of failures opens \
                 by its rate",
            ),
            Self::MaxFailures { .. } => ("max_failures", "`max_failures` must be at least 1"),
            Self::MaxFailuresAboveWindow { .. } => (
                "max_failures",
                "`max_failures` must be at most the calls of `window`, which never holds more",
            ),
            Self::SlowCall { .. } => ("slow_call", "`slow_call` must be above zero"),
            Self::SlowRate { .. } => ("slow_rate", "`slow_rate` must be from 0.000001 to 1"),
            Self::SlowRateWithoutSlowCall { .. } => {
                ("slow_rate", "`slow_rate` needs `slow_call`, which says what is slow")
            }
            Self::Cooldown { .. } => ("cooldown", "`cooldown` must be at least 1 ms"),
            Self::MaxCooldown { .. } => {
                ("max_cooldown", "`max_cooldown` must be at least `cooldown`")
            }
            Self::Jitter { .. } => ("jitter", "`jitter` must be from 0 to 1"),
            Self::Probes { .. } => ("probes", "`probes` must be from 1 to 65,535"),
            Self::ProbeConcurrency { .. } => {
                ("probe_concurrency", "`probe_concurrency` must be from 1 to `probes`")
            }
            Self::ProbeTimeout { .. } => ("probe_timeout", "`probe_timeout` must be at least 1 ms"),
        }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (field, bound) = self.parts();
        let bound = bound.split_once("` ").map_or(bound, |(_, bound)| bound);
        match self {
            Self::Threshold { value }
            | Self::Consecutive { value }
            | Self::MaxFailures { value }
            | Self::Probes { value } => write!(f, "`{field}` is {value}: it {bound}"),
            Self::Rate { value }
            | Self::SlowRate { value }
            | Self::SlowRateWithoutSlowCall { value }
            | Self::Jitter { value } => write!(f, "`{field}` is {value}: it {bound}"),
            Self::WindowTime { value }
            | Self::SlowCall { value }
            | Self::Cooldown { value }
            | Self::ProbeTimeout { value } => write!(f, "`{field}` is {value:?}: it {bound}"),
            Self::WindowCalls { value } => write!(f, "`{field}` is {value} calls: it {bound}"),
            Self::WindowBelowThreshold { value, threshold } => {
                write!(f, "`{field}` is {value} calls, `threshold` is {threshold}: it {bound}")
            }
            Self::ConsecutiveAboveWindow { value, window }
            | Self::MaxFailuresAboveWindow { value, window } => {
                write!(f, "`{field}` is {value}, `window` is {window} calls: it {bound}")
            }
            Self::MaxCooldown { value, cooldown } => {
                write!(f, "`{field}` is {value:?}: it {bound}, which is {cooldown:?}")
            }
            Self::ProbeConcurrency { value, probes } => {
                write!(f, "`{field}` is {value}: it {bound}, which is {probes}")
            }
        }
    }
}

impl std::error::Error for ConfigError {}

/// Whether a share is above 0, at most 1 and not lost in parts per million. False for NaN.
const fn is_share(share: f64) -> bool {
    share >= 0.000_001 && share <= 1.0
}

/// A share from 0 to 1 in parts per million, rounded to the nearest.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked: 0 to 1")]
pub(crate) const fn parts_per_million(share: f64) -> u32 {
    (share * MILLION as f64 + 0.5) as u32
}

/// A duration in nanoseconds; what is above 584 years is 584 years.
#[expect(clippy::cast_possible_truncation, reason = "compared first")]
pub(crate) const fn nanos(duration: Duration) -> Nanos {
    let nanos = duration.as_nanos();
    if nanos > Nanos::MAX as u128 { Nanos::MAX } else { nanos as Nanos }
}

const fn shorter(one: Duration, other: Duration) -> bool {
    one.as_nanos() < other.as_nanos()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MILLISECOND: Duration = Duration::from_millis(1);

    #[test]
    fn each_fault_names_the_field_the_value_and_the_bound() {
        let ok = Config::new();
        let cases = [
            (ok.threshold(0), "`threshold` is 0: it must be from 1 to 1,000,000"),
            (ok.threshold(1_000_001), "`threshold` is 1000001: it must be from 1 to 1,000,000"),
            (ok.rate(0.0), "`rate` is 0: it must be from 0.000001 to 1"),
            (ok.rate(1e-7), "`rate` is 0.0000001: it must be from 0.000001 to 1"),
            (ok.rate(1.000_001), "`rate` is 1.000001: it must be from 0.000001 to 1"),
            (ok.rate(f64::NAN), "`rate` is NaN: it must be from 0.000001 to 1"),
            (ok.rate(f64::INFINITY), "`rate` is inf: it must be from 0.000001 to 1"),
            (
                ok.window(Window::Time(Duration::from_nanos(9_999_999))),
                "`window` is 9.999999ms: it must be at least 10 ms",
            ),
            (
                ok.window(Window::Calls(1_000_001)),
                "`window` is 1000001 calls: it must hold at most 1,000,000 calls",
            ),
            (
                ok.window(Window::Calls(19)),
                "`window` is 19 calls, `threshold` is 20: it must hold at least `threshold` calls, \
                 or no rate is ever judged",
            ),
            (ok.consecutive(0), "`consecutive` is 0: it must be at least 1"),
            (
                ok.window(Window::Calls(50)).consecutive(51),
                "`consecutive` is 51, `window` is 50 calls: it must be at most the calls of `window`, \
                 as a window full of failures opens by its rate",
            ),
            (ok.max_failures(0), "`max_failures` is 0: it must be at least 1"),
            (
                ok.window(Window::Calls(50)).max_failures(51),
                "`max_failures` is 51, `window` is 50 calls: it must be at most the calls of `window`, \
                 which never holds more",
            ),
            (ok.slow_call(Duration::ZERO), "`slow_call` is 0ns: it must be above zero"),
            (
                ok.slow_call(MILLISECOND).slow_rate(1.1),
                "`slow_rate` is 1.1: it must be from 0.000001 to 1",
            ),
            (
                ok.slow_rate(0.5),
                "`slow_rate` is 0.5: it needs `slow_call`, which says what is slow",
            ),
            (
                ok.cooldown(Duration::from_nanos(999_999)),
                "`cooldown` is 999.999µs: it must be at least 1 ms",
            ),
            (
                ok.max_cooldown(Duration::from_nanos(14_999_999_999)),
                "`max_cooldown` is 14.999999999s: it must be at least `cooldown`, which is 15s",
            ),
            (ok.jitter(-0.1), "`jitter` is -0.1: it must be from 0 to 1"),
            (ok.jitter(1.1), "`jitter` is 1.1: it must be from 0 to 1"),
            (ok.jitter(f64::NAN), "`jitter` is NaN: it must be from 0 to 1"),
            (ok.probes(0), "`probes` is 0: it must be from 1 to 65,535"),
            (ok.probes(65_536), "`probes` is 65536: it must be from 1 to 65,535"),
            (
                ok.probe_concurrency(0),
                "`probe_concurrency` is 0: it must be from 1 to `probes`, which is 3",
            ),
            (
                ok.probe_concurrency(4),
                "`probe_concurrency` is 4: it must be from 1 to `probes`, which is 3",
            ),
            (
                ok.probe_timeout(Duration::from_nanos(999_999)),
                "`probe_timeout` is 999.999µs: it must be at least 1 ms",
            ),
        ];
        for (config, said) in cases {
            let fault = config.check().expect_err(said);
            assert_eq!(fault.to_string(), said);
            // What const evaluation can say: the same without the values.
            let (field, bound) = (fault.field(), fault.bound());
            assert!(said.starts_with(&format!("`{field}` is ")), "{field}: {said}");
            let allowed = bound.strip_prefix(&format!("`{field}` ")).expect(bound);
            assert!(said.contains(&format!("it {allowed}")), "{allowed}: {said}");
        }
    }

    #[test]
    fn the_bounds_themselves_are_allowed() {
        let ok = Config::new();
        for config in [
            ok.threshold(1),
            ok.threshold(1_000_000),
            ok.rate(0.000_001),
            ok.rate(1.0),
            ok.window(Window::Time(Duration::from_millis(10))),
            ok.window(Window::Time(Duration::MAX)),
            ok.window(Window::Calls(20)),
            ok.window(Window::Calls(1_000_000)),
            ok.consecutive(1),
            ok.consecutive(u32::MAX),
            ok.max_failures(1),
            ok.max_failures(u32::MAX),
            ok.window(Window::Calls(50)).consecutive(50).max_failures(50),
            ok.slow_call(Duration::from_nanos(1)).slow_rate(0.000_001),
            ok.cooldown(MILLISECOND),
            ok.cooldown(Duration::MAX).max_cooldown(Duration::MAX),
            ok.max_cooldown(Duration::from_secs(15)),
            ok.jitter(0.0),
            ok.jitter(1.0),
            ok.probes(1),
            ok.probes(65_535).probe_concurrency(65_535),
            ok.probe_concurrency(1),
            ok.probe_timeout(MILLISECOND),
        ] {
            assert_eq!(config.check(), Ok(()), "{config:?}");
        }
    }

    #[test]
    fn shares_are_rounded_to_parts_per_million() {
        assert_eq!(parts_per_million(1.0), 1_000_000);
        assert_eq!(parts_per_million(0.1), 100_000);
        assert_eq!(parts_per_million(0.333_333), 333_333);
        assert_eq!(parts_per_million(2.0 / 3.0), 666_667);
        assert_eq!(parts_per_million(0.000_001), 1);
    }

    #[test]
    fn durations_saturate() {
        assert_eq!(nanos(Duration::MAX), u64::MAX);
        assert_eq!(nanos(Duration::from_secs(1 << 40)), u64::MAX);
        assert_eq!(nanos(Duration::from_nanos(u64::MAX)), u64::MAX);
        assert_eq!(nanos(Duration::from_secs(1)), 1_000_000_000);
    }
}
