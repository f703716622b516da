//! An outage from the first failure to the recovery, in virtual time, with the breaker used by hand.
//!
//! Time stands still unless a test moves it, so every count is exact.

use breakerbox::testing::Clock;
use breakerbox::{Breaker, Cause, Config, Permit, Rejected, RejectedKind, State};
use std::sync::Barrier;
use std::thread;
use std::time::Duration;

const PROBES: usize = 3;
const CONFIG: Config =
    Config::new().threshold(4).rate(0.5).cooldown(secs(15)).max_cooldown(secs(45)).probes(3);

#[test]
fn an_outage_keeps_calls_away_until_enough_probes_succeed() {
    // s s f f   x x x …15 s… f   x …30 s… s s s   s s s s s s s s
    // closed    open         ½   open     ½       closed
    let clock = Clock::freeze();
    let remote = Remote::behind(Breaker::new("remote", CONFIG));
    remote.succeed();
    remote.succeed();
    remote.fail();
    assert_eq!(remote.breaker.state(), State::Closed);
    remote.fail();
    assert_eq!(remote.breaker.state(), State::Open);

    for left in [15, 10, 5] {
        assert_eq!(remote.turned_away(), (RejectedKind::Open, Some(secs(left))));
        clock.advance(secs(5));
    }
    assert_eq!(remote.breaker.state(), State::Open, "until a call comes");
    remote.fail();
    assert_eq!(remote.breaker.state(), State::Open, "the one probe failed");

    assert_eq!(remote.turned_away(), (RejectedKind::Open, Some(secs(30))), "twice as long");
    clock.advance(secs(30));
    remote.succeed();
    remote.succeed();
    assert_eq!(remote.breaker.state(), State::HalfOpen);
    remote.succeed();
    assert_eq!(remote.breaker.state(), State::Closed);
    for _ in 0..8 {
        remote.succeed();
    }

    let totals = remote.breaker.snapshot().totals;
    assert_eq!(totals.success + totals.failure, 4 + 1 + 3 + 8);
    assert_eq!(totals.rejected(RejectedKind::Open), 4);
    assert_eq!(totals.trips(Cause::FailureRate), 1);
    assert_eq!(totals.trips(Cause::ProbeFailed), 1);
    assert_eq!(totals.open, secs(45));
}

#[test]
fn of_eight_threads_at_once_only_the_probes_are_let_through() {
    // f f f f   …15 s…   8 at once: p p p x x x x x   s s s
    // … open             half-open                    closed
    let clock = Clock::freeze();
    let remote = Remote::behind(Breaker::new("remote", CONFIG));
    for _ in 0..4 {
        remote.fail();
    }
    clock.advance(secs(15));

    let (probes, turned_away) = remote.at_once(8);
    assert_eq!(probes.len(), PROBES);
    assert_eq!(turned_away, [(RejectedKind::ProbesBusy, None); 5]);
    assert_eq!(remote.breaker.state(), State::HalfOpen);
    for probe in probes {
        probe.success();
    }
    assert_eq!(remote.breaker.state(), State::Closed);
    assert_eq!(remote.breaker.snapshot().window.calls, 0);
}

/// A dependency, as far as its breaker knows it: it does what the test says.
struct Remote {
    breaker: Breaker,
}

type Refusal = (RejectedKind, Option<Duration>);

impl Remote {
    fn behind(breaker: Breaker) -> Self {
        Self { breaker }
    }

    fn succeed(&self) {
        self.breaker.acquire().expect("it lets calls through").success();
    }

    fn fail(&self) {
        self.breaker.acquire().expect("it lets calls through").failure();
    }

    fn turned_away(&self) -> Refusal {
        refusal(&self.breaker.acquire().expect_err("it turns calls away"))
    }

    /// So many threads at once; the permits stay out until all threads have their answer.
    fn at_once(&self, callers: usize) -> (Vec<Permit<'_>>, Vec<Refusal>) {
        let start = Barrier::new(callers);
        let call = || {
            start.wait();
            self.breaker.acquire()
        };
        let answers: Vec<_> = thread::scope(|scope| {
            let calls: Vec<_> = (0..callers).map(|_| scope.spawn(call)).collect();
            calls.into_iter().map(|call| call.join().expect("no caller panics")).collect()
        });
        let (probes, rejected): (Vec<_>, Vec<_>) = answers.into_iter().partition(Result::is_ok);
        (
            probes.into_iter().flatten().collect(),
            rejected
                .into_iter()
                .filter_map(Result::err)
                .map(|rejected| refusal(&rejected))
                .collect(),
        )
    }
}

fn refusal(rejected: &Rejected) -> Refusal {
    (rejected.kind(), rejected.retry_after())
}

const fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}
