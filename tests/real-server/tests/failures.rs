//! The ways in which a server really fails, each from the first failure to the recovery: how many
//! calls it takes to open, and which requests arrive before, meanwhile and afterwards.
//!
//! Time stands still unless a test moves it. Only a client that gives up waiting does so in real
//! time, after a fifth of a second.

use breakerbox::testing::Clock;
use breakerbox::{Breaker, Cause, Config, Outcome, Rejected, RejectedKind, State, circuit_breaker};
use real_server::{ClosedPort, Request, Server};
use std::thread;
use std::time::Duration;

type Answer = Result<String, FetchError>;

const CONFIG: Config = Config::new().threshold(4).rate(0.5).cooldown(COOLDOWN).probes(PROBES);
const COOLDOWN: Duration = Duration::from_secs(15);
const PROBES: u32 = 3;
/// For a client whose server is to answer, and for one whose server is not.
const PATIENT: Duration = Duration::from_secs(10);
const IMPATIENT: Duration = Duration::from_millis(200);

struct Client {
    breaker: Breaker,
    url: String,
}

#[derive(Debug)]
enum FetchError {
    Http(ureq::Error),
    Status(u16, Option<Duration>),
    Rejected(Rejected),
}

impl Client {
    fn of(server: &Server, config: Config) -> Self {
        Self { breaker: Breaker::new("remote", config), url: server.url() }
    }

    #[circuit_breaker(breaker = &self.breaker, classify = outcome_of)]
    fn fetch(&self, patience: Duration) -> Answer {
        let request = ureq::get(&self.url).config().proxy(None).http_status_as_error(false);
        let mut answer = request.timeout_global(Some(patience)).build().call()?;
        if answer.status().is_success() {
            return Ok(answer.body_mut().read_to_string()?);
        }
        let after = answer.headers().get("Retry-After").and_then(|after| after.to_str().ok());
        let after = after.and_then(|after| after.parse().ok()).map(Duration::from_secs);
        Err(FetchError::Status(answer.status().as_u16(), after))
    }

    fn turned_away(&self) -> (RejectedKind, Option<Duration>) {
        match self.fetch(PATIENT) {
            Err(FetchError::Rejected(rejected)) => (rejected.kind(), rejected.retry_after()),
            other => panic!("expected a rejection, got {other:?}"),
        }
    }
}

fn outcome_of(answer: &Answer) -> Outcome {
    match answer {
        Ok(_) => Outcome::Success,
        Err(FetchError::Status(429, Some(after))) => Outcome::Throttled(*after),
        Err(_) => Outcome::Failure,
    }
}

impl From<ureq::Error> for FetchError {
    fn from(error: ureq::Error) -> Self {
        Self::Http(error)
    }
}

impl From<Rejected> for FetchError {
    fn from(rejected: Rejected) -> Self {
        Self::Rejected(rejected)
    }
}

/// How a server fails, and what its client sees of it.
struct Failure<'a, K> {
    what: &'a str,
    patience: Duration,
    fail: &'a dyn Fn(&Clock, Request) -> K,
    is_seen: fn(&Answer) -> bool,
    cause: Cause,
    /// How long the failure keeps calls away.
    cooldown: Duration,
}

#[test]
fn a_server_that_does_not_answer() {
    outage(
        CONFIG,
        &Failure {
            what: "a server that does not answer",
            patience: IMPATIENT,
            fail: &|_, request| request,
            is_seen: |answer| matches!(answer, Err(FetchError::Http(ureq::Error::Timeout(_)))),
            cause: Cause::FailureRate,
            cooldown: COOLDOWN,
        },
    );
}

#[test]
fn a_server_that_resets_the_line_amid_its_answer() {
    outage(
        CONFIG,
        &Failure {
            what: "a server that resets the line amid its answer",
            patience: PATIENT,
            fail: &|_, request| request.reset_amid_body(),
            is_seen: |answer| matches!(answer, Err(FetchError::Http(ureq::Error::Io(_)))),
            cause: Cause::FailureRate,
            cooldown: COOLDOWN,
        },
    );
}

#[test]
fn a_server_that_answers_with_errors() {
    for status in [500, 502, 503, 504] {
        outage(
            CONFIG,
            &Failure {
                what: &format!("a server that answers {status}"),
                patience: PATIENT,
                fail: &|_, request| request.answer(status),
                is_seen: |answer| matches!(answer, Err(FetchError::Status(500..=504, None))),
                cause: Cause::FailureRate,
                cooldown: COOLDOWN,
            },
        );
    }
}

#[test]
fn a_server_that_asks_us_to_stay_away_for_a_while() {
    outage(
        CONFIG,
        &Failure {
            what: "a server that answers 429 and asks for 40 s",
            patience: PATIENT,
            fail: &|_, request| request.answer_with(429, "Retry-After: 40\r\n"),
            is_seen: |answer| matches!(answer, Err(FetchError::Status(429, Some(_)))),
            cause: Cause::FailureRate,
            cooldown: Duration::from_secs(40),
        },
    );
}

