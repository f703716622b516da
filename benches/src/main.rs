//! What a call through a breaker costs, beside what the machine asks for by itself and what other
//! breakers cost, in one run:
//!
//! ```sh
//! cargo run --release --package breaker-bench
//! ```
//!
//! `candidates` says what all of them have in common, `floors`, `ours` and `peers` are those,
//! `measure` runs them in turn, `report` and `drawing` show what came out, here and in `docs/`.

mod candidates;
mod drawing;
mod floors;
mod measure;
mod ours;
mod peers;
mod report;

use report::Report;
use std::path::Path;
use std::{env, fs, io};

/// Of the peers, as in this package's manifest.
const VERSIONS: &str = "breaker 2.0.2, circuitbreaker-rs 0.1.1, execution-policy 0.0.6, failsafe \
    1.3.0, governor 0.10.4, recloser 1.4.0, throttle-net 2.0.0, tower-resilience-circuitbreaker \
    0.14.0";

fn main() -> io::Result<()> {
    let mut all = floors::all();
    all.extend(ours::all());
    all.extend(peers::all());
    let report = Report::new(
        measure::measure(&all),
        peers::sizes(),
        ours::size_of_a_keyed(),
        ours::growth_of_a_future(),
    );
    let (table, goals) = (report.table(), report.goals());
    println!("{table}\n{goals}");

    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    fs::create_dir_all(&docs)?;
    fs::write(docs.join("benchmark.svg"), drawing::draw(&report.lines()))?;
    fs::write(docs.join("benchmark.md"), page(&table, &goals))
}

fn page(table: &str, goals: &str) -> String {
    format!(
        "# Benchmark\n\n\
         Written by `cargo run --release --package breaker-bench`, on {} ({}). Each candidate takes \
         its turn in 301 short rounds (of two threads: 101), and the table gives the median round. With two threads, a \
         call's time is that of both threads by the calls of both, in rounds in which both ran. Nanoseconds \
         differ from machine to machine, ratios hardly. What the figures mean, and what was tried, \
         is in [performance.md](performance.md).\n\n\
         `breakerbox` is a function under the attribute, `breakerbox, by hand` the method `call` on a \
         `static`. The *baseline* of a row is no bound but what a breaker would cost that does nothing \
         besides: the call of a function, the lock and its unlock, the clock read where the row's \
         window is by time, two precise ones where calls are measured (`slow_call`), a look-up in a \
         concurrent map where there are keys. A breaker that succeeds without the lock is below it.\n\n\
         ![The same as a picture](benchmark.svg)\n\n\
         {table}\n## Goals\n\n{goals}\n## Peers\n\n\
         {VERSIONS}; half of at least 20 calls opens each of them, over 30 s or 100 calls where they \
         can. They do not all do the same: `failsafe, rate` keeps a moving average and no window, \
         `failsafe, run` counts failures in a row, `throttle-net` by time counts failures but no \
         rate, `tower-resilience` by time keeps every call of the window, so that its cost grows \
         with them, `circuitbreaker-rs` counts since its last change of state and times each call, \
         `governor` is no breaker but a rate limiter. `breaker`, `tower-resilience` and \
         `execution-policy` are async only; their calls are polled once and never wait.\n",
        env::consts::OS,
        env::consts::ARCH,
    )
}
