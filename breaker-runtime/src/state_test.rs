//! The table at the head of `state.rs`, line by line, with times chosen by the test.
//!
//! Timelines in comments: `s` success, `e` error, `i` ignored, `x` rejected, `p` probe, `_` waiting.

use crate::clock::Nanos;
use crate::config::{Cancelled, Config, Window, nanos};
use crate::outcome::Outcome::{self, Failure, Ignored, Success, Throttled};
use crate::policy::Policy;
use crate::rejected::RejectedKind;
use crate::state::{Admission, End, Machine, Surroundings, Token, Turn};
use crate::transition::{Cause, State};
use std::cell::Cell;
use std::time::Duration;

const SECOND: Nanos = 1_000_000_000;

fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// A machine, the time, the dice, and the last state change.
struct Bench {
    machine: Machine,
    now: Cell<Nanos>,
    random: Cell<u32>,
    turn: Option<Turn>,
}

impl Surroundings for Bench {
    fn now(&self) -> Nanos {
        self.now.get()
    }

    fn random(&self) -> u32 {
        self.random.get()
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

impl Bench {
    fn new(config: Config) -> Self {
        let mut machine = Machine::new(Policy::new(&config).expect("a valid config"));
        machine.prepare();
        Self { machine, now: Cell::new(1_000 * SECOND), random: Cell::new(0), turn: None }
    }

    fn after(&mut self, time: Duration) -> &mut Self {
        self.after_nanos(nanos(time))
    }

    fn after_nanos(&mut self, nanos: Nanos) -> &mut Self {
        self.now.set(self.now.get().saturating_add(nanos));
        self
    }

    fn ask(&mut self) -> Admission {
        let surroundings = Fixed(self.now.get(), self.random.get());
        let (admission, turn) = self.machine.admit(self.now.get(), &surroundings);
        self.turn = turn.or(self.turn);
        admission
    }

    fn admitted(&mut self) -> Token {
        match self.ask() {
            Admission::Admitted(token) => token,
            Admission::Rejected(kind, left) => panic!("rejected: {kind:?}, {left:?} left"),
        }
    }

    fn rejected(&mut self) -> (RejectedKind, Option<Duration>) {
        match self.ask() {
            Admission::Admitted(_) => panic!("admitted in {:?}", self.state()),
            Admission::Rejected(kind, left) => (kind, left.map(Duration::from_nanos)),
        }
    }

    fn end(&mut self, token: Token, end: End, asked: Duration, took: Duration) {
        let surroundings = Fixed(self.now.get(), self.random.get());
        let (now, asked, took) = (self.now.get(), nanos(asked), nanos(took));
        // As the breaker does, for whom each success may be the last before the machine is asked.
        let (spare, until) = self.machine.spare();
        let is_current = token.generation == self.machine.generation();
        if end == End::Success && is_current && spare > 0 && now < until {
            self.machine.take_in(1);
            return;
        }
        self.turn = self.machine.settle(token, end, asked, took, now, &surroundings).or(self.turn);
    }

    fn finish_after(&mut self, token: Token, took: Duration, outcome: Outcome) {
        let (end, asked) = match outcome {
            Success => (End::Success, Duration::ZERO),
            Failure => (End::Failure, Duration::ZERO),
            Ignored => (End::Ignored, Duration::ZERO),
            Throttled(asked) => (End::Failure, asked),
        };
        self.end(token, end, asked, took);
    }

    fn finish(&mut self, token: Token, outcome: Outcome) {
        self.finish_after(token, Duration::ZERO, outcome);
    }

    fn cancel(&mut self, token: Token) {
        self.end(token, End::Cancelled, Duration::ZERO, Duration::ZERO);
    }

    fn calls(&mut self, times: u64, outcome: Outcome) -> &mut Self {
        for _ in 0..times {
            let token = self.admitted();
            self.finish(token, outcome);
        }
        self
    }

    fn succeed(&mut self, times: u64) -> &mut Self {
        self.calls(times, Success)
    }

    fn fail(&mut self, times: u64) -> &mut Self {
        self.calls(times, Failure)
    }

    fn ignore(&mut self, times: u64) -> &mut Self {
        self.calls(times, Ignored)
    }

    fn take(&mut self, took: Duration, outcome: Outcome) -> &mut Self {
        let token = self.admitted();
        self.finish_after(token, took, outcome);
        self
    }

    fn state(&self) -> State {
        self.machine.state()
    }

    /// Calls and failures in the window.
    fn window(&self) -> (u32, u32) {
        let counts = self.machine.counts(self.now.get());
        (counts.calls, counts.failures)
    }

    /// Of the last change, which an open machine remembers.
    fn cause(&self) -> Option<Cause> {
        let cause = self.turn.map(|turn| turn.cause);
        let remembered = self.machine.opened().map(|(cause, _)| cause);
        assert_eq!(remembered, cause.filter(|_| self.state() == State::Open));
        cause
    }

    /// The cooldown of the last change.
    fn cooldown(&self) -> Duration {
        Duration::from_nanos(self.turn.and_then(|turn| turn.cooldown).expect("it just opened"))
    }

    /// From Open: waits out the cooldown and takes the first probe.
    fn first_probe(&mut self) -> Token {
        let (_, left) = self.rejected();
        self.after(left.expect("it is open"));
        self.admitted()
    }
}

#[test]
fn two_calls_and_one_failure_are_not_half() {
    let mut bench = Bench::new(Config::new());
    bench.succeed(1).fail(1);
    assert_eq!((bench.state(), bench.window()), (State::Closed, (2, 1)));
}

#[test]
fn the_rate_counts_from_threshold_calls_on() {
    // 19 × e, still closed; the twentieth opens
    let mut bench = Bench::new(Config::new());
    bench.fail(19);
    assert_eq!(bench.state(), State::Closed);
    bench.fail(1);
    assert_eq!((bench.state(), bench.cause()), (State::Open, Some(Cause::FailureRate)));
    assert_eq!(bench.turn.map(|turn| turn.counts.failures), Some(20));
}

#[test]
fn a_success_that_completes_the_threshold_trips() {
    // e e s → open
    let mut bench = Bench::new(Config::new().threshold(3).rate(0.5));
    bench.fail(2);
    assert_eq!(bench.state(), State::Closed);
    bench.succeed(1);
    assert_eq!(bench.state(), State::Open);
}

#[test]
fn rates_are_compared_in_integers() {
    for (rate, failures, calls, opens) in [
        (0.1, 10, 100, true),
        (0.1, 9, 100, false),
        (1.0, 20, 20, true),
        (1.0, 19, 20, false),
        (0.333_333, 1, 3, true),
        (0.333_334, 1, 3, false),
        (0.000_001, 1, 1_000_000, true),
        (0.5, 1, 2, true),
    ] {
        let threshold = u32::try_from(calls).expect("small");
        let config = Config::new().threshold(threshold).rate(rate).window(Window::Calls(threshold));
        let mut bench = Bench::new(config);
        bench.fail(failures).succeed(calls - failures);
        assert_eq!(bench.state() == State::Open, opens, "{failures} of {calls} at {rate}");
    }
}

#[test]
fn steady_failures_below_the_rate_never_open() {
    for window in [Window::Time(secs(30)), Window::Calls(100)] {
        let mut bench = Bench::new(Config::new().window(window));
        for _ in 0..250_000 {
            bench.succeed(3).fail(1).after(millis(1));
            assert_eq!(bench.state(), State::Closed);
        }
    }
}

#[test]
fn failures_from_before_an_idle_gap_count_nothing() {
    // 19 × e ____ e
    let mut bench = Bench::new(Config::new());
    bench.fail(19).after(secs(30)).fail(1);
    assert_eq!((bench.state(), bench.window()), (State::Closed, (1, 1)));
}

#[test]
fn a_healthy_past_does_not_delay_a_trip() {
    let mut bench = Bench::new(Config::new());
    for _ in 0..1_000 {
        bench.succeed(1_000).after(millis(100));
    }
    // Forty failures a second against the ten thousand successes a second that are still in there:
    // when the last of these is forgotten, within one window, it opens.
    let mut waited = 0;
    while bench.state() == State::Closed {
        bench.fail(1).after(millis(25));
        waited += 25;
    }
    assert!(waited <= 30_000, "opened after {waited} ms");
}

#[test]
fn a_run_of_failures_opens_whatever_the_rate() {
    // s×100, e e e e → closed, s, e e e e i e → open
    let mut bench = Bench::new(Config::new().consecutive(5));
    bench.succeed(100).fail(4).succeed(1).fail(4);
    assert_eq!(bench.state(), State::Closed);
    bench.ignore(1);
    assert_eq!(bench.state(), State::Closed);
    bench.fail(1);
    assert_eq!((bench.state(), bench.cause()), (State::Open, Some(Cause::Consecutive)));
}

#[test]
fn a_run_is_of_any_age() {
    let mut bench = Bench::new(Config::new().consecutive(3));
    bench.fail(1).after(secs(3_600)).fail(1).after(secs(3_600)).fail(1);
    assert_eq!(bench.state(), State::Open);
}

#[test]
fn too_many_failures_in_the_window_open() {
    let mut bench = Bench::new(Config::new().max_failures(3));
    bench.succeed(1_000).fail(2).after(secs(31)).succeed(1_000).fail(2);
    assert_eq!(bench.state(), State::Closed);
    bench.fail(1);
    assert_eq!((bench.state(), bench.cause()), (State::Open, Some(Cause::MaxFailures)));
}

#[test]
fn slow_calls_open_successes_too() {
    let config = Config::new().threshold(4).slow_call(secs(2)).slow_rate(0.5);
    let mut bench = Bench::new(config);
    bench.take(secs(2), Success).take(Duration::from_nanos(1_999_999_999), Success).succeed(1);
    assert_eq!(bench.state(), State::Closed);
    bench.take(secs(9), Success);
    assert_eq!((bench.state(), bench.cause()), (State::Open, Some(Cause::SlowRate)));
    assert_eq!(bench.turn.map(|turn| (turn.counts.calls, turn.counts.slow)), Some((4, 2)));
}

#[test]
fn a_call_that_is_slow_and_failed_counts_once_as_each() {
    let mut bench = Bench::new(Config::new().slow_call(secs(1)));
    bench.take(secs(1), Failure).take(secs(1), Ignored);
    let counts = bench.machine.counts(bench.now.get());
    assert_eq!((counts.calls, counts.failures, counts.slow), (1, 1, 1));
    assert_eq!(bench.machine.totals(0).rare.slow, 1);
}

#[test]
fn slow_calls_are_forgotten_with_their_slice() {
    let config = Config::new().slow_call(secs(1)).window(Window::Time(secs(10)));
    let mut bench = Bench::new(config);
    let slow = |bench: &Bench| bench.machine.counts(bench.now.get()).slow;
    for second in 1..=20 {
        bench.take(secs(1), Success);
        assert_eq!(slow(&bench), second.min(10));
        bench.after(secs(1));
    }
    // The ten slices end one after the other; the one under way is always empty here.
    for left in (0..=9).rev() {
        assert_eq!(slow(&bench), left);
        bench.after(secs(1));
    }
}

#[test]
fn open_rejects_until_the_deadline_and_then_probes() {
    let mut bench = Bench::new(Config::new());
    bench.fail(20);
    assert_eq!(bench.rejected(), (RejectedKind::Open, Some(secs(15))));
    bench.after_nanos(15 * SECOND - 1);
    assert_eq!(bench.rejected(), (RejectedKind::Open, Some(Duration::from_nanos(1))));
    bench.after_nanos(1);
    bench.admitted();
    assert_eq!((bench.state(), bench.cause()), (State::HalfOpen, Some(Cause::CooldownOver)));
}

#[test]
fn reading_changes_nothing() {
    let mut bench = Bench::new(Config::new());
    bench.fail(20).after(secs(3_600));
    assert_eq!((bench.state(), bench.window()), (State::Open, (0, 0)));
    assert_eq!(bench.machine.probes(), (0, 0));
    assert_eq!(bench.machine.generation(), 1);
}

#[test]
fn probes_close_with_an_empty_window() {
    // e×20 x ____ p p p s s s → closed
    let mut bench = Bench::new(Config::new());
    bench.fail(20);
    let probes = [bench.first_probe(), bench.admitted(), bench.admitted()];
    assert_eq!(bench.rejected(), (RejectedKind::ProbesBusy, None));
    for (done, probe) in probes.into_iter().enumerate() {
        assert_eq!(usize::from(bench.machine.probes().1), done);
        bench.finish(probe, Success);
    }
    assert_eq!((bench.state(), bench.cause()), (State::Closed, Some(Cause::Recovered)));
    assert_eq!(bench.window(), (0, 0));
    bench.fail(19);
    assert_eq!(bench.state(), State::Closed);
}

#[test]
fn successes_and_probes_in_flight_never_exceed_probes() {
    let mut bench = Bench::new(Config::new().probes(3));
    bench.fail(20);
    let first = bench.first_probe();
    bench.finish(first, Success);
    let (second, third) = (bench.admitted(), bench.admitted());
    assert_eq!(bench.rejected().0, RejectedKind::ProbesBusy);
    bench.finish(second, Success);
    assert_eq!(bench.rejected().0, RejectedKind::ProbesBusy);
    bench.finish(third, Success);
    assert_eq!(bench.state(), State::Closed);
}

#[test]
fn probe_concurrency_bounds_probes_at_once() {
    for (probes, at_once) in [(5, 2), (11, 11), (12, 12), (40, 33), (300, 1), (1_000, 1_000)] {
        let config = Config::new().probes(probes).probe_concurrency(at_once);
        let mut bench = Bench::new(config);
        bench.fail(20);
        let mut in_flight = vec![bench.first_probe()];
        let mut started = 1;
        while started < at_once {
            in_flight.push(bench.admitted());
            started += 1;
        }
        assert_eq!(bench.rejected().0, RejectedKind::ProbesBusy);
        while let Some(probe) = in_flight.pop() {
            bench.finish(probe, Success);
            if started < probes {
                in_flight.push(bench.admitted());
                started += 1;
            }
        }
        assert_eq!(
            (bench.state(), bench.machine.totals(0).rare.probes),
            (State::Closed, probes.into())
        );
    }
}

#[test]
fn a_failed_probe_reopens_and_the_cooldown_starts_again() {
    let mut bench = Bench::new(Config::new());
    bench.fail(20);
    let (first, second) = (bench.first_probe(), bench.admitted());
    bench.after(secs(5)).finish(first, Failure);
    assert_eq!((bench.state(), bench.cause()), (State::Open, Some(Cause::ProbeFailed)));
    assert_eq!(bench.rejected(), (RejectedKind::Open, Some(secs(15))));
    bench.finish(second, Success);
    assert_eq!((bench.state(), bench.machine.totals(0).rare.late), (State::Open, 1));
}

#[test]
fn a_slow_probe_reopens() {
    let mut bench = Bench::new(Config::new().slow_call(secs(1)));
    bench.fail(20);
    let probe = bench.first_probe();
    bench.finish_after(probe, secs(1), Success);
    assert_eq!((bench.state(), bench.cause()), (State::Open, Some(Cause::ProbeFailed)));
}

#[test]
fn ignored_and_cancelled_probes_free_their_slots() {
    let mut bench = Bench::new(Config::new().probes(1));
    bench.fail(20);
    let mut probe = bench.first_probe();
    for round in 0..10_000 {
        assert_eq!(bench.rejected().0, RejectedKind::ProbesBusy);
        if round % 2 == 0 {
            bench.finish(probe, Ignored);
        } else {
            bench.cancel(probe);
        }
        assert_eq!(bench.machine.probes(), (0, 0));
        probe = bench.admitted();
    }
    bench.finish(probe, Success);
    assert_eq!(bench.state(), State::Closed);
}

#[test]
fn traffic_that_is_mostly_ignored_recovers() {
    let mut bench = Bench::new(Config::new());
    bench.fail(20);
    let first = bench.first_probe();
    bench.finish(first, Ignored);
    let mut calls = 0;
    while bench.state() == State::HalfOpen {
        bench.calls(1, if calls % 5 == 4 { Success } else { Ignored });
        calls += 1;
    }
    assert_eq!((bench.state(), calls), (State::Closed, 15));
}

#[test]
fn a_hung_probe_is_given_up_and_its_answer_moves_nothing() {
    // e×20 x ____ p p p (hung) ____ x → open
    let mut bench = Bench::new(Config::new());
    bench.fail(20);
    let hung = [bench.first_probe(), bench.admitted(), bench.admitted()];
    bench.after_nanos(60 * SECOND - 1);
    assert_eq!(bench.rejected(), (RejectedKind::ProbesBusy, None));
    bench.after_nanos(1);
    assert_eq!(bench.rejected(), (RejectedKind::Open, Some(secs(15))));
    assert_eq!((bench.state(), bench.cause()), (State::Open, Some(Cause::ProbeLost)));
    let generation = bench.machine.generation();
    bench.finish(hung[0], Success);
    bench.finish(hung[1], Failure);
    bench.cancel(hung[2]);
    assert_eq!((bench.state(), bench.machine.generation()), (State::Open, generation));
    assert_eq!(bench.rejected(), (RejectedKind::Open, Some(secs(15))));
    let totals = bench.machine.totals(0);
    assert_eq!((totals.rare.late, totals.failure, totals.success), (3, 20, 0));
}

#[test]
fn only_the_oldest_probe_in_flight_is_timed() {
    let mut bench = Bench::new(Config::new().probes(2).probe_timeout(secs(10)));
    bench.fail(20);
    let first = bench.first_probe();
    bench.after(secs(9));
    let second = bench.admitted();
    bench.finish(first, Ignored);
    let third = bench.admitted();
    bench.after(secs(9));
    assert_eq!(bench.rejected().0, RejectedKind::ProbesBusy);
    bench.after(secs(1));
    assert_eq!(bench.rejected().0, RejectedKind::Open);
    bench.finish(second, Success);
    bench.finish(third, Success);
    assert_eq!(bench.machine.totals(0).rare.late, 2);
}

#[test]
fn a_free_slot_is_given_before_an_old_probe_is_given_up() {
    let mut bench = Bench::new(Config::new().probes(2));
    bench.fail(20);
    let _hung = bench.first_probe();
    bench.after(secs(3_600));
    let second = bench.admitted();
    bench.finish(second, Success);
    assert_eq!(bench.state(), State::HalfOpen);
}

#[test]
fn late_results_change_nothing() {
    let mut bench = Bench::new(Config::new().probes(1));
    let late: Vec<_> = (0..4).map(|_| bench.admitted()).collect();
    bench.fail(20);
    bench.after(secs(5)).finish(late[0], Failure);
    assert_eq!(bench.rejected(), (RejectedKind::Open, Some(secs(10))));
    let probe = bench.first_probe();
    bench.finish(late[1], Success);
    assert_eq!((bench.state(), bench.machine.probes()), (State::HalfOpen, (1, 0)));
    bench.finish(late[2], Throttled(secs(600)));
    assert_eq!(bench.state(), State::HalfOpen);
    bench.finish(probe, Success);
    bench.finish(late[3], Failure);
    assert_eq!((bench.state(), bench.window()), (State::Closed, (0, 0)));
    let totals = bench.machine.totals(0);
    assert_eq!(
        (totals.rare.late, totals.success, totals.failure, totals.rare.ignored),
        (4, 1, 20, 0)
    );
}

#[test]
fn a_cancelled_call_is_ignored_unless_it_is_to_fail() {
    for (cancelled, window) in [(Cancelled::Ignored, (0, 0)), (Cancelled::Failure, (1, 1))] {
        let mut bench = Bench::new(Config::new().cancelled(cancelled));
        let token = bench.admitted();
        bench.cancel(token);
        assert_eq!(bench.window(), window);
    }
}

/// Fails one recovery after the other and gives the cooldowns, the first one included.
fn cooldowns(bench: &mut Bench, times: usize) -> Vec<Duration> {
    bench.fail(20);
    let mut all = vec![bench.cooldown()];
    while all.len() < times {
        let probe = bench.first_probe();
        bench.finish(probe, Failure);
        all.push(bench.cooldown());
    }
    all
}

#[test]
fn the_cooldown_doubles_up_to_its_ceiling() {
    let mut bench = Bench::new(Config::new().cooldown(secs(1)).max_cooldown(secs(10)));
    assert_eq!(cooldowns(&mut bench, 7), [1, 2, 4, 8, 10, 10, 10].map(secs));
    let mut bench = Bench::new(Config::new().cooldown(secs(1)));
    assert_eq!(cooldowns(&mut bench, 3), [1, 1, 1].map(secs));
}

#[test]
fn the_doubling_ends_only_after_a_closed_time_as_long_as_the_last_cooldown() {
    for (closed_for, then) in [(4 * SECOND - 1, secs(8)), (4 * SECOND, secs(1))] {
        let config = Config::new().cooldown(secs(1)).max_cooldown(secs(60)).probes(1);
        let mut bench = Bench::new(config);
        assert_eq!(cooldowns(&mut bench, 3), [1, 2, 4].map(secs));
        let probe = bench.first_probe();
        bench.finish(probe, Success);
        assert_eq!(bench.state(), State::Closed);
        bench.after_nanos(closed_for).fail(20);
        assert_eq!(bench.cooldown(), then);
    }
}

#[test]
fn a_flapping_dependency_keeps_backing_off_for_ever() {
    let config = Config::new().cooldown(secs(1)).max_cooldown(Duration::MAX);
    let mut bench = Bench::new(config);
    let all = cooldowns(&mut bench, 34);
    assert!(all.iter().enumerate().all(|(failed, cooldown)| *cooldown == secs(1 << failed)));
    // The next one ends with time itself.
    let probe = bench.first_probe();
    bench.finish(probe, Failure);
    assert_eq!(bench.cooldown(), secs(1 << 34));
    let end_of_time = Duration::from_nanos(u64::MAX - bench.now.get());
    assert_eq!(bench.rejected(), (RejectedKind::Open, Some(end_of_time)));
}

#[test]
fn jitter_stretches_and_never_shortens() {
    let mut bench = Bench::new(Config::new().cooldown(secs(10)).jitter(0.2));
    for (random, cooldown) in
        [(0, secs(10)), (1 << 31, secs(11)), (u32::MAX, Duration::from_nanos(11_999_999_999))]
    {
        bench.random.set(random);
        bench.fail(20);
        assert_eq!(bench.cooldown(), cooldown);
        bench.machine.reset(bench.now.get());
    }
}

#[test]
fn jitter_goes_on_above_the_ceiling_so_that_a_fleet_stays_apart() {
    let config = Config::new().cooldown(secs(10)).max_cooldown(secs(20)).jitter(1.0);
    let mut bench = Bench::new(config);
    bench.random.set(1 << 31);
    assert_eq!(cooldowns(&mut bench, 3), [15, 30, 30].map(secs));
}

#[test]
fn throttled_is_a_failure_that_says_for_how_long() {
    let most = Duration::from_nanos(u64::MAX);
    for (max_cooldown, asked, cooldown) in [
        (None, secs(40), secs(40)),
        (None, secs(3), secs(15)),
        (None, most, secs(3_600)),
        (Some(secs(60)), secs(40), secs(40)),
        (Some(secs(60)), most, secs(60)),
        (Some(secs(7_200)), secs(5_000), secs(5_000)),
    ] {
        let mut config = Config::new();
        if let Some(most) = max_cooldown {
            config = config.max_cooldown(most);
        }
        let mut bench = Bench::new(config);
        bench.fail(18).calls(1, Throttled(asked));
        assert_eq!((bench.state(), bench.window()), (State::Closed, (19, 19)));
        bench.calls(1, Throttled(asked));
        assert_eq!((bench.state(), bench.cooldown()), (State::Open, cooldown));
        let probe = bench.first_probe();
        bench.finish(probe, Throttled(asked));
        assert_eq!(bench.state(), State::Open);
        assert!(bench.cooldown() >= cooldown);
    }
}

#[test]
fn a_request_to_stay_away_counts_only_where_it_opens() {
    let mut bench = Bench::new(Config::new());
    bench.calls(19, Throttled(secs(40))).fail(1);
    assert_eq!(bench.cooldown(), secs(15));
}

#[test]
fn forced_open_rejects_all_until_told_otherwise() {
    let mut bench = Bench::new(Config::new());
    let early = bench.admitted();
    let now = bench.now.get();
    assert_eq!(bench.machine.force_open(now).cause, Cause::Manual);
    bench.after(secs(1_000_000));
    assert_eq!(bench.rejected(), (RejectedKind::ForcedOpen, None));
    bench.finish(early, Success);
    let totals = bench.machine.totals(bench.now.get());
    assert_eq!((bench.state(), totals.rare.late), (State::ForcedOpen, 1));
    assert_eq!(totals.rare.open, 1_000_000 * SECOND);
}

#[test]
fn disabled_admits_all_and_only_counts() {
    let mut bench = Bench::new(Config::new().consecutive(1).probes(1));
    let now = bench.now.get();
    bench.machine.disable(now);
    bench.fail(1_000).succeed(2).ignore(3);
    assert_eq!((bench.state(), bench.window()), (State::Disabled, (0, 0)));
    let totals = bench.machine.totals(0);
    assert_eq!((totals.failure, totals.success, totals.rare.ignored), (1_000, 2, 3));
}

#[test]
fn a_reset_forgets_all_but_the_totals() {
    let config = Config::new().cooldown(secs(1)).max_cooldown(secs(60));
    let mut bench = Bench::new(config);
    cooldowns(&mut bench, 4);
    let probe = bench.first_probe();
    bench.machine.reset(bench.now.get());
    bench.finish(probe, Failure);
    assert_eq!((bench.state(), bench.window()), (State::Closed, (0, 0)));
    assert_eq!(bench.machine.totals(0).rare.late, 1);
    bench.fail(20);
    assert_eq!(bench.cooldown(), secs(1));
    assert_eq!(bench.machine.totals(0).failure, 43);
}

#[test]
fn a_new_policy_starts_the_window_anew_and_keeps_the_state() {
    let policy = |config: Config| Policy::new(&config).expect("a valid config");
    let mut bench = Bench::new(Config::new());
    bench.fail(19);
    let early = bench.admitted();
    bench.machine.reconfigure(policy(Config::new().window(Window::Calls(50))), bench.now.get());
    bench.finish(early, Failure);
    assert_eq!((bench.state(), bench.window()), (State::Closed, (0, 0)));
    assert_eq!(bench.machine.totals(0).rare.late, 1);

    bench.fail(20).after(secs(5));
    bench.machine.reconfigure(policy(Config::new().cooldown(secs(1)).probes(1)), bench.now.get());
    assert_eq!(bench.rejected(), (RejectedKind::Open, Some(secs(10))));
    let probe = bench.first_probe();
    bench.machine.reconfigure(policy(Config::new().probes(20)), bench.now.get());
    bench.finish(probe, Success);
    assert_eq!((bench.state(), bench.machine.probes()), (State::HalfOpen, (0, 0)));
    bench.succeed(20);
    assert_eq!(bench.state(), State::Closed);
    assert_eq!(bench.machine.totals(bench.now.get()).rare.open, 15 * SECOND);
}

#[test]
fn a_reset_tells_what_the_window_held() {
    let mut bench = Bench::new(Config::new().slow_call(secs(1)));
    for _ in 0..3 {
        bench.take(secs(1), Success).after(secs(4));
    }
    // The oldest of them is forgotten by now.
    bench.after(secs(20));
    let before = bench.machine.counts(bench.now.get());
    let turn = bench.machine.reset(bench.now.get());
    assert_eq!((turn.counts, turn.counts.calls, turn.counts.slow), (before, 2, 2));
}

#[test]
fn a_new_policy_tells_what_the_old_window_held() {
    let mut bench = Bench::new(Config::new().window(Window::Calls(50)));
    bench.fail(3).succeed(4);
    let policy = Policy::new(&Config::new().slow_call(secs(1))).expect("a valid config");
    let turn = bench.machine.reconfigure(policy, bench.now.get());
    assert_eq!((turn.counts.calls, turn.counts.failures), (7, 3));
    assert_eq!((turn.from, turn.to, turn.cause), (State::Closed, State::Closed, Cause::Manual));
}

#[test]
fn preparing_again_loses_nothing() {
    let mut bench = Bench::new(Config::new().rate(1.0).window(Window::Calls(50)).probes(40));
    bench.fail(10).succeed(15);
    bench.machine.prepare();
    bench.succeed(25);
    // The ten failures are the oldest: each further call pushes one out.
    for left in (0..10).rev() {
        bench.succeed(1);
        assert_eq!(bench.window(), (50, left));
    }
}

#[test]
fn time_spent_open_is_added_up() {
    let mut bench = Bench::new(Config::new().probes(1));
    bench.fail(20).after(secs(4));
    assert_eq!(bench.machine.totals(bench.now.get()).rare.open, 4 * SECOND);
    bench.after(secs(20));
    let probe = bench.admitted();
    bench.after(secs(7)).finish(probe, Failure);
    bench.after(secs(1));
    assert_eq!(bench.machine.totals(bench.now.get()).rare.open, 25 * SECOND);
}

#[test]
fn each_trip_is_counted_by_its_cause() {
    let mut bench = Bench::new(Config::new().probes(1));
    bench.fail(20);
    let probe = bench.first_probe();
    bench.finish(probe, Failure);
    bench.first_probe();
    bench.after(secs(60)).rejected();
    assert_eq!(bench.machine.totals(0).rare.trips, [1, 0, 0, 0, 1, 1]);
}

#[test]
fn every_change_raises_the_generation_by_one() {
    let mut bench = Bench::new(Config::new().probes(1));
    bench.fail(20);
    assert_eq!(bench.machine.generation(), 1);
    let probe = bench.first_probe();
    assert_eq!(bench.machine.generation(), 2);
    bench.finish(probe, Success);
    assert_eq!(bench.machine.generation(), 3);
    bench.machine.force_open(0);
    bench.machine.disable(0);
    bench.machine.reset(0);
    assert_eq!(bench.machine.generation(), 6);
}

#[test]
fn time_at_its_end_neither_panics_nor_wraps() {
    let most = Duration::from_nanos(u64::MAX);
    let config = Config::new().cooldown(most).jitter(1.0).probe_timeout(most).probes(1);
    let mut bench = Bench::new(config.slow_call(most).window(Window::Time(most)));
    bench.random.set(u32::MAX);
    bench.now.set(u64::MAX - 1);
    bench.fail(20);
    assert_eq!(bench.cooldown(), most);
    assert_eq!(bench.rejected(), (RejectedKind::Open, Some(Duration::from_nanos(1))));
    bench.after_nanos(1);
    let probe = bench.admitted();
    assert_eq!(bench.rejected().0, RejectedKind::ProbesBusy);
    bench.finish(probe, Success);
    bench.now.set(u64::MAX - 1);
    bench.fail(19);
    assert_eq!(bench.window(), (19, 19));
}

#[test]
fn time_that_stands_still_still_judges() {
    let mut bench = Bench::new(Config::new());
    bench.succeed(1_000_000).fail(1_000_000);
    assert_eq!(bench.state(), State::Open);
}

#[test]
fn time_that_steps_back_forgets_nothing_and_opens_nothing() {
    let mut bench = Bench::new(Config::new());
    bench.fail(10);
    bench.now.set(5);
    bench.fail(9);
    assert_eq!((bench.state(), bench.window()), (State::Closed, (19, 19)));
}

/// The precise clock may be in the next slice already.
#[test]
fn what_opened_it_is_what_was_judged_however_late_the_change_is() {
    let mut bench = Bench::new(Config::new().threshold(2).window(Window::Time(secs(10))));
    bench.fail(1);
    let token = bench.admitted();
    let now = bench.now.get();
    let later = Fixed(now + nanos(secs(60)), 0);
    let turn = bench.machine.settle(token, End::Failure, 0, 0, now, &later).expect("it opens");
    assert_eq!((turn.counts.calls, turn.counts.failures), (2, 2));
    assert_eq!(bench.machine.opened(), Some((Cause::FailureRate, turn.counts)));
}
