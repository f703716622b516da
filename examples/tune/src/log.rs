//! The calls of a real log: a CSV file with the columns `timestamp`, `latency` and `outcome`, in any
//! order and beside any others. A line that cannot be read is kept as a fault, with its number.

use crate::text::{self, LONGEST};
use crate::traffic::{Call, Ending, MOST_CALLS};
use anyhow::{Result, bail};
use breakerbox::Outcome;
use csv::{ErrorKind, ReaderBuilder, StringRecord, Terminator, Trim};
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use std::fmt;
use std::io::Read;
use std::time::Duration;

const COLUMNS: [&str; 3] = ["timestamp", "latency", "outcome"];
const NANOS_PER_SECOND: f64 = 1e9;

/// What a log holds.
#[derive(Debug, Default)]
pub struct Log {
    /// Sorted by when they begin, counted from the first.
    pub calls: Vec<Call>,
    /// The lines that cannot be read.
    pub faults: Faults,
    /// How many lines begin before a line above them: a log is often written as calls end.
    pub out_of_order: usize,
}

/// Lines that cannot be read.
#[derive(Debug, Default)]
pub struct Faults {
    /// The first few.
    pub first: Vec<Fault>,
    /// All of them.
    pub count: usize,
}

/// A line that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Its number, from 1; where a record takes up several, the last.
    pub line: u64,
    /// What is wrong with it.
    pub what: String,
}

/// `17: …`, to stand behind the name of a file.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.what)
    }
}

impl Faults {
    const MOST_SAID: usize = 10;

    fn add(&mut self, line: u64, what: String) {
        self.count += 1;
        if self.first.len() < Self::MOST_SAID {
            self.first.push(Fault { line, what });
        }
    }
}

/// A line that can be read. Its timestamp has an origin of its own.
struct Line {
    number: u64,
    nanos: i128,
    latency: Duration,
    ending: Ending,
}

/// Reads a log.
///
/// # Errors
///
/// If it cannot be read at all, lacks a column, or is too long.
pub fn read(file: impl Read) -> Result<Log> {
    // Lines are to be counted as editors do: each ends with a line feed, the last one too, and the
    // carriage return before it is trimmed.
    let mut reader = ReaderBuilder::new()
        .terminator(Terminator::Any(b'\n'))
        .trim(Trim::All)
        .flexible(true)
        .from_reader(file.chain(&b"\n"[..]));
    let places = places(reader.headers()?)?;
    let mut faults = Faults::default();
    let mut lines = Vec::new();
    let mut record = StringRecord::new();
    loop {
        let read = reader.read_record(&mut record);
        // The line that has just ended; a record has no blank lines before it by then.
        let number = reader.position().line() - 1;
        match read {
            Ok(false) => break,
            Ok(true) if record.iter().all(str::is_empty) => {}
            Ok(true) => match line(number, &record, places) {
                Ok(line) => lines.push(line),
                Err(what) => faults.add(number, what),
            },
            Err(error) if matches!(error.kind(), ErrorKind::Utf8 { .. }) => {
                faults.add(number, "it is not UTF-8".to_owned());
            }
            Err(error) => return Err(error.into()),
        }
        if lines.len() > MOST_CALLS {
            bail!("more than {MOST_CALLS} calls are not replayed: take a part of it");
        }
    }
    let out_of_order = out_of_order(&lines);
    Ok(Log { calls: calls(lines)?, faults, out_of_order })
}

/// Where the columns are.
fn places(headers: &StringRecord) -> Result<[usize; 3]> {
    let mut places = [0; 3];
    for (place, name) in places.iter_mut().zip(COLUMNS) {
        let mut found = headers.iter().enumerate().filter(|(_, header)| *header == name);
        match (found.next(), found.next()) {
            (Some((column, _)), None) => *place = column,
            (Some(_), Some(_)) => bail!("its first line names the column `{name}` twice"),
            (None, _) => bail!(
                "its first line must name the columns {}, and `{name}` is not among them",
                COLUMNS.join(", ")
            ),
        }
    }
    Ok(places)
}

