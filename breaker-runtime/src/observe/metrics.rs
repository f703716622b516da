//! The feature `metrics`: all breakers in the [`metrics`](https://docs.rs/metrics) facade, for
//! Prometheus and whatever else has a recorder.
//!
//! Calls pay nothing for it: [`publish`] fills the recorder from snapshots. Call it just before your
//! exporter is asked: in the handler of your metrics page, or every few seconds where the exporter
//! has a page, or a push, of its own.
//!
//! | metric | kind | labels besides `breaker` | meaning |
//! |---|---|---|---|
//! | `breakerbox_calls_total` | counter | `outcome`: `success`, `failure`, `ignored`, `late` | admitted calls that have ended, by what they counted as |
//! | `breakerbox_slow_calls_total` | counter | | successes and failures that were slow |
//! | `breakerbox_rejected_calls_total` | counter | `kind`: `open`, `probes_busy`, `forced_open` | calls that were not let through |
//! | `breakerbox_timed_out_calls_total` | counter | | admitted calls that took longer than their `timeout`; they are among the failures, or the late |
//! | `breakerbox_fallbacks_total` | counter | | rejected calls that a fallback answered |
//! | `breakerbox_probes_total` | counter | | calls let through to see whether the dependency is well again |
//! | `breakerbox_transitions_total` | counter | `from`, `to`: states; `cause`: as in [`Cause`](crate::Cause::as_str) | changes of the state, those by hand too |
//! | `breakerbox_open_seconds_total` | counter | | whole seconds spent open, by hand too |
//! | `breakerbox_state` | gauge | `state`: `closed`, `open`, `half_open`, `forced_open`, `disabled` | breakers that are in this state: 1 for one of them and 0 for the others, for a lone breaker |
//! | `breakerbox_window_calls` | gauge | | calls in the window that is judged; none unless closed |
//! | `breakerbox_window_failure_ratio` | gauge | | share of failures in that window, 0 to 1; 0 while it is empty |
//!
//! **The label `breaker`** is the breaker's name. The breakers of one [`Keyed`](crate::Keyed) are
//! summed under the name of the `Keyed`, so that keys, which come from outside, can neither multiply
//! the series nor forge a label; `breakerbox_state` then says how many of them are in each state.
//! Breakers that share a name are summed too. All other names are the program's own: give breakers
//! that are made at run time few of them.
//!
//! **Which breakers**: those of the [panel](crate::panel). **Counters never fall**: not by a reset,
//! not when a key is evicted, not when a [`Breaker::shared`](crate::Breaker::shared) or a `Keyed` is
//! dropped.
//!
//! Two alerts that most services want:
//!
//! ```text
//! max by (breaker) (breakerbox_state{state=~"open|half_open|forced_open"}) > 0   # for 1m
//! rate(breakerbox_fallbacks_total[5m]) > 0                                      # degraded answers
//! ```

use super::collect::collect;
use super::instruments::{INSTRUMENTS, Instrument, Labels, Read};
use metrics::{Label, Unit};

/// Brings the recorder that is in force up to date: the global one, or the thread's local one.
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::{Breaker, Config, panel};
///
/// static SEARCH: Breaker = Breaker::new("search", Config::new());
/// panel().add(&SEARCH);
///
/// fn metrics_page() -> String {
///     breakerbox::metrics::publish();
///     // … and what your exporter renders.
/// #   String::new()
/// }
/// # metrics_page();
/// ```
pub fn publish() {
    let families = collect();
    for instrument in &INSTRUMENTS {
        let name = prometheus_name(instrument);
        describe(&name, instrument);
        for (breaker, seen) in &families {
            let labels = |labels: Labels<'_>| labels_of(breaker, labels);
            match instrument.read {
                Read::Count(read) => read(seen, &mut |point, count| {
                    metrics::counter!(name.clone(), labels(point)).absolute(count);
                }),
                Read::Time(read) => {
                    metrics::counter!(name.clone(), labels(&[])).absolute(read(seen).as_secs());
                }
                Read::Level(read) => read(seen, &mut |point, level| {
                    metrics::gauge!(name.clone(), labels(point)).set(level);
                }),
            }
        }
    }
}

/// Underscores for dots, then the unit, then `total` for what only grows.
fn prometheus_name(instrument: &Instrument) -> String {
    let name = instrument.name.replace('.', "_");
    match instrument.read {
        Read::Count(_) => name + "_total",
        Read::Time(_) => name + "_seconds_total",
        Read::Level(_) => name,
    }
}

fn describe(name: &str, instrument: &Instrument) {
    let (name, help) = (name.to_owned(), instrument.help);
    let unit = if instrument.unit == "s" { Unit::Seconds } else { Unit::Count };
    match instrument.read {
        Read::Count(_) | Read::Time(_) => metrics::describe_counter!(name, unit, help),
        Read::Level(_) => metrics::describe_gauge!(name, unit, help),
    }
}

fn labels_of(breaker: &str, others: Labels<'_>) -> Vec<Label> {
    let breaker = Label::new("breaker", breaker.to_owned());
    let others = others.iter().map(|(name, value)| Label::from_static_parts(name, value));
    std::iter::once(breaker).chain(others).collect()
}
