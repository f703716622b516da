//! `classify::tonic` with the real client against a real server: what each answer counts as, and which
//! requests arrive. The service is gRPC's own one for health, since its client comes ready-made.

use breakerbox::testing::Clock;
use breakerbox::{Outcome, Rejected, RejectedKind, State, circuit_breaker, classify};
use clients::grpc::{Answer, HealthServer, channel, check};
use clients::{begin, run};
use std::error::Error;
use std::time::Duration;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt};

const COOLDOWN: Duration = Duration::from_secs(15);
const PROBES: usize = 3;
/// A port below those that tests are given, where nobody listens.
const NOBODY: &str = "http://127.0.0.1:1";

#[circuit_breaker(
    threshold = 4,
    rate = 0.5,
    cooldown = COOLDOWN,
    max_cooldown = "10m",
    probes = 3,
    classify = classify::tonic,
    handle = breaker
)]
async fn ask(channel: Channel) -> Answer {
    check(channel).await
}

#[test]
fn an_outage_opens_it_and_only_probes_arrive_until_it_is_over() {
    // s s f f   x   …15 s…   p p p held: x   s s s   s
    // closed    open         half-open               closed
    let clock = Clock::freeze();
    let server = HealthServer::start();
    let channel = channel(server.url());
    let answered = |status: Option<Status>| {
        let call = begin(ask(channel.clone()));
        server.request().answer(status);
        call.join().unwrap()
    };
    answered(None).unwrap();
    answered(Some(Status::not_found("no such service"))).unwrap_err();
    answered(Some(Status::internal("a fault"))).unwrap_err();
    answered(Some(Status::unavailable("down"))).unwrap_err();
    assert_eq!(breaker().state(), State::Open);
    assert_eq!(rejection(run(ask(channel.clone()))), (RejectedKind::Open, Some(COOLDOWN)));

    clock.advance(COOLDOWN);
    let probes: Vec<_> =
        (0..PROBES).map(|_| (begin(ask(channel.clone())), server.request())).collect();
    assert_eq!(rejection(run(ask(channel.clone()))), (RejectedKind::ProbesBusy, None));
    for (call, request) in probes {
        request.answer(None);
        call.join().unwrap().unwrap();
    }
    assert_eq!(breaker().state(), State::Closed);
    answered(None).unwrap();
    assert_eq!(server.arrived(), 4 + PROBES + 1);
}

#[test]
fn a_server_that_asks_for_time_gets_it() {
    let _clock = Clock::freeze();
    let server = HealthServer::start();
    let channel = channel(server.url());
    for _ in 0..4 {
        let call = begin(ask(channel.clone()));
        let details = ErrorDetails::with_retry_info(Some(Duration::from_secs(120)));
        let busy = Status::with_error_details(Code::ResourceExhausted, "later", details);
        server.request().answer(Some(busy));
        call.join().unwrap().unwrap_err();
    }
    let (kind, left) = rejection(run(ask(channel)));
    assert_eq!((kind, left), (RejectedKind::Open, Some(Duration::from_secs(120))));
    assert_eq!(server.arrived(), 4);
}

#[test]
fn every_code_counts_off_the_wire_as_the_table_says() {
    let server = HealthServer::start();
    let channel = channel(server.url());
    let outcomes = (1..=16).map(|code| {
        let call = begin(check(channel.clone()));
        server.request().answer(Some(Status::new(Code::from_i32(code), "")));
        let answer = call.join().unwrap();
        assert_eq!(answer.as_ref().unwrap_err().code(), Code::from_i32(code));
        match classify::tonic(&answer) {
            Outcome::Success => 's',
            Outcome::Failure => 'f',
            _ => 'i',
        }
    });
    assert_eq!(outcomes.collect::<String>(), "ififssifsssifffi");
    assert_eq!(server.arrived(), 16);
}

#[test]
fn a_server_that_is_gone_is_a_failure() {
    let answer = run(check(channel(NOBODY.to_owned())));
    assert_eq!(answer.as_ref().unwrap_err().code(), Code::Unavailable);
    assert_eq!(classify::tonic(&answer), Outcome::Failure);
}

#[test]
fn a_time_out_is_a_failure_whatever_tonic_calls_it() {
    let server = HealthServer::start();
    let endpoint = Endpoint::from_shared(server.url()).expect("an address");
    let impatient = endpoint.timeout(Duration::from_millis(50));
    let call = begin(async move { check(impatient.connect_lazy()).await });
    let held = server.request();
    let answer = call.join().unwrap();
    assert_eq!(classify::tonic(&answer), Outcome::Failure);
    drop(held);
}

#[test]
fn a_server_that_goes_away_within_a_call_is_a_failure() {
    let server = real_server::Server::start();
    let channel = channel(server.url());
    let call = begin(check(channel));
    // It knows no gRPC: the client's greeting is no request to it, and it hangs up in the middle.
    drop(server.request());
    let answer = call.join().unwrap();
    assert_eq!(classify::tonic(&answer), Outcome::Failure, "{answer:?}");
}

#[test]
fn a_status_from_a_rejected_tells_the_next_client_when_to_come_back() {
    let clock = Clock::freeze();
    breakerbox::testing::trip(breaker());
    clock.advance(Duration::from_secs(5));
    let status = run(ask(channel(NOBODY.to_owned()))).unwrap_err();
    assert_eq!(status.code(), Code::Unavailable);
    let retry_info = status.get_details_retry_info().expect("it is open for some time yet");
    assert_eq!(retry_info.retry_delay, Some(Duration::from_secs(10)));
    assert!(status.source().is_some_and(<dyn Error>::is::<Rejected>));
    assert_eq!(classify::tonic(&Err::<(), _>(status)), Outcome::Ignored);
}

fn rejection(answer: Answer) -> (RejectedKind, Option<Duration>) {
    let status = answer.unwrap_err();
    let rejected = Rejected::find_in(&status).unwrap_or_else(|| panic!("not rejected: {status:?}"));
    (rejected.kind(), rejected.retry_after())
}
