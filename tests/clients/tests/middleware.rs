//! One breaker around an annotated function and around middleware alike, under real servers: `axum`,
//! and `tonic` on both sides.

use axum::Router;
use axum::body::Body;
use axum::error_handling::HandleErrorLayer;
use axum::http::{Response, StatusCode};
use axum::routing::get;
use breakerbox::testing::{Clock, trip};
use breakerbox::tower::BreakerLayer;
use breakerbox::{
    Breaker, Config, Rejected, RejectedKind, State, circuit_breaker, classify, panel,
};
use clients::grpc::{HealthServer, channel};
use clients::run;
use std::convert::Infallible;
use std::error::Error;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use tokio::net::TcpListener;
use tonic::{Code, Status};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;
use tower::{ServiceBuilder, ServiceExt, service_fn};

type BoxError = Box<dyn Error + Send + Sync>;

#[test]
fn under_axum_one_breaker_guards_a_route_and_a_function() {
    static DATABASE: Breaker = Breaker::new("database", Config::new().consecutive(3));
    static ASKED: AtomicUsize = AtomicUsize::new(0);

    async fn article() -> StatusCode {
        ASKED.fetch_add(1, SeqCst);
        StatusCode::INTERNAL_SERVER_ERROR
    }

    async fn refused(error: BoxError) -> Response<Body> {
        let rejected = Rejected::find_in(&error).expect("nothing else fails here");
        let after = rejected.retry_after().map_or(0, |left| left.as_secs());
        let response = Response::builder().status(503).header("retry-after", after);
        response.body(Body::empty()).expect("a response")
    }

    #[circuit_breaker(breaker = &DATABASE)]
    async fn stock() -> Result<u32, Rejected> {
        Ok(7)
    }

    let _clock = Clock::freeze();
    let guard = ServiceBuilder::new()
        .layer(HandleErrorLayer::new(refused))
        .layer(BreakerLayer::new(&DATABASE).classify(classify::http))
        .map_err(BoxError::from);
    let routes = Router::new().route("/", get(article).layer(guard));
    let url = serve(routes);

    assert_eq!(run(stock()).unwrap(), 7);
    let fetch = || run(async { reqwest_client().get(&url).send().await.unwrap() });
    for _ in 0..3 {
        assert_eq!(fetch().status(), 500);
    }
    // The route has opened it, for the function too.
    assert_eq!(run(stock()).unwrap_err().kind(), RejectedKind::Open);
    let answer = fetch();
    assert_eq!(
        (answer.status().as_u16(), &answer.headers()["retry-after"]),
        (503, &"15".parse().unwrap())
    );
    assert_eq!(ASKED.load(SeqCst), 3);

    DATABASE.reset();
    assert_eq!(fetch().status(), 500);
    assert_eq!(ASKED.load(SeqCst), 4);
}

#[test]
fn around_a_tonic_channel_one_breaker_guards_all_clients_and_a_function() {
    static HEALTH: Breaker = Breaker::new("health", Config::new().consecutive(3).probes(1));

    #[circuit_breaker(breaker = &HEALTH, classify = classify::tonic)]
    async fn version() -> Result<u32, Status> {
        Ok(7)
    }

    let clock = Clock::freeze();
    let server = HealthServer::start();
    let guarded = ServiceBuilder::new()
        .layer(BreakerLayer::new(&HEALTH).classify(classify::grpc))
        .map_err(|error: tonic::transport::Error| Status::from_error(error.into()))
        .service(channel(server.url()));
    let ask = || {
        let mut client = HealthClient::new(guarded.clone());
        clients::begin(async move { client.check(HealthCheckRequest::default()).await })
    };
    let answered = |status: Option<Status>| {
        let call = ask();
        server.request().answer(status);
        call.join().unwrap()
    };

    assert_eq!(run(version()).unwrap(), 7);
    for _ in 0..3 {
        answered(Some(Status::unavailable("down"))).unwrap_err();
    }
    assert_eq!(HEALTH.state(), State::Open);
    let status = ask().join().unwrap().unwrap_err();
    assert_eq!(Rejected::find_in(&status).map(Rejected::kind), Some(RejectedKind::Open));
    assert_eq!(run(version()).unwrap_err().code(), Code::Unavailable);
    assert_eq!(server.arrived(), 3);

    clock.advance(std::time::Duration::from_secs(15));
    answered(None).unwrap();
    assert_eq!(HEALTH.state(), State::Closed);
    assert_eq!(server.arrived(), 4);
}

#[test]
fn around_a_tonic_server_a_rejection_reaches_the_client_as_a_status() {
    static BACKEND: Breaker = Breaker::new("backend", Config::new());

    let _clock = Clock::freeze();
    panel().add(&BACKEND);
    let guard = ServiceBuilder::new()
        .layer(BreakerLayer::new(&BACKEND).classify(classify::grpc))
        .map_err(|never: Infallible| -> Status { match never {} })
        .into_inner();
    let server = HealthServer::start_with(guard);
    let ask = || {
        let channel = channel(server.url());
        clients::begin(clients::grpc::check(channel))
    };
    let call = ask();
    server.request().answer(None);
    call.join().unwrap().unwrap();

    trip(&BACKEND);
    let status = ask().join().unwrap().unwrap_err();
    assert_eq!(status.code(), Code::Unavailable);
    // The time that the breaker is still open came along.
    assert!(matches!(classify::tonic_status(&status), breakerbox::Outcome::Throttled(_)));
    assert_eq!(server.arrived(), 1);
}

/// Serves the routes on a free port of loopback, until the test process ends.
/// As the docs of the middleware say.
#[test]
fn what_stands_around_the_layer_answers_in_place_of_a_rejected_call() {
    static STOCK: Breaker = Breaker::new("stock", Config::new());

    let _clock = Clock::freeze();
    panel().add(&STOCK);
    let client = service_fn(|article: u32| async move {
        if article == 0 { Err(io::Error::other("no such article")) } else { Ok(article) }
    });
    let service = ServiceBuilder::new()
        .then(async |result: Result<u32, BoxError>| match result {
            Err(error) if Rejected::find_in(&error).is_some() => Ok(7),
            other => other,
        })
        .layer(BreakerLayer::new(&STOCK))
        .map_err(BoxError::from)
        .service(client);
    let ask = |article| run(service.clone().oneshot(article));
    assert_eq!(ask(5).unwrap(), 5);
    assert_eq!(ask(0).unwrap_err().to_string(), "no such article");
    trip(&STOCK);
    assert_eq!(ask(5).unwrap(), 7);
}

fn serve(routes: Router) -> String {
    let listener = run(TcpListener::bind("127.0.0.1:0")).expect("a free port");
    let url = format!("http://{}/", listener.local_addr().expect("it is bound"));
    drop(clients::begin(async { axum::serve(listener, routes).await }));
    url
}

fn reqwest_client() -> reqwest::Client {
    reqwest::Client::builder().no_proxy().build().expect("a client")
}
