//! What is asked for on the command line.

use crate::settings::Settings;
use crate::text::{Range, duration, latency, range, share};
use clap::{Args as Group, Parser};
use std::path::PathBuf;
use std::time::Duration;

const FIGURES: &str = "\
What the figures mean:
  openings               how often it went from closed to open
  false openings         those by a call that began outside of every outage
  time to open           from the start of the outage until it is open
  calls that reached it  calls let through during the outage
  time to recover        from the end of the outage until it is closed
  refused needlessly     calls rejected outside of every outage
  refused successes      calls rejected that would have succeeded, in outages and outside
  rejected               all calls that were not let through
  probes                 calls let through while half-open
  failures let through   calls let through, at any time, that failed

A call that is rejected did not happen; what the others met stays as it was. At one moment, calls end
before others begin.

A log is a CSV file whose first line names its columns, among them:
  timestamp  when the call began: seconds, or RFC 3339 (2026-03-01T12:00:00.5Z); a date and time
             without a zone (2026-03-01 12:00:00) is UTC
  latency    how long it took: milliseconds, or a duration (1s 200ms)
  outcome    success, failure, ignored, cancelled, throttled, or throttled and for how long (throttled 30s)
Lines may be in any order: they are sorted. Lines that cannot be read are reported and skipped.
Nobody but you knows when the dependency was failing: say so with --outage, counted from the first call
of the log, or the figures that need it are left out.";

/// Shows what a circuit breaker with these settings would do.
///
/// Traffic, made up or from a log, goes through the real state machine in virtual time. The result is a
/// table, and a picture with a panel for each configuration.
#[derive(Debug, Clone, Parser)]
#[command(name = "tune", after_long_help = FIGURES, args_override_self = true)]
pub struct Args {
    /// The configuration.
    #[command(flatten)]
    pub settings: Settings,

    /// Another configuration, for comparison, as between the attribute's parentheses: 'rate = 0.2,
    /// cooldown = "5s"'. What it does not say is as in the first. May be repeated
    #[arg(long, value_name = "SETTINGS", help_heading = "Configuration")]
    pub against: Vec<String>,

    /// The traffic, where it is made up.
    #[command(flatten)]
    pub made_up: MadeUp,

    /// When the dependency fails, as in 30s..90s. May be repeated
    #[arg(long, value_name = "FROM..TO", value_parser = range, help_heading = "Traffic")]
    pub outage: Vec<Range>,

    /// Take the traffic from this CSV file
    #[arg(long, value_name = "FILE", help_heading = "Traffic", conflicts_with = "MadeUp")]
    pub log: Option<PathBuf>,

    /// Refuse a log that has a bad line, rather than to skip the line
    #[arg(long, help_heading = "Traffic", requires = "log")]
    pub strict: bool,

    /// Where the picture goes
    #[arg(long, value_name = "FILE", default_value = "tune.svg")]
    pub svg: PathBuf,
}

/// Traffic that is made up: calls at equal distances.
#[derive(Debug, Clone, Group)]
#[command(next_help_heading = "Traffic")]
pub struct MadeUp {
    /// Calls a second
    #[arg(long, default_value = "10", value_parser = rps)]
    pub rps: f64,

    /// For how long there are calls
    #[arg(long, default_value = "3m", value_parser = duration)]
    pub duration: Duration,

    /// The share of calls that fail in good times
    #[arg(long, value_name = "SHARE", default_value = "0.01", value_parser = share)]
    pub error_rate: f64,

    /// The share of calls that fail during an outage
    #[arg(long, value_name = "SHARE", default_value = "1", value_parser = share)]
    pub outage_error_rate: f64,

    /// How long a call takes: 50ms, or evenly between 20ms..200ms
    #[arg(long, default_value = "50ms", value_parser = latency)]
    pub latency: Range,

    /// The same during an outage [default: as --latency]
    #[arg(long, value_name = "LATENCY", value_parser = latency)]
    pub outage_latency: Option<Range>,

    /// What chance begins with: the same number gives the same calls
    #[arg(long, default_value = "1")]
    pub seed: u64,
}

fn rps(text: &str) -> Result<f64, String> {
    let rps = text.parse().ok().filter(|rps: &f64| rps.is_finite() && *rps > 0.0);
    rps.ok_or_else(|| format!("`{text}` is no number above 0"))
}
