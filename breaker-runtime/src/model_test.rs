//! The state machine beside a naive model of the same rules, under random settings and random
//! events: both must admit, reject, count and change alike at every step. `breaker` puts a whole
//! breaker in the machine's place.
//!
//! The model keeps every outcome and every probe as they came, and computes what it needs from them
//! each time. `PROPTEST_CASES` says how many sequences are tried; those that once failed are kept in
//! `proptest-regressions/`.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the numbers of a test are small, and none is negative"
)]

#[cfg(feature = "test-util")]
mod breaker;

use crate::clock::Nanos;
use crate::config::{Cancelled, Config, Window, nanos};
use crate::policy::Policy;
use crate::rejected::RejectedKind;
use crate::state::{Admission, End, Machine, Surroundings, Token};
use crate::transition::{Cause, State};
use proptest::collection::vec;
use proptest::prelude::*;
use std::time::Duration;

#[derive(Debug, Clone, Copy)]
enum Event {
    Call,
    /// Ends one of the calls in flight: which, how, the time asked for, how long it took.
    End(prop::sample::Index, End, Nanos, u32),
    After(u64),
    /// To the next moment at which something changes by itself, or a nanosecond around it.
    ToEdge(u64),
    StepBack(u64),
    ForceOpen,
    Disable,
    Reset,
    Reconfigure,
}

impl Event {
    fn is_by_hand(&self) -> bool {
        matches!(self, Self::ForceOpen | Self::Disable | Self::Reset | Self::Reconfigure)
    }
}

struct Model {
    config: Config,
    state: State,
    generation: u64,
    /// Outcomes in Closed: slice, failed, slow.
    outcomes: Vec<(u64, bool, bool)>,
    /// When the grid of slices began, and the slice under way.
    grid: Nanos,
    slice: u64,
    run: u32,
    deadline: Nanos,
    /// Calls, failures and slow ones of the window that opened it.
    opened: (u32, u32, u32),
    cooldown: Nanos,
    failed_recoveries: u32,
    forgiven_at: Nanos,
    probes: Vec<(u64, Nanos)>,
    succeeded: u32,
    totals: [u64; 5],
    admitted: u64,
}

#[derive(Debug, Clone, Copy)]
struct Call {
    id: u64,
    generation: u64,
    token: Token,
}

impl Model {
    fn new(config: Config) -> Self {
        Self {
            config,
            state: State::Closed,
            generation: 0,
            outcomes: Vec::new(),
            grid: 0,
            slice: 0,
            run: 0,
            deadline: 0,
            opened: (0, 0, 0),
            cooldown: 0,
            failed_recoveries: 0,
            forgiven_at: 0,
            probes: Vec::new(),
            succeeded: 0,
            totals: [0; 5],
            admitted: 0,
        }
    }

    fn go(&mut self, state: State) {
        self.state = state;
        self.generation += 1;
        self.outcomes.clear();
        self.probes.clear();
        (self.grid, self.slice, self.run, self.succeeded) = (0, 0, 0, 0);
    }

    fn open(&mut self, now: Nanos, asked: Nanos, random: u32) {
        self.failed_recoveries = match self.state {
            State::HalfOpen => self.failed_recoveries + 1,
            _ if now >= self.forgiven_at => 0,
            _ => self.failed_recoveries + 1,
        };
        let base = u128::from(nanos(self.config.cooldown));
        let most = self.config.max_cooldown.map_or(base, |most| u128::from(nanos(most)));
        let mut cooldown = base;
        for _ in 0..self.failed_recoveries.min(64) {
            cooldown = (cooldown * 2).min(most);
        }
        let hour = 3_600_000_000_000;
        let most_asked = self.config.max_cooldown.map_or(hour, |most| u128::from(nanos(most)));
        cooldown = cooldown.max(u128::from(asked).min(most_asked));
        let jitter = (self.config.jitter * 1e6).round() as u128;
        cooldown += cooldown * jitter * u128::from(random) / (1_000_000 << 32);
        self.cooldown = cooldown.min(u128::from(u64::MAX)) as u64;
        self.deadline = now.saturating_add(self.cooldown);
        self.opened = self.count();
        self.go(State::Open);
    }

