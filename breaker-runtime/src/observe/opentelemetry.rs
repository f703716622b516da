//! The feature `opentelemetry`: all breakers as observable instruments of an
//! [`opentelemetry`](https://docs.rs/opentelemetry) meter.
//!
//! Calls pay nothing for it: the instruments read snapshots when the reader of the meter asks.
//!
//! | instrument | kind | unit | attributes besides `breaker` |
//! |---|---|---|---|
//! | `breakerbox.calls` | counter | `{call}` | `outcome`: `success`, `failure`, `ignored`, `late` |
//! | `breakerbox.slow_calls` | counter | `{call}` | |
//! | `breakerbox.rejected_calls` | counter | `{call}` | `kind`: `open`, `probes_busy`, `forced_open` |
//! | `breakerbox.timed_out_calls` | counter | `{call}` | |
//! | `breakerbox.fallbacks` | counter | `{call}` | |
//! | `breakerbox.probes` | counter | `{call}` | |
//! | `breakerbox.transitions` | counter | `{transition}` | `from`, `to`: states; `cause`: as in [`Cause`](crate::Cause::as_str) |
//! | `breakerbox.open` | counter | `s` | |
//! | `breakerbox.state` | gauge | `{breaker}` | `state`: `closed`, `open`, `half_open`, `forced_open`, `disabled` |
//! | `breakerbox.window.calls` | gauge | `{call}` | |
//! | `breakerbox.window.failure_ratio` | gauge | `1` | |
//!
//! They mean what their namesakes of the feature `metrics` mean: the breakers of the
//! [panel](crate::panel), those of one [`Keyed`](crate::Keyed) or of one name summed under the
//! attribute `breaker`, so that keys from outside can neither multiply the series nor forge an
//! attribute; and counters never fall, whatever is reset, evicted or dropped.

use super::collect::{Seen, collect};
use super::instruments::{INSTRUMENTS, Labels, Read};
use super::ledger::ByFamily;
use opentelemetry::KeyValue;
use opentelemetry::metrics::Meter;
use parking_lot::Mutex;
use std::sync::Arc;

/// Gives the meter the instruments of all breakers, also of those that are yet to come. Once for
/// each meter provider: a second time would observe everything twice.
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// fn set_up(meter: &opentelemetry::metrics::Meter) {
///     breakerbox::opentelemetry::register(meter);
/// }
/// set_up(&opentelemetry::global::meter("shop"));
/// ```
pub fn register(meter: &Meter) {
    let source = Arc::new(Source::default());
    for (place, instrument) in INSTRUMENTS.iter().enumerate() {
        let source = Arc::clone(&source);
        macro_rules! build {
            ($kind:ident, $observe:expr) => {{
                let observe = $observe;
                meter
                    .$kind(instrument.name)
                    .with_unit(instrument.unit)
                    .with_description(instrument.help)
                    .with_callback(move |observer| {
                        for (breaker, seen) in source.families(place).iter() {
                            observe(seen, &mut |labels: Labels<'_>, value| {
                                observer.observe(value, &attributes(breaker, labels));
                            });
                        }
                    })
                    .build();
            }};
        }
        match instrument.read {
            Read::Count(read) => build!(u64_observable_counter, read),
            Read::Time(read) => build!(f64_observable_counter, move |seen: &Seen,
                                                                     point: &mut dyn FnMut(
                Labels<'_>,
                f64,
            )| {
                point(&[], read(seen).as_secs_f64());
            }),
            Read::Level(read) => build!(f64_observable_gauge, read),
        }
    }
}

fn attributes(breaker: &str, others: Labels<'_>) -> Vec<KeyValue> {
    let breaker = KeyValue::new("breaker", breaker.to_owned());
    let others = others.iter().map(|(name, value)| KeyValue::new(*name, *value));
    std::iter::once(breaker).chain(others).collect()
}

/// Looks at the breakers once for each export: every instrument asks once, so the first that asks
/// again begins another export.
#[derive(Default)]
struct Source(Mutex<Taken>);

#[derive(Default)]
struct Taken {
    families: Option<Arc<ByFamily<Seen>>>,
    by: [bool; INSTRUMENTS.len()],
}

impl Source {
    fn families(&self, place: usize) -> Arc<ByFamily<Seen>> {
        let mut taken = self.0.lock();
        if taken.by[place] {
            *taken = Taken::default();
        }
        taken.by[place] = true;
        Arc::clone(taken.families.get_or_insert_with(|| Arc::new(collect())))
    }
}
