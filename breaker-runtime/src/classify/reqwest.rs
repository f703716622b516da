//! What a result of the client `reqwest` counts as.

use super::{error, http_parts, status};
use crate::cause::{AsError, find};
use crate::outcome::Outcome;
use crate::rejected::Rejected;
use ::reqwest::{Error, Response};
use std::any::Any;

/// What the result of a call counts as that is made with `reqwest`.
///
/// A `reqwest::Response` counts by its status and `Retry-After`. Any other value was made of an answer, so it
/// is a success. An error counts by the `reqwest::Error` that it is or has among its sources
/// ([`reqwest_error`]), and as by [`error`](fn@error) where it has none.
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// # #[derive(Debug)]
/// # enum FetchError { Http(reqwest::Error), Rejected(Rejected) }
/// # impl From<reqwest::Error> for FetchError { fn from(e: reqwest::Error) -> Self { Self::Http(e) } }
/// # impl From<Rejected> for FetchError { fn from(e: Rejected) -> Self { Self::Rejected(e) } }
/// # impl std::fmt::Display for FetchError {
/// #     fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { write!(f, "no page") }
/// # }
/// # impl std::error::Error for FetchError {
/// #     fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
/// #         match self { Self::Http(e) => Some(e), Self::Rejected(e) => Some(e) }
/// #     }
/// # }
/// use breakerbox::{Breaker, Config, Outcome, Rejected, classify};
///
/// /// `FetchError` is any error with `From<Rejected>` and `From<reqwest::Error>`.
/// async fn page(url: &str) -> Result<reqwest::Response, FetchError> {
///     Ok(reqwest::get(url).await?)
/// }
///
/// /// To a page that has to be there, a 404 is an outage.
/// fn outcome_of(result: &Result<reqwest::Response, FetchError>) -> Outcome {
///     match result {
///         Ok(response) if response.status() == 404 => Outcome::Failure,
///         other => classify::reqwest(other),
///     }
/// }
/// # futures::executor::block_on(async {
/// # let client = || reqwest::Client::new().get("no address").send();
/// # let result = client().await.map_err(FetchError::Http);
/// # assert_eq!(outcome_of(&result), Outcome::Ignored);
/// # });
/// # let _ = page;
/// ```
///
/// With the attribute it is `classify = breakerbox::classify::reqwest`.
///
/// A 429 or 503 of `error_for_status` no longer knows its `Retry-After`: it counts as a failure. Return
/// the response, and turn it into an error outside, where that time is to be kept. The responses of
/// `reqwest::blocking` are of another type: judge those by [`http_parts`].
#[must_use]
pub fn reqwest<T, E, Kind>(result: &Result<T, E>) -> Outcome
where
    T: 'static,
    E: AsError<Kind>,
{
    match result {
        Ok(value) => match (value as &dyn Any).downcast_ref() {
            Some(response) => reqwest_response(response),
            None => Outcome::Success,
        },
        Err(fault) => find(fault.as_error()).map_or_else(|| error(fault), reqwest_error),
    }
}

/// What a response counts as, by its status and `Retry-After`.
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::{Outcome, classify};
///
/// let answer = http::Response::builder().status(429).header("retry-after", "40").body("");
/// let response = reqwest::Response::from(answer.unwrap());
/// let outcome = classify::reqwest_response(&response);
/// assert!(matches!(outcome, Outcome::Throttled(after) if after.as_secs() == 40));
/// ```
#[must_use]
pub fn reqwest_response(response: &Response) -> Outcome {
    http_parts(response.status(), response.headers())
}

/// What an error of `reqwest` counts as: one of `error_for_status` by its status; one that was made
/// before anything was sent, as of an address that cannot be read, is ignored; all others are failures,
/// since no answer came that could be used: refused, reset, timed out, redirected in circles, or not
/// what it said to be.
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::{Outcome, classify};
///
/// let mistake = reqwest::Client::new().get("no address").build().unwrap_err();
/// assert_eq!(classify::reqwest_error(&mistake), Outcome::Ignored);
/// ```
#[must_use]
pub fn reqwest_error(error: &Error) -> Outcome {
    // A breaker may sit among the client's own connectors.
    if error.is_builder() || Rejected::find_in(error).is_some() {
        return Outcome::Ignored;
    }
    match error.status() {
        Some(code) if error.is_status() => status(code.as_u16(), None),
        _ => Outcome::Failure,
    }
}
