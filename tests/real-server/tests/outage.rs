//! A client under `#[circuit_breaker]` through an outage of a real server: which requests arrive.
//!
//! Time stands still unless a test moves it, and the server does only what the test says, so every
//! count is exact.

use breakerbox::testing::Clock;
use breakerbox::{Outcome, RejectedKind, State, circuit_breaker};
use real_server::{FetchError, Request, Server};
use std::sync::Barrier;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

type Answer = Result<u16, FetchError>;

const COOLDOWN: Duration = secs(15);
const NANOSECOND: Duration = Duration::from_nanos(1);
/// Far more than a client ever waits, as no server here forgets to answer unless it means to.
const PATIENCE: Duration = secs(10);
const CALLERS: usize = 8;
const PROBES: usize = 3;

#[circuit_breaker(
    threshold = 4,
    rate = 0.5,
    cooldown = COOLDOWN,
    probes = 3,
    classify = outcome_of,
    handle = breaker
)]
fn fetch(url: &str, patience: Duration) -> Answer {
    let answer =
        ureq::get(url).config().proxy(None).timeout_global(Some(patience)).build().call()?;
    Ok(answer.status().as_u16())
}

fn outcome_of(answer: &Answer) -> Outcome {
    match answer {
        Ok(_) | Err(FetchError::Http(ureq::Error::StatusCode(404))) => Outcome::Success,
        Err(_) => Outcome::Failure,
    }
}

#[test]
fn while_open_no_request_arrives() {
    // s s f f   x    x          x   s
    // closed    open …15 s…         half-open
    let clock = Clock::freeze();
    let server = Server::start();
    succeed(&server);
    succeed(&server);
    fail(&server);
    fail(&server);
    assert_eq!(breaker().state(), State::Open);

    assert_eq!(turned_away(&server), (RejectedKind::Open, Some(COOLDOWN)));
    clock.advance(secs(14));
    assert_eq!(turned_away(&server), (RejectedKind::Open, Some(secs(1))));
    clock.advance(Duration::from_nanos(999_999_999));
    assert_eq!(turned_away(&server), (RejectedKind::Open, Some(NANOSECOND)));
    assert_eq!(breaker().state(), State::Open);

    clock.advance(NANOSECOND);
    succeed(&server);
    assert_eq!(breaker().state(), State::HalfOpen);
    assert_eq!(server.finish(), 5);
}

#[test]
fn of_eight_callers_at_once_only_the_probes_arrive_and_close_it() {
    // f f f f   8 at once: s s s x x x x x   8 at once: s s s s s s s s
    // … open    half-open                    closed
    let clock = Clock::freeze();
    let server = Server::start();
    trip(&server);
    clock.advance(COOLDOWN);

    eight_at_once(&server, |probes, _| {
        for probe in probes {
            probe.answer(200);
        }
    });
    assert_eq!(breaker().state(), State::Closed);
    assert_eq!(breaker().snapshot().window.calls, 0);

    for _ in 0..8 {
        succeed(&server);
    }
    assert_eq!(breaker().snapshot().window.calls, 8);
    assert_eq!(server.finish(), 4 + PROBES + 8);
}

#[test]
fn of_eight_callers_at_once_one_failed_probe_opens_it_again() {
    // f f f f   8 at once: f s s x x x x x   x
    // … open    half-open  open, cooldown starts anew: the two other probes are too late
    let clock = Clock::freeze();
    let server = Server::start();
    trip(&server);
    clock.advance(COOLDOWN);

    let late = breaker().snapshot().totals.late;
    eight_at_once(&server, |mut probes, answers| {
        probes.remove(0).answer(503);
        assert_failed(&answers.recv().expect("the caller whose probe failed"));
        for probe in probes {
            probe.answer(200);
        }
    });
    assert_eq!(breaker().state(), State::Open);
    assert_eq!(breaker().snapshot().totals.late, late + 2);
    assert_eq!(turned_away(&server), (RejectedKind::Open, Some(COOLDOWN)));
    assert_eq!(server.finish(), 4 + PROBES);
}