#[test]
fn a_server_that_answers_slowly() {
    outage(
        CONFIG.slow_call(Duration::from_secs(2)).slow_rate(0.5),
        &Failure {
            what: "a server that answers after 2 s",
            patience: PATIENT,
            fail: &|clock, request| {
                clock.advance(Duration::from_secs(2));
                request.answer(200);
            },
            is_seen: Result::is_ok,
            cause: Cause::SlowRate,
            cooldown: COOLDOWN,
        },
    );
}

#[test]
fn a_server_that_is_gone() {
    // f f f f   x   …15 s… f     x   …15 s…   p p p x     s
    // closed    open       half- open         half-open   closed
    let clock = Clock::freeze();
    let port = ClosedPort::reserve();
    let breaker = Breaker::new("remote", CONFIG);
    let client = Client { breaker, url: port.url() };
    let refused = || assert!(matches!(client.fetch(PATIENT), Err(FetchError::Http(_))));
    let mut calls = 0;
    while client.breaker.state() == State::Closed {
        refused();
        calls += 1;
    }
    println!("a server that is gone: open after {calls} calls");
    assert_eq!(calls, 4);
    assert_eq!(client.turned_away(), (RejectedKind::Open, Some(COOLDOWN)));
    clock.advance(COOLDOWN);
    refused();

    let server = port.open();
    for _ in 0..3 {
        assert_eq!(client.turned_away(), (RejectedKind::Open, Some(COOLDOWN)));
    }
    clock.advance(COOLDOWN);
    recover(&server, &client);
    assert_eq!(server.finish(), PROBES as usize + 1);
}

/// An outage from the first failure to the recovery.
///
/// ```text
/// s f f f   x x x   …15 s… f     x x x   …15 s…   p p p x     s
/// closed    open           half- open             half-open   closed
/// ```
fn outage<K>(config: Config, failure: &Failure<'_, K>) {
    let clock = Clock::freeze();
    let server = Server::start();
    let client = Client::of(&server, config);
    let breaker = &client.breaker;
    let fail = || {
        let fail = |request| (failure.fail)(&clock, request);
        assert!((failure.is_seen)(&call(&server, &client, failure.patience, fail)));
    };
    succeed(&server, &client);
    let mut calls = 0;
    while breaker.state() == State::Closed {
        fail();
        calls += 1;
    }
    println!("{}: open after {calls} calls that it failed", failure.what);
    assert_eq!(calls, 3, "of 4, the threshold");
    assert_eq!(breaker.snapshot().totals.trips(failure.cause), 1);
    stays_away(&clock, &client, failure.cooldown);

    fail();
    assert_eq!(breaker.snapshot().totals.trips(Cause::ProbeFailed), 1);
    stays_away(&clock, &client, failure.cooldown);

    recover(&server, &client);
    let totals = breaker.snapshot().totals;
    assert_eq!(totals.all_rejected(), 3 + 3 + 1);
    assert_eq!(totals.calls(), 1 + 3 + 1 + 3 + 1);
    assert_eq!(server.finish(), 1 + 3 + 1 + 3 + 1, "those, and no other request");
}

/// To the nanosecond: the server's count shows in the end that nothing arrived.
fn stays_away(clock: &Clock, client: &Client, cooldown: Duration) {
    let nanosecond = Duration::from_nanos(1);
    assert_eq!(client.turned_away(), (RejectedKind::Open, Some(cooldown)));
    clock.advance(cooldown / 2);
    assert_eq!(client.turned_away(), (RejectedKind::Open, Some(cooldown / 2)));
    clock.advance((cooldown / 2).saturating_sub(nanosecond));
    assert_eq!(client.turned_away(), (RejectedKind::Open, Some(nanosecond)));
    clock.advance(nanosecond);
}

/// Exactly the probes arrive, all at once; they are answered, and the next call is one like any.
fn recover(server: &Server, client: &Client) {
    thread::scope(|scope| {
        for _ in 0..PROBES {
            scope.spawn(|| client.fetch(PATIENT).expect("an answer"));
        }
        let probes: Vec<Request> = (0..PROBES).map(|_| server.request()).collect();
        assert_eq!(client.turned_away(), (RejectedKind::ProbesBusy, None));
        for probe in probes {
            probe.answer(200);
        }
    });
    assert_eq!(client.breaker.state(), State::Closed);
    assert_eq!(client.breaker.snapshot().window.calls, 0);
    succeed(server, client);
    assert_eq!(client.breaker.snapshot().window.calls, 1);
}

fn succeed(server: &Server, client: &Client) {
    let answer = call(server, client, PATIENT, |request| request.answer_page("good"));
    assert_eq!(answer.expect("an answer"), "good");
}

/// One call that arrives and that the server ends so. What it keeps of the request, it keeps until
/// the client has gone.
fn call<K>(
    server: &Server,
    client: &Client,
    patience: Duration,
    end: impl FnOnce(Request) -> K,
) -> Answer {
    thread::scope(|scope| {
        let call = scope.spawn(|| client.fetch(patience));
        let _kept = end(server.request());
        call.join().expect("a client does not panic")
    })
}
