//! The guard of speed: counts the instructions of one call with callgrind, a simulated machine on
//! which a count is the same in every run, and compares them with `benches/instructions.txt`.
//!
//! ```sh
//! cargo run --release --package breaker-bench --bin instructions              # compare
//! cargo run --release --package breaker-bench --bin instructions -- --accept  # write anew
//! ```
//!
//! It counts what this program and the crates in it run, without the C library: how the kernel's
//! clock is read differs between machines, and so may the copying of memory. Each row is a function
//! that makes calls in a loop; the same loop around the bare function is subtracted.

use breakerbox::{Breaker, Config, Outcome, Rejected, circuit_breaker};
use std::collections::HashMap;
use std::error::Error;
use std::fmt::Write as _;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::process::{Command, ExitCode};
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use std::{env, fs};

/// Calls per row: enough that what happens once, on the first of them, is lost in rounding.
const CALLS: u32 = 20_000;

/// How much a count may change, in percent.
const TOLERANCE: f64 = 3.0;

/// Its name, which loop to run, and which loop is its floor.
struct Row {
    name: &'static str,
    run: fn(u32),
    floor: &'static str,
}

const ROWS: &[Row] = &[
    Row { name: "bare", run: rows::bare, floor: "bare" },
    Row { name: "bare_async", run: rows::bare_async, floor: "bare_async" },
    Row { name: "closed_by_time", run: rows::closed_by_time, floor: "bare" },
    Row { name: "closed_by_count", run: rows::closed_by_count, floor: "bare" },
    Row { name: "a_tenth_fails", run: rows::a_tenth_fails, floor: "bare" },
    Row { name: "ignored", run: rows::ignored, floor: "bare" },
    Row { name: "rejected", run: rows::rejected, floor: "bare" },
    Row { name: "slow_call", run: rows::slow_call, floor: "bare" },
    Row { name: "keyed_hit", run: rows::keyed_hit, floor: "bare" },
    Row { name: "closed_async", run: rows::closed_async, floor: "bare_async" },
];

/// Callgrind collects in the functions of this module only.
mod rows {
    use super::{
        Breaker, Config, Context, Duration, Outcome, Poll, Rejected, Waker, black_box,
        circuit_breaker, pin,
    };

    type Answer = Result<u32, Rejected>;

    const DAY: Duration = Duration::from_secs(24 * 60 * 60);

    macro_rules! row {
        ($name:ident, $number:ident => $call:expr) => {
            #[inline(never)]
            pub(crate) fn $name(calls: u32) {
                for $number in 0..calls {
                    let _ = black_box($call);
                }
            }
        };
    }

    #[expect(clippy::unnecessary_wraps, reason = "the floor of those that can fail")]
    fn answer(number: u32) -> Answer {
        Ok(black_box(number))
    }
    row!(bare, number => answer(number));

    #[circuit_breaker]
    fn by_time(number: u32) -> Answer {
        answer(number)
    }
    row!(closed_by_time, number => by_time(number));

    #[circuit_breaker(window = 100)]
    fn by_count(number: u32) -> Answer {
        answer(number)
    }
    row!(closed_by_count, number => by_count(number));

    fn outcome_of_tenths(answer: &Answer) -> Outcome {
        match answer {
            Ok(number) if number % 10 == 9 => Outcome::Failure,
            _ => Outcome::Success,
        }
    }

    #[circuit_breaker(classify = outcome_of_tenths)]
    fn in_tenths(number: u32) -> Answer {
        answer(number)
    }
    row!(a_tenth_fails, number => in_tenths(number));

    #[circuit_breaker(classify = |_| Outcome::Ignored)]
    fn never_counted(number: u32) -> Answer {
        answer(number)
    }
    row!(ignored, number => never_counted(number));

    static OPEN: Breaker = Breaker::new("open", Config::new().threshold(1).cooldown(DAY));

    #[circuit_breaker(breaker = &OPEN)]
    fn while_open(number: u32) -> Answer {
        answer(number)
    }

    pub(crate) fn trip() {
        if let Ok(permit) = OPEN.acquire() {
            permit.failure();
        }
    }
    row!(rejected, number => while_open(number));

    #[circuit_breaker(slow_call = "200ms")]
    fn measured(number: u32) -> Answer {
        answer(number)
    }
    row!(slow_call, number => measured(number));

    const KEYS: [&str; 8] = [
        "a.example",
        "b.example",
        "c.example",
        "d.example",
        "e.example",
        "f.example",
        "g.example",
        "h.example",
    ];

    #[circuit_breaker(key = KEYS[number as usize % KEYS.len()])]
    fn by_key(number: u32) -> Answer {
        answer(number)
    }
    row!(keyed_hit, number => by_key(number));

    #[expect(clippy::unused_async, reason = "the floor of those that wait")]
    async fn answer_async(number: u32) -> Answer {
        answer(number)
    }

    #[circuit_breaker]
    async fn by_time_async(number: u32) -> Answer {
        answer_async(number).await
    }

    fn now<T>(future: impl Future<Output = T>) -> Option<T> {
        match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(value) => Some(value),
            Poll::Pending => None,
        }
    }
    row!(bare_async, number => now(answer_async(number)));
    row!(closed_async, number => now(by_time_async(number)));
}

