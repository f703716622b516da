//! What customers ask: an article with its price and stock. The answer says what of it is degraded,
//! in a header and in the body.

use crate::clients::{CallError, Clients, price, stock};
use crate::upstreams::WAREHOUSES;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;

pub(crate) fn routes(clients: Arc<Clients>) -> Router {
    Router::new().route("/articles/{article}", get(article)).with_state(clients)
}

#[derive(Deserialize)]
struct Asked {
    /// `north` or `south`.
    #[serde(default = "north")]
    warehouse: String,
}

/// An article as the customer sees it.
#[derive(Serialize)]
struct Offer {
    article: u32,
    price_cents: u32,
    /// Not there where the warehouse gave no answer.
    in_stock: Option<u32>,
    /// What is out of date or missing.
    degraded: Vec<&'static str>,
}

async fn article(
    State(clients): State<Arc<Clients>>,
    Path(article): Path<u32>,
    Query(Asked { warehouse }): Query<Asked>,
) -> Response {
    // From a list, so that customers make no breakers.
    let host = WAREHOUSES.into_iter().find(|host| host.split('.').next() == Some(&warehouse));
    let Some(host) = host else {
        return problem(StatusCode::NOT_FOUND, "there is no such warehouse");
    };
    let price = match price(&clients, article).await {
        Ok(price) => price,
        Err(error) => return error.into_response(),
    };
    let in_stock = stock(&clients, host, article).await.ok();
    let mut degraded = Vec::new();
    if price.is_stale {
        degraded.push("price");
    }
    if in_stock.is_none() {
        degraded.push("stock");
    }
    let header = degraded.join(", ");
    let body = Json(Offer { article, price_cents: price.cents, in_stock, degraded });
    let mut answer = body.into_response();
    if let (false, Ok(value)) = (header.is_empty(), HeaderValue::from_str(&header)) {
        answer.headers_mut().insert("x-degraded", value);
    }
    answer
}

impl IntoResponse for CallError {
    fn into_response(self) -> Response {
        match self {
            Self::Status(StatusCode::NOT_FOUND) => {
                problem(StatusCode::NOT_FOUND, "there is no such article")
            }
            Self::Status(status) => {
                tracing::info!(%status, "no price");
                problem(StatusCode::BAD_GATEWAY, "the price service gave no answer")
            }
            Self::Http(error) => {
                tracing::info!(%error, "no price");
                problem(StatusCode::BAD_GATEWAY, "the price service could not be asked")
            }
            Self::Rejected(rejected) => {
                let mut answer = problem(
                    StatusCode::SERVICE_UNAVAILABLE,
                    "the price service is down, and this price was never asked for before",
                );
                if let Some(left) = rejected.retry_after() {
                    // Whole seconds, and never too early.
                    let seconds = left.as_secs() + u64::from(left.subsec_nanos() > 0);
                    answer.headers_mut().insert(header::RETRY_AFTER, seconds.into());
                }
                answer
            }
        }
    }
}

/// An answer that says why it is none.
pub(crate) fn problem(status: StatusCode, said: &str) -> Response {
    (status, Json(json!({ "error": said }))).into_response()
}

fn north() -> String {
    "north".to_owned()
}
