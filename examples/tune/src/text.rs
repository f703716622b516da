//! How durations, ranges and shares are written on the command line and in logs, and shown.

use std::time::Duration;

/// No traffic and no call is longer. It also finds a log whose timestamps are not in seconds.
pub const LONGEST: Duration = Duration::from_secs(366 * 24 * 60 * 60);

/// A duration: `250ms`, `15s`, `1m 30s`, and whatever else people write, such as `2 days`.
///
/// # Errors
///
/// If it is none, or longer than a year.
pub fn duration(text: &str) -> Result<Duration, String> {
    match humantime::parse_duration(text) {
        Ok(duration) if duration <= LONGEST => Ok(duration),
        Ok(_) => Err(format!("`{text}` is longer than a year")),
        Err(_) => Err(format!("`{text}` is no duration like 250ms, 15s or 1m30s")),
    }
}

/// A share from 0 to 1.
///
/// # Errors
///
/// If it is none.
pub fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| format!("`{text}` is no number from 0 to 1"))
}

/// From the first moment on, and before the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// The first moment.
    pub start: Duration,
    /// The moment after the last.
    pub end: Duration,
}

impl Range {
    /// Whether the moment is within.
    #[must_use]
    pub fn contains(&self, moment: Duration) -> bool {
        (self.start..self.end).contains(&moment)
    }
}

/// `30s..90s`.
///
/// # Errors
///
/// If it is none, or ends before it begins.
pub fn range(text: &str) -> Result<Range, String> {
    let Some((start, end)) = text.split_once("..") else {
        return Err(format!("`{text}` is no range like 30s..90s"));
    };
    let range = Range { start: duration(start)?, end: duration(end)? };
    if range.start >= range.end {
        return Err(format!("`{text}` ends before it has begun"));
    }
    Ok(range)
}

/// `50ms`, or `20ms..200ms` for all between, each as likely.
///
/// # Errors
///
/// If it is neither.
pub fn latency(text: &str) -> Result<Range, String> {
    if text.contains("..") {
        return range(text);
    }
    duration(text).map(|fixed| Range { start: fixed, end: fixed })
}

/// For people: `0.3 s`, `15.0 s`, `2m 5s`.
#[must_use]
pub fn shown(duration: Duration) -> String {
    if duration < Duration::from_secs(100) {
        format!("{:.1} s", duration.as_secs_f64())
    } else {
        exact(Duration::from_secs(duration.as_secs()))
    }
}

/// As it would be written, to the millisecond: `15s`, `1m 30s 250ms`.
#[must_use]
pub fn exact(duration: Duration) -> String {
    let shown = match u64::try_from(duration.as_millis()) {
        // Shorter than one: as it is.
        Ok(0) | Err(_) => duration,
        Ok(millis) => Duration::from_millis(millis),
    };
    humantime::format_duration(shown).to_string()
}

/// As it would be written, without a blank: `30s..1m30s`.
#[must_use]
pub fn exact_range(range: Range) -> String {
    format!("{}..{}", exact(range.start), exact(range.end)).replace(' ', "")
}
