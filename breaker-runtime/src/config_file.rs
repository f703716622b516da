//! The feature `serde`: a [`Config`] as a file says it, which is as the attribute says it. Durations
//! are text, a window is a duration or a number of calls, what is missing is the default, what is unknown is refused, and so is every
//! value that [`Config::check`] does not let pass.

use crate::config::{Cancelled, Config, Window, nanos};
use crate::duration::{self, UNITS};
use serde::de::{self, Deserialize, Deserializer, Unexpected, Visitor};
use serde::ser::{Serialize, Serializer};
use std::fmt;
use std::time::Duration;

/// The fields of a [`Config`], not judged yet.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "Config", deny_unknown_fields, default)]
struct Fields {
    threshold: u32,
    rate: f64,
    window: Window,
    #[serde(skip_serializing_if = "Option::is_none")]
    consecutive: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_failures: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    slow_call: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    slow_rate: Option<f64>,
    cooldown: Text,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_cooldown: Option<Text>,
    jitter: f64,
    probes: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    probe_concurrency: Option<u32>,
    probe_timeout: Text,
    cancelled: Cancelled,
}

impl Serialize for Config {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Fields::from(*self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Config {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let config = Self::from(Fields::deserialize(deserializer)?);
        config.check().map_err(de::Error::custom)?;
        Ok(config)
    }
}

impl Serialize for Window {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Time(time) => Text(*time).serialize(serializer),
            Self::Calls(calls) => serializer.serialize_u32(*calls),
        }
    }
}

impl<'de> Deserialize<'de> for Window {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ReadWindow)
    }
}

struct ReadWindow;

impl Visitor<'_> for ReadWindow {
    type Value = Window;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a duration like \"30s\" or a number of calls")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Window, E> {
        if text.parse::<u32>().is_ok() {
            return Err(E::custom(format_args!(
                "`{text}` has no unit: write `{text}s`, or for so many calls the number without quotes"
            )));
        }
        ReadText.visit_str(text).map(|Text(time)| Window::Time(time))
    }

    fn visit_u64<E: de::Error>(self, calls: u64) -> Result<Window, E> {
        u32::try_from(calls)
            .map(Window::Calls)
            .map_err(|_| E::invalid_value(Unexpected::Unsigned(calls), &"at most 1,000,000 calls"))
    }

    /// Some formats know signed numbers only.
    fn visit_i64<E: de::Error>(self, calls: i64) -> Result<Window, E> {
        match u64::try_from(calls) {
            Ok(calls) => self.visit_u64(calls),
            Err(_) => Err(E::invalid_value(Unexpected::Signed(calls), &self)),
        }
    }
}

/// A duration as text: `"250ms"`, `"15s"`, `"1m 30s"`.
struct Text(Duration);

/// As it is read: `1m 30s`. What is above 584 years is 584 years, as everywhere.
impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut left = nanos(self.0);
        if left == 0 {
            return f.write_str("0s");
        }
        let mut separator = "";
        for (unit, length, _) in UNITS {
            let (count, rest) = (left / length, left % length);
            if count > 0 {
                write!(f, "{separator}{count}{unit}")?;
                separator = " ";
            }
            left = rest;
        }
        Ok(())
    }
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(ReadText)
    }
}

struct ReadText;

impl Visitor<'_> for ReadText {
    type Value = Text;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a duration like \"15s\" or \"1m 30s\"")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Text, E> {
        let nanos = duration::parse(text).map_err(E::custom)?;
        Ok(Text(Duration::from_nanos(nanos)))
    }
}

impl Default for Fields {
    fn default() -> Self {
        Config::new().into()
    }
}

impl From<Config> for Fields {
    fn from(config: Config) -> Self {
        Self {
            threshold: config.threshold,
            rate: config.rate,
            window: config.window,
            consecutive: config.consecutive,
            max_failures: config.max_failures,
            slow_call: config.slow_call.map(Text),
            slow_rate: config.slow_rate,
            cooldown: Text(config.cooldown),
            max_cooldown: config.max_cooldown.map(Text),
            jitter: config.jitter,
            probes: config.probes,
            probe_concurrency: config.probe_concurrency,
            probe_timeout: Text(config.probe_timeout),
            cancelled: config.cancelled,
        }
    }
}

impl From<Fields> for Config {
    fn from(fields: Fields) -> Self {
        Self {
            threshold: fields.threshold,
            rate: fields.rate,
            window: fields.window,
            consecutive: fields.consecutive,
            max_failures: fields.max_failures,
            slow_call: fields.slow_call.map(|Text(time)| time),
            slow_rate: fields.slow_rate,
            cooldown: fields.cooldown.0,
            max_cooldown: fields.max_cooldown.map(|Text(time)| time),
            jitter: fields.jitter,
            probes: fields.probes,
            probe_concurrency: fields.probe_concurrency,
            probe_timeout: fields.probe_timeout.0,
            cancelled: fields.cancelled,
        }
    }
}