type Failure = Box<dyn Error>;

fn main() -> Result<ExitCode, Failure> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => compare(),
        ["--accept"] => accept(),
        ["--row", name] => run(name),
        _ => Err("nothing, or `--accept`".into()),
    }
}

/// What callgrind looks at.
fn run(name: &str) -> Result<ExitCode, Failure> {
    let row = ROWS.iter().find(|row| row.name == name).ok_or("no such row")?;
    rows::trip();
    (row.run)(CALLS);
    Ok(ExitCode::SUCCESS)
}

fn reference() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("instructions.txt")
}

const HEAD: &str = "\
# Instructions of one call, without those of the bare function and of the C library. They are exact
# for the toolchain below. If a change of them is meant, write them anew and say in the commit what
# made them change:
#
#     cargo run --release --package breaker-bench --bin instructions -- --accept
";

fn accept() -> Result<ExitCode, Failure> {
    let mut text = format!("{HEAD}\ntoolchain {}\n", toolchain()?);
    for (name, count) in count_all()? {
        writeln!(text, "{name} {count:.1}")?;
    }
    fs::write(reference(), &text)?;
    print!("{text}");
    Ok(ExitCode::SUCCESS)
}

fn compare() -> Result<ExitCode, Failure> {
    let text = fs::read_to_string(reference())?;
    let mut kept: HashMap<&str, &str> = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(' '))
        .collect();
    let (made_for, here) = (kept.remove("toolchain").unwrap_or("none"), toolchain()?);
    if made_for != here {
        println!("instructions: NOT COMPARED, they are kept for {made_for} and this is {here}");
        return Ok(ExitCode::SUCCESS);
    }
    let mut changed = false;
    for (name, count) in count_all()? {
        let Some(before) = kept.remove(name) else {
            println!("{name:16} {count:7.1}   NEW");
            changed = true;
            continue;
        };
        let before: f64 = before.parse()?;
        let percent = (count / before - 1.0) * 100.0;
        let is_within = percent.abs() <= TOLERANCE;
        let verdict = if is_within { "" } else { "   CHANGED" };
        println!("{name:16} {before:7.1} -> {count:7.1} {percent:+6.1} %{verdict}");
        changed |= !is_within;
    }
    if changed {
        println!(
            "\nA call takes more, or fewer, instructions than `benches/instructions.txt` says. If \
             that is meant, accept the new figures:\n\n    cargo run --release --package \
             breaker-bench --bin instructions -- --accept\n"
        );
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

/// Such as `rustc 1.95.0 (59807616e 2026-04-14) x86_64-unknown-linux-gnu`.
fn toolchain() -> Result<String, Failure> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("-vV").output()?;
    let text = String::from_utf8(output.stdout)?;
    let version = text.lines().next().ok_or("rustc does not say its version")?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(format!("{version} {}", host.ok_or("rustc does not say its host")?))
}

/// The rows with the instructions of one call in each, less those of its floor.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
fn count_all() -> Result<Vec<(&'static str, f64)>, Failure> {
    let mut totals = HashMap::new();
    for row in ROWS {
        totals.insert(row.name, count(row.name)?);
    }
    let of_one_call = |row: &Row| {
        let (total, floor) = (totals[row.name], totals[row.floor]);
        (row.name, (total as f64 - floor as f64) / f64::from(CALLS))
    };
    Ok(ROWS.iter().filter(|row| row.name != row.floor).map(of_one_call).collect())
}

/// The instructions of this program in one row's loop.
fn count(row: &str) -> Result<u64, Failure> {
    let program = env::current_exe()?;
    let profile = env::temp_dir().join(format!("instructions.{}.{row}", std::process::id()));
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--collect-atstart=no", "--compress-strings=no"])
        .args(["--compress-pos=no", &format!("--toggle-collect=instructions::rows::{row}")])
        .arg(format!("--callgrind-out-file={}", profile.display()))
        .arg(&program)
        .args(["--row", row])
        .output()
        .map_err(|error| format!("valgrind, which counts the instructions: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let text = fs::read_to_string(&profile)?;
    fs::remove_file(&profile)?;
    let total = instructions_of(&text, &program.to_string_lossy());
    if total < u64::from(CALLS) {
        return Err(format!("callgrind saw nothing of `{row}`").into());
    }
    Ok(total)
}

/// Sums what the functions of one program cost themselves. In a profile, `ob=` says whose functions
/// follow, and the line after `calls=` holds what was called, which is counted at its own place.
fn instructions_of(profile: &str, program: &str) -> u64 {
    let mut total = 0;
    let mut is_ours = false;
    let mut lines = profile.lines();
    while let Some(line) = lines.next() {
        if let Some(object) = line.strip_prefix("ob=") {
            is_ours = object == program;
        } else if line.starts_with("calls=") {
            lines.next();
        } else if is_ours && line.starts_with(|first: char| first.is_ascii_digit()) {
            let cost = line.split(' ').nth(1).and_then(|cost| cost.parse::<u64>().ok());
            total += cost.unwrap_or(0);
        }
    }
    total
}