    fn admit(&mut self, now: Nanos, random: u32) -> Result<u64, (RejectedKind, Option<Nanos>)> {
        let id = self.admitted;
        match self.state {
            State::ForcedOpen => return Err((RejectedKind::ForcedOpen, None)),
            State::Open if now < self.deadline => {
                return Err((RejectedKind::Open, Some(self.deadline - now)));
            }
            State::Open => {
                self.go(State::HalfOpen);
                self.probes.push((id, now));
            }
            State::HalfOpen => {
                let in_flight = self.probes.len() as u32;
                let at_once = self.config.probe_concurrency.unwrap_or(self.config.probes);
                if self.succeeded + in_flight < self.config.probes && in_flight < at_once {
                    self.probes.push((id, now));
                } else {
                    let oldest = self.probes.iter().map(|probe| probe.1).min().unwrap();
                    if now.saturating_sub(oldest) < nanos(self.config.probe_timeout) {
                        return Err((RejectedKind::ProbesBusy, None));
                    }
                    self.open(now, 0, random);
                    return Err((RejectedKind::Open, Some(self.cooldown)));
                }
            }
            State::Closed | State::Disabled => {}
        }
        self.admitted += 1;
        Ok(id)
    }

    fn settle(
        &mut self,
        call: &Call,
        (end, asked): (End, Nanos),
        elapsed: Nanos,
        now: Nanos,
        random: u32,
    ) {
        let [success, failure, ignored, late, slow_calls] = &mut self.totals;
        if call.generation != self.generation {
            *late += 1;
            return;
        }
        self.probes.retain(|probe| probe.0 != call.id);
        let failed = match end {
            End::Cancelled if self.config.cancelled == Cancelled::Failure => true,
            End::Cancelled | End::Ignored => {
                *ignored += 1;
                return;
            }
            End::Success => false,
            End::Failure => true,
        };
        let slow = self.config.slow_call.is_some_and(|least| elapsed >= nanos(least));
        *(if failed { failure } else { success }) += 1;
        *slow_calls += u64::from(slow);
        match self.state {
            State::Closed => {
                self.record(failed, slow, now);
                if self.judged() {
                    self.open(now, asked, random);
                }
            }
            State::HalfOpen if failed || slow => self.open(now, asked, random),
            State::HalfOpen => {
                self.succeeded += 1;
                if self.succeeded == self.config.probes {
                    self.forgiven_at = now.saturating_add(self.cooldown);
                    self.go(State::Closed);
                }
            }
            _ => {}
        }
    }

    /// The deadline, the moment of forgiveness, or the end of the oldest probe's time.
    fn edge(&self) -> Nanos {
        match self.state {
            State::Open => self.deadline,
            State::Closed => self.forgiven_at,
            State::HalfOpen => {
                let oldest = self.probes.iter().map(|probe| probe.1).min();
                oldest.map_or(0, |oldest| oldest + nanos(self.config.probe_timeout))
            }
            _ => 0,
        }
    }

    fn record(&mut self, failed: bool, slow: bool, now: Nanos) {
        self.advance(now);
        self.outcomes.push((self.slice, failed, slow));
        if let Window::Calls(calls) = self.config.window {
            let over = self.outcomes.len().saturating_sub(calls as usize);
            self.outcomes.drain(..over);
        }
        self.run = if failed { self.run + 1 } else { 0 };
    }

    /// Slice 0 ended where the grid began; a gap of all ten begins a new grid.
    fn advance(&mut self, now: Nanos) {
        let Window::Time(time) = self.config.window else {
            return;
        };
        let width = nanos(time) / 10;
        if now < self.grid + self.slice * width {
            return;
        }
        let slice = (now - self.grid) / width + 1;
        if slice - self.slice >= 10 {
            self.outcomes.clear();
            (self.grid, self.slice) = (now, 1);
        } else {
            self.slice = slice;
            self.outcomes.retain(|outcome| slice - outcome.0 < 10);
        }
    }

    fn count(&self) -> (u32, u32, u32) {
        let of = |wanted: fn(&(u64, bool, bool)) -> bool| {
            self.outcomes.iter().filter(|outcome| wanted(outcome)).count() as u32
        };
        (of(|_| true), of(|outcome| outcome.1), of(|outcome| outcome.2))
    }

