//! `classify::reqwest` with the real client against a real server: what each answer counts as, and
//! which requests arrive.

use breakerbox::testing::Clock;
use breakerbox::{Outcome, Rejected, RejectedKind, State, circuit_breaker, classify};
use clients::{begin, run};
use real_server::{Request, Server};
use reqwest::{Client, Response};
use std::error::Error;
use std::time::Duration;

const COOLDOWN: Duration = secs(15);
const PROBES: usize = 3;
/// A port below those that tests are given, where nobody listens.
const NOBODY: &str = "http://127.0.0.1:1/";

#[circuit_breaker(
    threshold = 4,
    rate = 0.5,
    cooldown = COOLDOWN,
    max_cooldown = "10m",
    slow_call = "2s",
    slow_rate = 0.5,
    probes = 3,
    classify = classify::reqwest,
    handle = breaker
)]
async fn fetch(url: String) -> Result<Response, FetchError> {
    Ok(client().get(url).send().await?)
}

#[derive(Debug, thiserror::Error)]
enum FetchError {
    #[error("no answer")]
    Http(#[from] reqwest::Error),
    #[error("not asked")]
    Rejected(#[from] Rejected),
}

#[test]
fn an_outage_opens_it_and_only_probes_arrive_until_it_is_over() {
    // s s f f   x   …15 s…   p p p held: x   s s s   s
    // closed    open         half-open               closed
    let clock = Clock::freeze();
    let server = Server::start();
    for status in [200, 404, 500, 503] {
        assert_eq!(answered(&server, |request| request.answer(status)).unwrap().status(), status);
    }
    assert_eq!(breaker().state(), State::Open);
    assert_eq!(turned_away(&server), (RejectedKind::Open, Some(COOLDOWN)));

    clock.advance(COOLDOWN);
    let probes: Vec<_> =
        (0..PROBES).map(|_| (begin(fetch(server.url())), server.request())).collect();
    assert_eq!(turned_away(&server), (RejectedKind::ProbesBusy, None));
    for (call, request) in probes {
        request.answer(200);
        call.join().unwrap().unwrap();
    }
    assert_eq!(breaker().state(), State::Closed);

    answered(&server, |request| request.answer(200)).unwrap();
    assert_eq!(server.finish(), 4 + PROBES + 1);
}

#[test]
fn a_server_that_asks_for_time_in_seconds_gets_it() {
    let _clock = Clock::freeze();
    let server = Server::start();
    for _ in 0..4 {
        answered(&server, |request| request.answer_with(429, "Retry-After: 120\r\n")).unwrap();
    }
    assert_eq!(turned_away(&server), (RejectedKind::Open, Some(secs(120))));
    assert_eq!(server.finish(), 4);
}

#[test]
fn a_server_that_names_a_date_gets_the_time_until_then() {
    let _clock = Clock::freeze();
    let server = Server::start();
    let headers = "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n\
                   Retry-After: Sun, 06 Nov 1994 08:51:37 GMT\r\n";
    for _ in 0..4 {
        answered(&server, |request| request.answer_with(503, headers)).unwrap();
    }
    assert_eq!(turned_away(&server), (RejectedKind::Open, Some(secs(120))));
    assert_eq!(server.finish(), 4);
}

#[test]
fn a_server_that_asks_for_the_impossible_gets_what_the_settings_allow() {
    let hostile = [
        ("18446744073709551616", secs(600)),
        ("Fri, 31 Dec 9999 23:59:59 GMT", secs(600)),
        ("Thu, 01 Jan 1970 00:00:00 GMT", COOLDOWN),
        ("-1", COOLDOWN),
        ("for ever", COOLDOWN),
    ];
    let _clock = Clock::freeze();
    for (value, cooldown) in hostile {
        breaker().reset();
        let server = Server::start();
        let headers = format!("Retry-After: {value}\r\n");
        for _ in 0..4 {
            answered(&server, |request| request.answer_with(429, &headers)).unwrap();
        }
        assert_eq!(turned_away(&server), (RejectedKind::Open, Some(cooldown)), "{value}");
        assert_eq!(server.finish(), 4);
    }
}

#[test]
fn a_refusal_of_the_request_counts_for_nothing() {
    let _clock = Clock::freeze();
    let server = Server::start();
    for status in [400, 401, 403, 422] {
        answered(&server, |request| request.answer(status)).unwrap();
    }
    let seen = breaker().snapshot();
    assert_eq!((seen.window.calls, seen.totals.ignored), (0, 4));
    assert_eq!(server.finish(), 4);
}

#[test]
fn slow_answers_open_it_though_they_are_good() {
    let clock = Clock::freeze();
    let server = Server::start();
    for _ in 0..4 {
        answered(&server, |request| {
            clock.advance(secs(2));
            request.answer(200);
        })
        .unwrap();
    }
    assert_eq!(breaker().snapshot().totals.slow, 4);
    assert_eq!(turned_away(&server).0, RejectedKind::Open);
    assert_eq!(server.finish(), 4);
}

#[test]
fn a_server_that_is_gone_is_a_failure() {
    let result = run(client().get(NOBODY).send());
    assert!(result.as_ref().is_err_and(reqwest::Error::is_connect));
    assert_eq!(classify::reqwest(&result), Outcome::Failure);
}

#[test]
fn a_time_out_is_a_failure() {
    let server = Server::start();
    let request = client().get(server.url()).timeout(Duration::from_millis(50));
    let call = begin(async { request.send().await });
    let held = server.request();
    let result = call.join().unwrap();
    assert!(result.as_ref().is_err_and(reqwest::Error::is_timeout));
    assert_eq!(classify::reqwest(&result), Outcome::Failure);
    drop(held);
    assert_eq!(server.finish(), 1);
}

#[test]
fn a_line_that_drops_is_a_failure_before_the_answer_and_within() {
    let server = Server::start();
    let before = begin(client().get(server.url()).send());
    drop(server.request());
    assert_eq!(classify::reqwest(&before.join().unwrap()), Outcome::Failure);

    let url = server.url();
    let within = begin(async move { client().get(url).send().await?.text().await });
    server.request().break_off();
    assert_eq!(classify::reqwest::<String, _, _>(&within.join().unwrap()), Outcome::Failure);
    assert_eq!(server.finish(), 2);
}

#[test]
fn an_error_of_a_status_counts_by_that_status() {
    let server = Server::start();
    let cases = [
        (404, Outcome::Success),
        (401, Outcome::Ignored),
        (500, Outcome::Failure),
        // The header has gone.
        (429, Outcome::Failure),
    ];
    for (status, outcome) in cases {
        let url = server.url();
        let call = begin(async move { client().get(url).send().await?.error_for_status() });
        server.request().answer_with(status, "Retry-After: 120\r\n");
        assert_eq!(classify::reqwest(&call.join().unwrap()), outcome, "{status}");
    }
    assert_eq!(server.finish(), cases.len());
}

#[test]
fn the_error_is_found_in_every_kind_of_box() {
    let refused = || run(client().get("no address").send()).unwrap_err();
    assert_eq!(classify::reqwest(&Err::<(), _>(FetchError::from(refused()))), Outcome::Ignored);
    assert_eq!(classify::reqwest(&Err::<(), _>(anyhow::Error::from(refused()))), Outcome::Ignored);
    let boxed: Box<dyn Error + Send + Sync> = refused().into();
    assert_eq!(classify::reqwest(&Err::<(), _>(boxed)), Outcome::Ignored);
    let context = anyhow::Error::from(refused()).context("the page of today");
    assert_eq!(classify::reqwest(&Err::<(), _>(context)), Outcome::Ignored);
}

#[test]
fn what_a_breaker_further_down_rejected_is_ignored() {
    let _clock = Clock::freeze();
    breaker().force_open();
    let rejected = || run(fetch(NOBODY.to_owned()));
    assert_eq!(classify::reqwest(&rejected()), Outcome::Ignored);
    assert_eq!(classify::reqwest(&rejected().map_err(anyhow::Error::from)), Outcome::Ignored);
}

const fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// A client of its own for each call, so that none meets a line that another has left.
fn client() -> Client {
    Client::builder().no_proxy().build().expect("a client")
}

/// One call that arrives and is answered so.
fn answered(server: &Server, answer: impl FnOnce(Request)) -> Result<Response, FetchError> {
    let call = begin(fetch(server.url()));
    answer(server.request());
    call.join().unwrap()
}

/// One call that is turned away; the server's count shows in the end that it did not arrive.
fn turned_away(server: &Server) -> (RejectedKind, Option<Duration>) {
    match run(fetch(server.url())) {
        Err(FetchError::Rejected(rejected)) => (rejected.kind(), rejected.retry_after()),
        other => panic!("expected a rejection, got {other:?}"),
    }
}
