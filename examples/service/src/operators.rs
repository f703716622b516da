//! What operators see and do: the breakers, their metrics, the health of the service; and, for those
//! who have the token, a hand on the breakers.

use crate::page;
use crate::shop::problem;
use crate::upstreams::{Mood, Upstreams};
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use breakerbox::{Breaker, State as BreakerState, panel};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusRecorder};
use serde_json::json;
use std::sync::Arc;
use subtle::ConstantTimeEq;

pub(crate) fn routes(token: Token, upstreams: Arc<Upstreams>) -> Router {
    let steering = Router::new()
        .route("/breakers/{name}/{action}", post(steer))
        .route("/upstreams/{host}/{mood}", post(set_mood))
        .with_state(upstreams)
        .route_layer(middleware::from_fn_with_state(token, only_with_token));
    Router::new()
        .route("/breakers", get(breakers))
        .route("/metrics", get(metrics_page))
        .with_state(Arc::new(PrometheusBuilder::new().build_recorder()))
        .route("/health", get(health))
        .merge(steering)
}

/// What one must know to change anything.
#[derive(Clone)]
pub(crate) struct Token(Arc<str>);

impl Token {
    pub(crate) fn new(token: String) -> Self {
        Self(token.into())
    }

    /// Takes as long for a wrong token that begins right as for any other.
    fn is_in(&self, headers: &HeaderMap) -> bool {
        let given = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let given = given.and_then(|value| value.split_once(' '));
        given.is_some_and(|(scheme, given)| {
            scheme.eq_ignore_ascii_case("bearer")
                && bool::from(given.as_bytes().ct_eq(self.0.as_bytes()))
        })
    }
}

async fn only_with_token(State(token): State<Token>, request: Request, next: Next) -> Response {
    if token.is_in(request.headers()) {
        return next.run(request).await;
    }
    let mut answer = problem(StatusCode::UNAUTHORIZED, "say the token: `Authorization: Bearer …`");
    let scheme = HeaderValue::from_static("Bearer");
    answer.headers_mut().insert(header::WWW_AUTHENTICATE, scheme);
    answer
}

/// All breakers: a table for a browser, JSON for everyone else.
async fn breakers(headers: HeaderMap) -> Response {
    let snapshots = panel().snapshots();
    let accepts = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    let mut answer = if accepts.is_some_and(|types| types.contains("text/html")) {
        page::of(&snapshots).into_response()
    } else {
        Json(json!({ "breakers": snapshots })).into_response()
    };
    answer.headers_mut().insert(header::VARY, HeaderValue::from_static("accept"));
    answer
}

/// Every breaker of this name is changed: names need not be unique.
async fn steer(Path((name, action)): Path<(String, String)>) -> Response {
    let change = match action.as_str() {
        "force-open" => Breaker::force_open,
        "disable" => Breaker::disable,
        "reset" => Breaker::reset,
        _ => {
            return problem(StatusCode::NOT_FOUND, "the actions are force-open, disable and reset");
        }
    };
    let found = panel().find(&name);
    if found.is_empty() {
        return problem(StatusCode::NOT_FOUND, "there is no breaker of this name");
    }
    for breaker in &found {
        change(breaker);
    }
    let states: Vec<_> = found.iter().map(|breaker| breaker.state()).collect();
    Json(json!({ "breaker": name, "changed": found.len(), "states": states })).into_response()
}

/// Breaks an upstream, or makes it well again: there is nobody else to do it here.
async fn set_mood(
    State(upstreams): State<Arc<Upstreams>>,
    Path((host, mood)): Path<(String, String)>,
) -> Response {
    match Mood::named(&mood) {
        None => problem(StatusCode::NOT_FOUND, "the moods are well, flaky and down"),
        Some(mood) if upstreams.set(&host, mood) => StatusCode::NO_CONTENT.into_response(),
        Some(_) => problem(StatusCode::NOT_FOUND, "there is no such upstream"),
    }
}

/// The recorder is filled when it is asked. This one is the service's own; a program that counts
/// other things too has a global one, and calls `publish` as it is.
async fn metrics_page(State(recorder): State<Arc<PrometheusRecorder>>) -> impl IntoResponse {
    metrics::with_local_recorder(&*recorder, breakerbox::metrics::publish);
    let page = recorder.handle().render();
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], page)
}

/// Well as long as it can answer. An open breaker is no reason to take the service away: it keeps
/// answering, degraded, and a restart would send all calls to the upstream that is down.
async fn health() -> impl IntoResponse {
    let breakers = panel().breakers();
    let not_closed = breakers.iter().filter(|breaker| breaker.state() != BreakerState::Closed);
    let names: Vec<_> = not_closed.map(|breaker| breaker.name()).collect();
    Json(json!({ "status": "ok", "breakers_not_closed": names }))
}