    /// What is in the window at this time, which being looked at does not change.
    fn counted_at(&mut self, now: Nanos) -> (u32, u32, u32) {
        let before = (self.grid, self.slice, self.outcomes.clone());
        self.advance(now);
        let counted = self.count();
        (self.grid, self.slice, self.outcomes) = before;
        counted
    }

    fn judged(&self) -> bool {
        let (calls, failures, slow) = self.count();
        let reaches = |part: u32, rate: f64| {
            u128::from(part) * 1_000_000 >= u128::from(calls) * (rate * 1e6).round() as u128
        };
        let config = &self.config;
        calls >= config.threshold
            && (reaches(failures, config.rate)
                || config.slow_call.is_some() && reaches(slow, config.slow_rate.unwrap_or(1.0)))
            || config.consecutive.is_some_and(|most| self.run >= most)
            || config.max_failures.is_some_and(|most| failures >= most)
    }
}

struct Fixed(Nanos, u32);

impl Surroundings for Fixed {
    fn now(&self) -> Nanos {
        self.0
    }

    fn random(&self) -> u32 {
        self.1
    }
}

fn durations(range: std::ops::Range<u64>) -> impl Strategy<Value = Duration> {
    range.prop_map(Duration::from_millis)
}

fn configs() -> impl Strategy<Value = Config> {
    let window = prop_oneof![
        durations(10..5_000).prop_map(Window::Time),
        (1_u32..70).prop_map(Window::Calls),
    ];
    let tripping = (
        1_u32..12,
        prop_oneof![Just(1.0), Just(0.5), 0.000_001..=1.0],
        window,
        prop::option::of(1_u32..6),
        prop::option::of(1_u32..10),
        prop::option::of((durations(1..100), prop::option::of(0.01..=1.0))),
    );
    let recovering = (
        durations(1..3_000),
        prop::option::of(1_u32..40),
        prop_oneof![Just(0.0), 0.0..=1.0],
        1_u32..20,
        prop::option::of(0.0..1.0),
        durations(1..2_000),
        any::<bool>(),
    );
    (tripping, recovering).prop_map(|(tripping, recovering)| {
        let (threshold, rate, window, consecutive, max_failures, slow) = tripping;
        let (cooldown, factor, jitter, probes, at_once, probe_timeout, cancelled) = recovering;
        let window = match window {
            Window::Calls(calls) => Window::Calls(calls.max(threshold)),
            time @ Window::Time(_) => time,
        };
        let mut config = Config::new()
            .threshold(threshold)
            .rate(rate)
            .window(window)
            .cooldown(cooldown)
            .jitter(jitter)
            .probes(probes)
            .probe_timeout(probe_timeout)
            .cancelled(if cancelled { Cancelled::Failure } else { Cancelled::Ignored });
        let held = |failures: u32| match window {
            Window::Calls(calls) => failures.min(calls),
            Window::Time(_) => failures,
        };
        config.consecutive = consecutive.map(held);
        config.max_failures = max_failures.map(held);
        if let Some((slow_call, slow_rate)) = slow {
            config.slow_call = Some(slow_call);
            config.slow_rate = slow_rate;
        }
        config.max_cooldown = factor.map(|factor| cooldown * factor);
        config.probe_concurrency =
            at_once.map(|share: f64| 1 + (f64::from(probes - 1) * share) as u32);
        config
    })
}

