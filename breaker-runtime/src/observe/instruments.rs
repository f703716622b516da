//! What is measured: one table for all exporters.

use super::collect::Seen;
use crate::rejected::RejectedKind;
use std::time::Duration;

/// One row of the table. Each of its points has the label `breaker`, which is the family's name, and
/// those that `read` gives.
pub(super) struct Instrument {
    /// As OpenTelemetry writes names; Prometheus' are made from it.
    pub(super) name: &'static str,
    /// As UCUM writes it; in braces what is counted.
    pub(super) unit: &'static str,
    pub(super) help: &'static str,
    pub(super) read: Read,
}

/// How an instrument gets its points. Counts and times never fall, levels go up and down.
pub(super) enum Read {
    Count(fn(&Seen, Points<'_, u64>)),
    Time(fn(&Seen) -> Duration),
    Level(fn(&Seen, Points<'_, f64>)),
}

type Points<'a, T> = &'a mut dyn FnMut(Labels<'_>, T);
pub(super) type Labels<'a> = &'a [(&'static str, &'static str)];

pub(super) static INSTRUMENTS: [Instrument; 11] = [
    Instrument {
        name: "breakerbox.calls",
        unit: "{call}",
        help: "Admitted calls that have ended, by what they counted as.",
        read: Read::Count(|seen, point| {
            let totals = &seen.totals;
            point(&[("outcome", "success")], totals.success);
            point(&[("outcome", "failure")], totals.failure);
            point(&[("outcome", "ignored")], totals.ignored);
            point(&[("outcome", "late")], totals.late);
        }),
    },
    Instrument {
        name: "breakerbox.slow_calls",
        unit: "{call}",
        help: "Successes and failures that were slow.",
        read: Read::Count(|seen, point| point(&[], seen.totals.slow)),
    },
    Instrument {
        name: "breakerbox.rejected_calls",
        unit: "{call}",
        help: "Calls that were not let through, by reason.",
        read: Read::Count(|seen, point| {
            // Those that timed out were let through.
            for kind in RejectedKind::ALL.into_iter().filter(|kind| *kind != RejectedKind::TimedOut)
            {
                point(&[("kind", kind.as_str())], seen.totals.rejected(kind));
            }
        }),
    },
    Instrument {
        name: "breakerbox.timed_out_calls",
        unit: "{call}",
        help: "Admitted calls that took longer than their timeout; they are among the failures or the late.",
        read: Read::Count(|seen, point| point(&[], seen.totals.rejected(RejectedKind::TimedOut))),
    },
    Instrument {
        name: "breakerbox.fallbacks",
        unit: "{call}",
        help: "Rejected calls that a fallback answered.",
        read: Read::Count(|seen, point| point(&[], seen.totals.fallbacks)),
    },
    Instrument {
        name: "breakerbox.probes",
        unit: "{call}",
        help: "Calls let through to see whether the dependency is well again.",
        read: Read::Count(|seen, point| point(&[], seen.totals.probes)),
    },
    Instrument {
        name: "breakerbox.transitions",
        unit: "{transition}",
        help: "Changes of the state.",
        read: Read::Count(|seen, point| {
            for (change, count) in &seen.transitions {
                let (from, to) = (change.from.as_str(), change.to.as_str());
                point(&[("from", from), ("to", to), ("cause", change.cause.as_str())], *count);
            }
        }),
    },
    Instrument {
        name: "breakerbox.open",
        unit: "s",
        help: "Time spent open, by hand too.",
        read: Read::Time(|seen| seen.totals.open),
    },
    Instrument {
        name: "breakerbox.state",
        unit: "{breaker}",
        help: "Breakers that are in this state.",
        read: Read::Level(|seen, point| {
            for (state, breakers) in seen.states() {
                point(&[("state", state.as_str())], f64::from(breakers));
            }
        }),
    },
    Instrument {
        name: "breakerbox.window.calls",
        unit: "{call}",
        help: "Calls in the window that is judged; none unless closed.",
        read: Read::Level(|seen, point| point(&[], seen.window_calls)),
    },
    Instrument {
        name: "breakerbox.window.failure_ratio",
        unit: "1",
        help: "Share of failures in the window that is judged; zero while it is empty.",
        read: Read::Level(|seen, point| point(&[], seen.failure_ratio())),
    },
];