fn line(number: u64, record: &StringRecord, places: [usize; 3]) -> Result<Line, String> {
    let field = |column: usize| match record.get(places[column]) {
        Some(field) if !field.is_empty() => Ok(field),
        _ => Err(format!("`{}` is missing", COLUMNS[column])),
    };
    Ok(Line {
        number,
        nanos: timestamp(field(0)?)?,
        latency: latency(field(1)?)?,
        ending: ending(field(2)?)?,
    })
}

#[expect(clippy::cast_possible_truncation, reason = "a century after which seconds are refused")]
fn timestamp(text: &str) -> Result<i128, String> {
    const LATEST: f64 = 1e11;
    if let Ok(seconds) = text.parse::<f64>() {
        if seconds.abs() <= LATEST {
            return Ok((seconds * NANOS_PER_SECOND).round() as i128);
        }
    } else if let Some(timestamp) = text.parse().ok().or_else(|| without_zone(text)) {
        return Ok(timestamp.as_nanosecond());
    }
    Err(format!(
        "`timestamp` is {}: it must be seconds, or like 2026-03-01T12:00:00.5Z",
        quoted(text)
    ))
}

/// A date and time that says no zone; a date alone says too little.
fn without_zone(text: &str) -> Option<Timestamp> {
    let moment: DateTime = text.parse().ok().filter(|_| text.contains(':'))?;
    TimeZone::UTC.to_timestamp(moment).ok()
}

fn latency(text: &str) -> Result<Duration, String> {
    let latency = match text.parse::<f64>() {
        Ok(millis) => Duration::try_from_secs_f64(millis / 1_000.0).ok(),
        Err(_) => text::duration(text).ok(),
    };
    latency.filter(|latency| *latency <= LONGEST).ok_or_else(|| {
        format!(
            "`latency` is {}: it must be milliseconds, or a duration like 1s 200ms",
            quoted(text)
        )
    })
}

fn ending(text: &str) -> Result<Ending, String> {
    let outcome = match text {
        "success" => Outcome::Success,
        "failure" => Outcome::Failure,
        "ignored" => Outcome::Ignored,
        "throttled" => Outcome::Throttled(Duration::ZERO),
        "cancelled" => return Ok(Ending::Cancelled),
        _ => {
            let after =
                text.strip_prefix("throttled ").and_then(|after| text::duration(after).ok());
            Outcome::Throttled(after.ok_or_else(|| {
                format!(
                    "`outcome` is {}: it must be success, failure, ignored, cancelled, throttled, \
                     or like throttled 30s",
                    quoted(text)
                )
            })?)
        }
    };
    Ok(Ending::Outcome(outcome))
}

/// What stands in a log may be long, and do to a terminal what it should not.
fn quoted(text: &str) -> String {
    const MOST: usize = 40;
    let start: String = text.chars().take(MOST).collect();
    format!("{start:?}{}", if start.len() < text.len() { "…" } else { "" })
}

fn out_of_order(lines: &[Line]) -> usize {
    let mut latest = i128::MIN;
    let mut count = 0;
    for line in lines {
        if line.nanos < latest {
            count += 1;
        }
        latest = latest.max(line.nanos);
    }
    count
}

fn calls(mut lines: Vec<Line>) -> Result<Vec<Call>> {
    lines.sort_by_key(|line| line.nanos);
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else {
        return Ok(Vec::new());
    };
    let origin = first.nanos;
    if since(origin, last.nanos) > LONGEST {
        bail!(
            "from line {} to line {} it is more than a year: timestamps that are numbers must be seconds",
            first.number,
            last.number
        );
    }
    let call = |line: &Line| Call {
        at: since(origin, line.nanos),
        latency: line.latency,
        ending: line.ending,
    };
    Ok(lines.iter().map(call).collect())
}

fn since(origin: i128, nanos: i128) -> Duration {
    u64::try_from(nanos - origin).map_or(Duration::MAX, Duration::from_nanos)
}
