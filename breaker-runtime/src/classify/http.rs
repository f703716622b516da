//! What a result of an HTTP client counts as that speaks in the types of the crate `http`, as
//! `hyper` does and everything made for `tower`.

use super::{error, retry_after, status};
use crate::cause::AsError;
use crate::outcome::Outcome;
use ::http::{HeaderMap, Response, StatusCode};

/// What the result of an HTTP call counts as: a response by its status and `Retry-After`, an error as
/// by [`error`](fn@error).
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::{Outcome, classify};
/// use http::Response;
/// use std::convert::Infallible;
///
/// let busy = Response::builder().status(503).header("retry-after", "40").body(()).unwrap();
/// let result: Result<_, Infallible> = Ok(busy);
/// assert!(matches!(classify::http(&result), Outcome::Throttled(after) if after.as_secs() == 40));
/// ```
#[must_use]
pub fn http<B, E, Kind>(result: &Result<Response<B>, E>) -> Outcome
where
    E: AsError<Kind>,
{
    match result {
        Ok(response) => http_response(response),
        Err(fault) => error(fault),
    }
}

/// What a response counts as, by its status and `Retry-After`.
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::{Outcome, classify};
/// use http::Response;
///
/// let gone = Response::builder().status(410).body("long ago").unwrap();
/// assert_eq!(classify::http_response(&gone), Outcome::Success);
/// ```
#[must_use]
pub fn http_response<B>(response: &Response<B>) -> Outcome {
    http_parts(response.status(), response.headers())
}

/// As [`http_response`], for a client with a response type of its own.
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::{Outcome, classify};
/// use http::{HeaderMap, StatusCode};
///
/// let outcome = classify::http_parts(StatusCode::BAD_GATEWAY, &HeaderMap::new());
/// assert_eq!(outcome, Outcome::Failure);
/// ```
#[must_use]
pub fn http_parts(code: StatusCode, headers: &HeaderMap) -> Outcome {
    status(code.as_u16(), retry_after(headers))
}
