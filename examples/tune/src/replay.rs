//! The calls through a breaker, in virtual time: each holds its permit until it ends, so that calls
//! overlap as they do in life.

use crate::text::LONGEST;
use crate::traffic::{Call, Ending, Traffic};
use breakerbox::testing::Clock;
use breakerbox::{Breaker, Cause, Config, Permit, State, Transition, Window, WindowCounts};
use indicatif::ProgressBar;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Duration;

/// About as many looks into the window as a picture can show.
const LOOKS: usize = 4_000;
/// Calls between two moves of the progress bar.
const STRIDE: usize = 1 << 14;

/// What happened.
#[derive(Debug, Default)]
pub struct Replay {
    /// What became of each call.
    pub fates: Vec<Fate>,
    /// The changes of the state.
    pub turns: Vec<Turn>,
    /// What the window held, now and then while closed.
    pub looks: Vec<Look>,
}

/// What became of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// Let through.
    Admitted,
    /// Let through as a probe.
    Probe,
    /// Not let through.
    Rejected,
}

/// A change of the state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turn {
    /// When.
    pub at: Duration,
    /// The state before.
    pub from: State,
    /// The state after.
    pub to: State,
    /// Why.
    pub cause: Cause,
    /// What the window held just before.
    pub window: WindowCounts,
    /// The place of the call that brought it about, as it began or as it ended.
    pub call: usize,
}

/// What the window held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// When.
    pub at: Duration,
    /// What it held; `None` where the breaker stops being closed, and keeps no window.
    pub window: Option<WindowCounts>,
}

/// Sends the calls through a breaker of its own, while the clock stands still but for this.
///
/// # Panics
///
/// If the configuration makes no sense. One that was deserialised does.
#[must_use]
pub fn replay(clock: &Clock, config: Config, traffic: &Traffic, bar: &ProgressBar) -> Replay {
    let breaker = Breaker::try_new("tune", config).expect("checked").on_transition(notice);
    // However short a time the machine has been up: the slices of a window begin with the first call.
    if let Window::Time(time) = config.window {
        clock.advance(time.min(LONGEST));
    }
    let every = traffic.calls.len() / LOOKS + 1;
    let mut run = Run {
        clock,
        breaker: &breaker,
        now: Duration::ZERO,
        under_way: BTreeMap::new(),
        ended: 0,
        every,
        replay: Replay::default(),
    };
    for (place, call) in traffic.calls.iter().enumerate() {
        run.end_until(&traffic.calls, call.at);
        run.begin(place, call);
        if place % STRIDE == 0 {
            bar.inc(STRIDE as u64);
        }
    }
    run.end_until(&traffic.calls, Duration::MAX);
    run.replay
}

struct Run<'a> {
    clock: &'a Clock,
    breaker: &'a Breaker,
    now: Duration,
    /// By when they end, and of those that end together the first to begin first.
    under_way: BTreeMap<(Duration, usize), Permit<'a>>,
    ended: usize,
    /// The window is looked into when so many calls have ended.
    every: usize,
    replay: Replay,
}

impl Run<'_> {
    fn begin(&mut self, place: usize, call: &Call) {
        self.advance_to(call.at);
        let fate = match self.breaker.acquire() {
            Err(_rejected) => Fate::Rejected,
            Ok(permit) => {
                self.under_way.insert((call.end(), place), permit);
                // Nothing else is let through while half-open, and this may be what made it so.
                if self.breaker.state() == State::HalfOpen { Fate::Probe } else { Fate::Admitted }
            }
        };
        self.replay.fates.push(fate);
        self.keep_turns(place);
    }

    /// Ends the calls that are over by then.
    fn end_until(&mut self, calls: &[Call], then: Duration) {
        while let Some(next) = self.under_way.first_entry() {
            let (end, place) = *next.key();
            if end > then {
                break;
            }
            let permit = next.remove();
            self.advance_to(end);
            match calls[place].ending {
                Ending::Outcome(outcome) => permit.record(outcome),
                Ending::Cancelled => drop(permit),
            }
            self.keep_turns(place);
            self.ended += 1;
            if self.ended % self.every == 0 && self.breaker.state() == State::Closed {
                let window = Some(self.breaker.snapshot().window);
                self.replay.looks.push(Look { at: end, window });
            }
        }
    }

    fn advance_to(&mut self, then: Duration) {
        self.clock.advance(then.saturating_sub(self.now));
        self.now = then;
    }

    fn keep_turns(&mut self, call: usize) {
        let at = self.now;
        for Transition { from, to, cause, window, .. } in NOTICED.take() {
            if from == State::Closed {
                self.replay.looks.push(Look { at, window: Some(window) });
                self.replay.looks.push(Look { at, window: None });
            }
            self.replay.turns.push(Turn { at, from, to, cause, window, call });
        }
    }
}

thread_local! {
    /// A listener is a plain function: what it hears waits here for the run that made it happen.
    static NOTICED: RefCell<Vec<Transition>> = const { RefCell::new(Vec::new()) };
}

fn notice(transition: &Transition) {
    NOTICED.with_borrow_mut(|noticed| noticed.push(transition.clone()));
}