#[test]
fn a_server_that_hangs_or_is_gone_opens_it_too() {
    // s s   hangs   drops the line   x   …15 s…  gone  x
    // closed        open                         half-open, open
    let clock = Clock::freeze();
    let server = Server::start();
    succeed(&server);
    succeed(&server);
    let url = server.url();
    thread::scope(|scope| {
        let call = scope.spawn(|| fetch(&url, Duration::from_millis(50)));
        let held = server.request();
        assert!(matches!(call.join().unwrap(), Err(FetchError::Http(ureq::Error::Timeout(_)))));
        drop(held);
    });
    assert_eq!(breaker().state(), State::Closed);
    thread::scope(|scope| {
        let call = scope.spawn(|| fetch(&url, PATIENCE));
        drop(server.request());
        assert_failed(&call.join().unwrap());
    });
    assert_eq!(breaker().state(), State::Open);
    assert_eq!(turned_away(&server), (RejectedKind::Open, Some(COOLDOWN)));

    assert_eq!(server.finish(), 4);
    clock.advance(COOLDOWN);
    assert_failed(&fetch(&url, PATIENCE));
    assert_eq!(breaker().state(), State::Open);
}

#[test]
fn a_page_that_is_not_there_is_no_failure() {
    let _clock = Clock::freeze();
    let server = Server::start();
    for _ in 0..8 {
        assert!(matches!(
            answered(&server, 404),
            Err(FetchError::Http(ureq::Error::StatusCode(404)))
        ));
    }
    let window = breaker().snapshot().window;
    assert_eq!((window.calls, window.failures), (8, 0));
    assert_eq!(server.finish(), 8);
}

const fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn succeed(server: &Server) {
    assert!(matches!(answered(server, 200), Ok(200)));
}

fn fail(server: &Server) {
    assert_failed(&answered(server, 503));
}

fn trip(server: &Server) {
    for _ in 0..4 {
        fail(server);
    }
    assert_eq!(breaker().state(), State::Open);
}

/// One call that arrives and is answered with this status.
fn answered(server: &Server, status: u16) -> Answer {
    let url = server.url();
    thread::scope(|scope| {
        let call = scope.spawn(|| fetch(&url, PATIENCE));
        server.request().answer(status);
        call.join().unwrap()
    })
}

/// One call that is turned away; the server's count shows in the end that it did not arrive.
fn turned_away(server: &Server) -> (RejectedKind, Option<Duration>) {
    rejection(fetch(&server.url(), PATIENCE))
}

/// Eight callers at once in half-open. The server holds the probes until the other five are turned
/// away, so none of those can have found a slot that was free again; then `end` decides over them.
fn eight_at_once(server: &Server, end: impl FnOnce(Vec<Request>, &Receiver<Answer>)) {
    let url = server.url();
    let start = Barrier::new(CALLERS);
    let (sender, answers) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..CALLERS {
            let (url, start, sender) = (&url, &start, sender.clone());
            scope.spawn(move || {
                start.wait();
                sender.send(fetch(url, PATIENCE))
            });
        }
        let probes = (0..PROBES).map(|_| server.request()).collect();
        for answer in answers.iter().take(CALLERS - PROBES) {
            assert_eq!(rejection(answer), (RejectedKind::ProbesBusy, None));
        }
        assert_eq!(breaker().state(), State::HalfOpen);
        assert_eq!(breaker().snapshot().probes_in_flight, 3);
        end(probes, &answers);
    });
}

fn assert_failed(answer: &Answer) {
    assert!(matches!(answer, Err(FetchError::Http(_))), "{answer:?}");
}

fn rejection(answer: Answer) -> (RejectedKind, Option<Duration>) {
    match answer {
        Err(FetchError::Rejected(rejected)) => (rejected.kind(), rejected.retry_after()),
        other => panic!("expected a rejection, got {other:?}"),
    }
}