fn events() -> impl Strategy<Value = Event> {
    let end = prop_oneof![
        6 => Just((End::Success, 0)),
        8 => Just((End::Failure, 0)),
        2 => Just((End::Ignored, 0)),
        1 => Just((End::Cancelled, 0)),
        1 => durations(0..8_000_000).prop_map(|asked| (End::Failure, nanos(asked))),
    ];
    prop_oneof![
        40 => Just(Event::Call),
        40 => (any::<prop::sample::Index>(), end, 0_u32..200_000_000)
            .prop_map(|(which, (end, asked), took)| Event::End(which, end, asked, took)),
        10 => (0_u64..800_000_000).prop_map(Event::After),
        2 => (0_u64..20_000_000_000).prop_map(Event::After),
        6 => (0_u64..3).prop_map(Event::ToEdge),
        1 => (0_u64..800_000_000).prop_map(Event::StepBack),
        1 => prop_oneof![
            1 => Just(Event::ForceOpen),
            1 => Just(Event::Disable),
            4 => Just(Event::Reset),
            1 => Just(Event::Reconfigure),
        ],
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), ..ProptestConfig::default() })]

    #[test]
    fn the_machine_does_what_the_model_does(
        config in configs(),
        other in configs(),
        events in vec((events(), any::<u32>()), 1..200),
    ) {
        let mut model = Model::new(config);
        let mut machine = Machine::new(Policy::new(&config).unwrap());
        machine.prepare();
        let mut now: Nanos = 5_000_000_000;
        let mut in_flight: Vec<Call> = Vec::new();
        // Successes that the machine has not been told of.
        let mut noted = 0;
        for (event, random) in events {
            let surroundings = Fixed(now, random);
            if event.is_by_hand() {
                machine.take_in(std::mem::take(&mut noted));
            }
            match event {
                Event::Call => {
                    let expected = model.admit(now, random);
                    let (admission, turn) = machine.admit(now, &surroundings);
                    match (expected, admission) {
                        (Ok(id), Admission::Admitted(token)) => {
                            prop_assert_eq!(token.generation, model.generation);
                            in_flight.push(Call { id, generation: model.generation, token });
                        }
                        (Err(expected), Admission::Rejected(kind, left)) => {
                            prop_assert_eq!(expected, (kind, left));
                        }
                        (expected, found) => prop_assert!(false, "{expected:?}, found {found:?}"),
                    }
                    if let Some(turn) = turn {
                        prop_assert!(matches!(turn.cause, Cause::CooldownOver | Cause::ProbeLost));
                    }
                }
                Event::End(which, end, asked, took) => {
                    if !in_flight.is_empty() {
                        let call = in_flight.swap_remove(which.index(in_flight.len()));
                        let took = u64::from(took);
                        model.settle(&call, (end, asked), took, now, random);
                        // Both ways, as a coin falls: the short one must change nothing.
                        let (spare, until) = machine.spare();
                        let is_noted = random % 2 == 0
                            && end == End::Success
                            && call.token.generation == machine.generation()
                            && noted < spare
                            && now < until;
                        if is_noted {
                            noted += 1;
                        } else {
                            machine.take_in(std::mem::take(&mut noted));
                            machine.settle(call.token, end, asked, took, now, &surroundings);
                        }
                    }
                }
                Event::After(time) => now += time,
                Event::StepBack(time) => now = now.saturating_sub(time),
                Event::ToEdge(past) => now = now.max((model.edge() + past).saturating_sub(1)),
                Event::ForceOpen => {
                    machine.force_open(now);
                    model.go(State::ForcedOpen);
                }
                Event::Disable => {
                    machine.disable(now);
                    model.go(State::Disabled);
                }
                Event::Reset => {
                    machine.reset(now);
                    model.go(State::Closed);
                    model.forgiven_at = 0;
                }
                Event::Reconfigure => {
                    machine.reconfigure(Policy::new(&other).unwrap(), now);
                    model.config = other;
                    model.go(model.state);
                }
            }
            prop_assert_eq!(machine.state(), model.state);
            prop_assert_eq!(machine.generation(), model.generation);
            let deadline = (model.state == State::Open).then_some(model.deadline);
            prop_assert_eq!(machine.deadline(), deadline);
            let opened = machine.opened().map(|(_, why)| (why.calls, why.failures, why.slow));
            prop_assert_eq!(opened, (model.state == State::Open).then_some(model.opened));
            let probes = (model.probes.len() as u16, model.succeeded as u16);
            prop_assert_eq!(machine.probes(), probes);
            if noted > 0 && random % 8 > 1 {
                continue;
            }
            machine.take_in(std::mem::take(&mut noted));
            let totals = machine.totals(now);
            prop_assert_eq!(
                [totals.success, totals.failure, totals.rare.ignored, totals.rare.late, totals.rare.slow],
                model.totals
            );
            let counts = machine.counts(now);
            let counts = (counts.calls, counts.failures, counts.slow);
            prop_assert_eq!(counts, model.counted_at(now));
        }
    }
}

/// Few by default, so that the tests stay quick; CI asks for many more.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(2_000)
}
