//! What a configuration would do: traffic goes through the real breaker in virtual time, and what
//! happened is counted and drawn.
//!
//! The files are the stages that data passes through: `args` and `settings` (what is asked for),
//! `traffic` or `log` (the calls), `replay` (the breaker), `figures` and `table` (in numbers), `draw`
//! (as a picture).

pub mod args;
pub mod draw;
pub mod figures;
pub mod log;
pub mod replay;
pub mod settings;
mod table;
pub mod text;
pub mod traffic;

use crate::args::Args;
use crate::draw::Panel;
use crate::figures::Figures;
use crate::settings::Candidate;
use crate::traffic::Traffic;
use anyhow::{Context, Result, bail};
use breakerbox::testing::Clock;
use indicatif::{ProgressBar, ProgressStyle};
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

/// From this many bytes or calls on, a bar shows how far the work is.
const LONG: u64 = 500_000;

/// Does what the arguments say: writes the picture to its file, the table to `out`, and what is worth
/// knowing besides to `notes`.
///
/// # Errors
///
/// If the arguments or the log make no sense, or a file cannot be read or written.
pub fn run(args: &Args, out: &mut impl Write, notes: &mut impl Write) -> Result<()> {
    if args.log.as_ref().is_some_and(|log| is_same_file(log, &args.svg)) {
        bail!("--svg {} is the log: the picture would take its place", args.svg.display());
    }
    let (traffic, panels) = replay_all(args, notes)?;
    let picture = draw::draw(&traffic, &panels);
    fs::write(&args.svg, picture)
        .with_context(|| format!("cannot write {}", args.svg.display()))?;
    write!(out, "{}", table::table(&traffic, &panels))?;
    writeln!(out, "\nThe picture is in {}", args.svg.display())?;
    Ok(())
}

/// The traffic, and what each configuration makes of it.
///
/// # Errors
///
/// If the arguments or the log make no sense, or the log cannot be read.
pub fn replay_all(args: &Args, notes: &mut impl Write) -> Result<(Traffic, Vec<Panel>)> {
    let candidates = settings::candidates(&args.settings, &args.against)?;
    let traffic = traffic(args, notes)?;
    if candidates.iter().any(|candidate| candidate.config.jitter > 0.0) {
        writeln!(notes, "`jitter` is random: another run gives other figures")?;
    }

    let calls = traffic.calls.len() * candidates.len();
    let bar = progress("replaying", u64::try_from(calls)?);
    let clock = Clock::freeze();
    let panels = candidates
        .into_iter()
        .map(|Candidate { label, config }| {
            let replay = replay::replay(&clock, config, &traffic, &bar);
            let figures = Figures::of(&traffic, &replay);
            Panel { label, config, replay, figures }
        })
        .collect();
    bar.finish_and_clear();
    Ok((traffic, panels))
}

/// The calls of the log, or made up.
fn traffic(args: &Args, notes: &mut impl Write) -> Result<Traffic> {
    let Some(path) = &args.log else {
        return traffic::make_up(&args.made_up, &args.outage);
    };
    let name = path.display();
    let file = File::open(path).with_context(|| format!("cannot read {name}"))?;
    let bar = progress("reading", file.metadata().map_or(0, |data| data.len()));
    let log = log::read(bar.wrap_read(file)).with_context(|| format!("cannot use {name}"))?;
    bar.finish_and_clear();

    for fault in &log.faults.first {
        writeln!(notes, "{name}:{fault}")?;
    }
    let unsaid = log.faults.count - log.faults.first.len();
    if unsaid > 0 {
        writeln!(notes, "{name}: and {unsaid} more")?;
    }
    if log.faults.count > 0 && args.strict {
        bail!("{name}: bad lines, {} of them, and --strict", log.faults.count);
    }
    if log.calls.is_empty() {
        bail!("{name}: there is no call in it that can be read");
    }
    if log.faults.count > 0 {
        writeln!(notes, "{name}: bad lines, {} of them, were skipped", log.faults.count)?;
    }
    if log.out_of_order > 0 {
        writeln!(notes, "{name}: lines out of order, {} of them, were sorted", log.out_of_order)?;
    }
    traffic::from_log(log.calls, &args.outage)
}

/// A bar for what takes long. It is seen on a terminal only.
fn progress(what: &'static str, length: u64) -> ProgressBar {
    if length < LONG {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{msg:>9} {wide_bar} {percent:>3} % {eta:>4}")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(length).with_style(style).with_message(what)
}

/// Whether both are there and are one.
fn is_same_file(one: &Path, other: &Path) -> bool {
    match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}
