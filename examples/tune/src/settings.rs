//! The configurations to compare. Keys and values are those of the attribute, and breakerbox itself
//! reads and judges them.

use anyhow::{Context, Result, anyhow};
use breakerbox::Config;
use clap::Args;
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use toml::{Table, Value};

/// The settings as the command line says them, not judged yet.
#[derive(Debug, Clone, Default, Args, Serialize)]
#[command(next_help_heading = "Configuration")]
pub struct Settings {
    /// Calls that the window must hold before a rate is judged [default: 20]
    #[arg(long, value_name = "CALLS", value_parser = value, allow_negative_numbers = true)]
    pub threshold: Option<Value>,

    /// The share of failures that opens [default: 0.5]
    #[arg(long, value_name = "SHARE", value_parser = value, allow_negative_numbers = true)]
    pub rate: Option<Value>,

    /// Judge the calls of so much time (30s), or the last so many (100) [default: 30s]
    #[arg(long, value_name = "TIME|CALLS", value_parser = value, allow_negative_numbers = true)]
    pub window: Option<Value>,

    /// A run of so many failures opens, whatever the rate
    #[arg(long, value_name = "FAILURES", value_parser = value, allow_negative_numbers = true)]
    pub consecutive: Option<Value>,

    /// So many failures in the window open, whatever the rate
    #[arg(long, value_name = "FAILURES", value_parser = value, allow_negative_numbers = true)]
    pub max_failures: Option<Value>,

    /// A call that takes at least as long is slow
    #[arg(long, value_name = "TIME", value_parser = value, allow_negative_numbers = true)]
    pub slow_call: Option<Value>,

    /// The share of slow calls that opens [default: 1]
    #[arg(long, value_name = "SHARE", value_parser = value, allow_negative_numbers = true)]
    pub slow_rate: Option<Value>,

    /// The least time open [default: 15s]
    #[arg(long, value_name = "TIME", value_parser = value, allow_negative_numbers = true)]
    pub cooldown: Option<Value>,

    /// The cooldown doubles up to this with each recovery that fails in a row
    #[arg(long, value_name = "TIME", value_parser = value, allow_negative_numbers = true)]
    pub max_cooldown: Option<Value>,

    /// Stretches each cooldown by a random share of up to this
    #[arg(long, value_name = "SHARE", value_parser = value, allow_negative_numbers = true)]
    pub jitter: Option<Value>,

    /// Probes that must succeed to close [default: 3]
    #[arg(long, value_name = "CALLS", value_parser = value, allow_negative_numbers = true)]
    pub probes: Option<Value>,

    /// Probes under way at once [default: as many as --probes]
    #[arg(long, value_name = "CALLS", value_parser = value, allow_negative_numbers = true)]
    pub probe_concurrency: Option<Value>,

    /// After which a probe under way is given up [default: 1m]
    #[arg(long, value_name = "TIME", value_parser = value, allow_negative_numbers = true)]
    pub probe_timeout: Option<Value>,

    /// What a call that its caller gives up counts as: ignored or failure [default: ignored]
    #[arg(long, value_name = "OUTCOME", value_parser = value)]
    pub cancelled: Option<Value>,
}

/// A number where it reads as one, else text: what it must be is for breakerbox to say.
#[expect(clippy::unnecessary_wraps, reason = "the form that clap asks of a parser")]
fn value(text: &str) -> Result<Value, Infallible> {
    let number = text.parse().map(Value::Integer).or_else(|_| text.parse().map(Value::Float));
    Ok(number.unwrap_or_else(|_| Value::String(text.to_owned())))
}

/// A configuration to be tried.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// What was said of it, as the attribute has it.
    pub label: String,
    /// All of it.
    pub config: Config,
}

/// The configuration, and those that it is compared with, each on top of it.
///
/// # Errors
///
/// If one of them makes no sense.
pub fn candidates(settings: &Settings, against: &[String]) -> Result<Vec<Candidate>> {
    let base = Table::try_from(settings)?;
    let mut candidates = vec![candidate(base.clone()).context("the configuration is wrong")?];
    for text in against {
        let candidate = overriding(base.clone(), text).and_then(candidate);
        candidates.push(candidate.with_context(|| format!("--against '{text}' is wrong"))?);
    }
    Ok(candidates)
}

/// What stands between the attribute's parentheses is what stands between the braces of a TOML table.
fn overriding(mut base: Table, text: &str) -> Result<Table> {
    // What closes the brace and goes on is no setting.
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Line {
        settings: Table,
    }
    let text = text.trim().trim_end_matches(',');
    let line: Line = toml::from_str(&format!("settings = {{ {text} }}")).map_err(|error| {
        anyhow!("{} (write it as in 'rate = 0.2, cooldown = \"5s\"')", error.message())
    })?;
    base.extend(line.settings);
    Ok(base)
}

fn candidate(table: Table) -> Result<Candidate> {
    let said: Vec<String> = table.iter().map(|(key, value)| format!("{key} = {value}")).collect();
    let label = if said.is_empty() { "the defaults".to_owned() } else { said.join(", ") };
    let config = Config::deserialize(Value::Table(table))
        // It names the key in a line of its own.
        .map_err(|error| anyhow!("{}", error.to_string().trim_end().replace('\n', " ")))?;
    Ok(Candidate { label, config })
}
