//! One configuration, in four lanes: the calls, the window's rate beside the line, the states, the
//! probes. Nothing is drawn finer than a pixel, so a long log makes no longer file.

use super::scale::{LEFT, RIGHT, Scale, number};
use super::{Panel, circle, line, rectangle, text};
use crate::replay::{Fate, Turn};
use crate::text::{exact, shown};
use crate::traffic::Traffic;
use breakerbox::{State, WindowCounts};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::Duration;
use svg::Node;
use svg::node::element::{Group, Path, Title};

const CALLS: f64 = 64.0;
const RATE: f64 = 48.0;
const STATES: f64 = 14.0;
const PROBES: f64 = 12.0;
const GAP: f64 = 8.0;
const TICKS: f64 = 14.0;
/// A state that lasts no longer than a few calls is still to be seen.
const NARROWEST: f64 = 2.0;
const MOST_BARS: u32 = 200;
const MOST_TICKS: u32 = 9;

pub(super) struct Lanes<'a> {
    pub(super) top: f64,
    pub(super) scale: Scale,
    pub(super) traffic: &'a Traffic,
    pub(super) panel: &'a Panel,
}

impl Lanes<'_> {
    pub(super) fn draw(&self) -> Group {
        let mut group = Group::new();
        let height = self.probes() + PROBES - self.top;
        for outage in self.traffic.outages.iter().flatten() {
            let (from, to) = (self.scale.x(outage.start), self.scale.x(outage.end));
            group.append(rectangle("outage", from, self.top, to - from, height));
        }
        let bottoms = [self.top + CALLS, self.rates() + RATE];
        for y in bottoms {
            group.append(line("frame", (LEFT, y), (RIGHT, y)));
        }
        let per_bar = format!("per {}", exact(self.scale.step(MOST_BARS)));
        let names = [
            ("calls", self.top + CALLS / 2.0),
            (&per_bar, self.top + CALLS / 2.0 + 12.0),
            ("rate", self.rates() + RATE / 2.0),
            ("state", self.states() + STATES - 3.0),
            ("probes", self.probes() + PROBES - 2.0),
        ];
        for (name, y) in names {
            group.append(text("small lane", LEFT - GAP, y, name.to_owned()));
        }
        group
            .add(self.bars())
            .add(self.window())
            .add(self.bands())
            .add(self.marks())
            .add(self.axis())
    }

    pub(super) fn bottom(&self) -> f64 {
        self.probes() + PROBES + TICKS
    }

    fn rates(&self) -> f64 {
        self.top + CALLS + GAP
    }

    fn states(&self) -> f64 {
        self.rates() + RATE + GAP
    }

    fn probes(&self) -> f64 {
        self.states() + STATES + 2.0
    }

    /// The calls by when they began: failed at the bottom, then succeeded, then rejected.
    fn bars(&self) -> Group {
        let step = self.scale.step(MOST_BARS);
        let starts: Vec<Duration> = self.scale.multiples(step).collect();
        let mut bars = vec![[0_usize; 3]; starts.len()];
        for (call, fate) in self.traffic.calls.iter().zip(&self.panel.replay.fates) {
            let kind = match fate {
                Fate::Rejected => 2,
                _ if call.ending.is_failure() => 0,
                _ => 1,
            };
            let bar = usize::try_from(call.at.as_nanos() / step.as_nanos()).unwrap_or(usize::MAX);
            bars[bar.min(starts.len() - 1)][kind] += 1;
        }
        let highest = bars.iter().map(|bar| bar.iter().sum()).max().unwrap_or(0).max(1);
        let unit = CALLS / number(highest);
        let mut paths = [String::new(), String::new(), String::new()];
        for (start, bar) in starts.into_iter().zip(bars) {
            let left = self.scale.x(start);
            let width = (self.scale.x(start + step) - left - 0.5).max(0.5);
            let mut y = self.top + CALLS;
            for (path, count) in paths.iter_mut().zip(bar).filter(|(_, count)| *count > 0) {
                let height = unit * number(count);
                y -= height;
                let _ = write!(path, "M{left:.1} {y:.1}h{width:.1}v{height:.1}h-{width:.1}z");
            }
        }
        let per = format!("{highest} in {}", exact(step));
        let label = text("small lane", LEFT - GAP, self.top + 9.0, highest.to_string());
        let mut group = Group::new().add(label.add(Title::new(per)));
        for (path, class) in paths.into_iter().zip(["failed", "succeeded", "rejected"]) {
            group.append(Path::new().set("class", class).set("d", path));
        }
        group
    }

    /// The shares of failures and of slow calls in the window, beside what opens.
    fn window(&self) -> Group {
        let config = &self.panel.config;
        let mut group = self.share("failing", config.rate, |window| window.failures);
        if config.slow_call.is_some() {
            let limit = config.slow_rate.unwrap_or(1.0);
            group.append(self.share("slow", limit, |window| window.slow));
        }
        group
    }

    fn share(&self, class: &str, limit: f64, part: fn(&WindowCounts) -> u32) -> Group {
        let height = |share: f64| self.rates() + RATE * (1.0 - share);
        let mut judged = String::new();
        let mut unjudged = String::new();
        // The place before, from which the line goes on.
        let mut before: Option<(f64, f64)> = None;
        for look in &self.panel.replay.looks {
            let Some(window) = look.window else {
                before = None;
                continue;
            };
            let share = f64::from(part(&window)) / f64::from(window.calls.max(1));
            let (x, y) = (self.scale.x(look.at), height(share));
            let (from_x, from_y) = before.unwrap_or((x, height(0.0)));
            // Within a pixel only what goes up is drawn.
            if before.is_some() && x - from_x < 1.0 && y >= from_y {
                continue;
            }
            let is_judged = window.calls >= self.panel.config.threshold;
            let path = if is_judged { &mut judged } else { &mut unjudged };
            let _ = write!(path, "M{from_x:.1} {from_y:.1}L{x:.1} {y:.1}");
            before = Some((x, y));
        }
        let y = height(limit);
        Group::new()
            .add(line(&format!("limit {class}"), (LEFT, y), (RIGHT, y)))
            .add(Path::new().set("class", format!("{class} unjudged")).set("d", unjudged))
            .add(Path::new().set("class", class).set("d", judged))
    }

    fn bands(&self) -> Group {
        let turns = &self.panel.replay.turns;
        let mut group = Group::new();
        let mut drawn = BTreeSet::new();
        let mut add = |state: State, from: Duration, to: Duration, by: Option<&Turn>| {
            let (left, right) = (self.scale.x(from), self.scale.x(to));
            if !drawn.insert((format!("{left:.0}"), format!("{right:.0}"), state.as_str())) {
                return;
            }
            let width = (right - left).max(NARROWEST);
            let band = rectangle(state.as_str(), left, self.states(), width, STATES);
            group.append(band.add(Title::new(said(state, from, to, by))));
            if width > 36.0 && state != State::Closed {
                let middle = left + width / 2.0;
                let y = self.states() + STATES - 4.0;
                group.append(text("inside", middle, y, state.to_string()));
            }
        };
        let ends = turns.iter().skip(1).map(|turn| turn.at).chain([self.scale.span]);
        let first = turns.first().map_or(self.scale.span, |turn| turn.at);
        add(State::Closed, Duration::ZERO, first, None);
        for (turn, end) in turns.iter().zip(ends) {
            add(turn.to, turn.at, end.max(turn.at), Some(turn));
        }
        group
    }

    /// The probes, by when they began.
    fn marks(&self) -> Group {
        let y = self.probes() + PROBES / 2.0;
        let mut drawn = BTreeSet::new();
        let mut group = Group::new();
        for (call, fate) in self.traffic.calls.iter().zip(&self.panel.replay.fates) {
            let class = if call.ending.is_failure() { "probe-failed" } else { "probe-succeeded" };
            let x = self.scale.x(call.at);
            if *fate == Fate::Probe && drawn.insert((format!("{x:.0}"), class)) {
                group.append(circle(class, x, y));
            }
        }
        group
    }

    fn axis(&self) -> Group {
        let mut group = Group::new();
        for moment in self.scale.multiples(self.scale.step(MOST_TICKS)) {
            let y = self.bottom() - 2.0;
            let name = if moment.is_zero() { "0".to_owned() } else { exact(moment) };
            group.append(text("small tick", self.scale.x(moment), y, name));
        }
        group
    }
}

/// What a pointer that rests on a band is told.
fn said(state: State, from: Duration, to: Duration, by: Option<&Turn>) -> String {
    let mut said = format!("{state} from {} to {}", shown(from), shown(to));
    if let Some(turn) = by {
        let _ = write!(said, ": {}", turn.cause);
        let WindowCounts { calls, failures, slow, .. } = turn.window;
        if calls > 0 {
            let _ = write!(said, ", {failures} of {calls} failed, {slow} slow");
        }
    }
    said
}
