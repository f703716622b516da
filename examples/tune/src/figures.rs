//! What a replay comes to, in numbers. `--help` says what each means.

use crate::replay::{Fate, Replay};
use crate::text::Range;
use crate::traffic::Traffic;
use breakerbox::State;
use std::time::Duration;

/// How a configuration did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figures {
    /// How often it went from closed to open.
    pub openings: usize,
    /// Calls let through that failed.
    pub failures: usize,
    /// Calls let through while half-open.
    pub probes: usize,
    /// Calls not let through.
    pub rejected: usize,
    /// Calls not let through that would have succeeded.
    pub refused_successes: usize,
    /// What can be told only if it is known when the dependency was failing.
    pub judged: Option<Judged>,
}

/// How a configuration did beside what was wrong with the dependency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// Openings by a call that began outside of every outage.
    pub false_openings: usize,
    /// Calls not let through outside of every outage.
    pub refused_needlessly: usize,
    /// One for each outage, in order.
    pub outages: Vec<Handled>,
}

/// How a configuration dealt with an outage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Handled {
    /// Calls let through during it.
    pub reached: usize,
    /// From its start until open; zero if it was open before; `None` if it did not open.
    pub opened_after: Option<Duration>,
    /// From its end until closed.
    pub recovery: Recovery,
}

/// How a breaker comes back after an outage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recovery {
    /// It never opened.
    NotNeeded,
    /// It is closed so long after the end.
    After(Duration),
    /// It was not closed when the traffic ended.
    NotYet,
}

/// From an opening until it is closed again.
struct Stretch {
    from: Duration,
    to: Option<Duration>,
    /// When the call began that opened it.
    by_call_of: Duration,
}

impl Figures {
    /// Counts.
    #[must_use]
    pub fn of(traffic: &Traffic, replay: &Replay) -> Self {
        let stretches = stretches(traffic, replay);
        let mut figures = Self {
            openings: stretches.len(),
            failures: 0,
            probes: 0,
            rejected: 0,
            refused_successes: 0,
            judged: None,
        };
        let mut refused_needlessly = 0;
        let mut reached = vec![0; traffic.outages.iter().flatten().count()];
        for (call, fate) in traffic.calls.iter().zip(&replay.fates) {
            let outage = traffic.outage_at(call.at);
            if *fate == Fate::Rejected {
                figures.rejected += 1;
                figures.refused_successes += usize::from(call.ending.is_success());
                refused_needlessly += usize::from(outage.is_none());
            } else {
                figures.probes += usize::from(*fate == Fate::Probe);
                figures.failures += usize::from(call.ending.is_failure());
                if let Some(outage) = outage {
                    reached[outage] += 1;
                }
            }
        }
        figures.judged = traffic.outages.as_ref().map(|outages| Judged {
            false_openings: stretches
                .iter()
                .filter(|stretch| traffic.outage_at(stretch.by_call_of).is_none())
                .count(),
            refused_needlessly,
            outages: outages
                .iter()
                .zip(reached)
                .map(|(outage, reached)| handled(*outage, reached, &stretches))
                .collect(),
        });
        figures
    }
}

fn stretches(traffic: &Traffic, replay: &Replay) -> Vec<Stretch> {
    let mut stretches: Vec<Stretch> = Vec::new();
    for turn in &replay.turns {
        if turn.from == State::Closed {
            let by_call_of = traffic.calls[turn.call].at;
            stretches.push(Stretch { from: turn.at, to: None, by_call_of });
        } else if turn.to == State::Closed {
            if let Some(stretch) = stretches.last_mut() {
                stretch.to = Some(turn.at);
            }
        }
    }
    stretches
}

/// An outage is answered for by the stretches that its calls began, and by one that it finds.
fn handled(outage: Range, reached: usize, stretches: &[Stretch]) -> Handled {
    let finds = |stretch: &Stretch| {
        stretch.from <= outage.start && stretch.to.is_none_or(|to| to > outage.start)
    };
    let mut answers =
        stretches.iter().filter(|stretch| finds(stretch) || outage.contains(stretch.by_call_of));
    let first = answers.next();
    let recovery = match answers.next_back().or(first) {
        None => Recovery::NotNeeded,
        Some(Stretch { to: Some(to), .. }) => Recovery::After(to.saturating_sub(outage.end)),
        Some(Stretch { to: None, .. }) => Recovery::NotYet,
    };
    let opened_after = first.map(|stretch| stretch.from.saturating_sub(outage.start));
    Handled { reached, opened_after, recovery }
}
