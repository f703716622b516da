//! Ready-made answers to the question what a call counts as, for HTTP, gRPC and I/O.
//!
//! Four functions judge a whole `Result`, and are what the attribute's `classify` takes as they are:
//! [`io`], and with the features of their names `http`, `reqwest` and `tonic`. They find the error
//! that they know anywhere in the chain of sources, so they also work for an error type of your own,
//! for `Box<dyn Error>` and for `anyhow::Error`. A [`Rejected`](crate::Rejected) in the chain makes
//! the call [`Ignored`](crate::Outcome::Ignored): it was counted by the breaker that it came from.
//! Any other error that they do not know is a failure.
//!
//! An error that speaks for another one, as with `#[error(transparent)]` of `thiserror`, leaves that
//! one out of the chain, and then it is not found. Give such a variant a message of its own, as in
//! `#[error("the call failed")] Http(#[from] reqwest::Error)`, or match on it first in a function of
//! yours.
//!
//! ```
//! # extern crate breaker_runtime as breakerbox;
//! use breakerbox::{Breaker, Config, Outcome, classify};
//! use std::io::{Error, ErrorKind};
//!
//! let refused: Result<(), _> = Err(Error::from(ErrorKind::ConnectionRefused));
//! assert_eq!(classify::io(&refused), Outcome::Failure);
//! ```
//!
//! The others judge a part of a result, for a function of your own to build on: [`status`],
//! [`error`](fn@error), [`io_error`], and with their features `retry_after`, `http_parts`,
//! `http_response`, `reqwest_response`, `reqwest_error`, `tonic_status`, `grpc` and `grpc_response`.
//!
//! # HTTP
//!
//! | answer | counts as | because |
//! |---|---|---|
//! | 1xx, 2xx, 3xx | `Success` | |
//! | 404, 409, 410, 412, 416, 423 | `Success` | a healthy "no": the service looked at what it holds to say it |
//! | 408, 5xx | `Failure` | it could not, or not in time |
//! | 429, 503 with a `Retry-After` that can be read | `Throttled` | a failure that says for how long |
//! | 429, 503 without | `Failure` | |
//! | 400, 401, 403, 422 and every other 4xx | `Ignored` | below |
//! | no answer: refused, reset, timed out, not readable | `Failure` | |
//!
//! The last kind of 4xx says something about the request and nothing about the service. A bad request
//! gets a 400 from a service that is well and from one whose database is gone, for it is looked at
//! before the database is; a 401 or 403 may come from a gateway in front. So they are no failures:
//! one client with an expired password would close the service off for all. And they are no successes
//! either: a run of them would dilute the failures of the others, and as probes they would close a
//! breaker whose service is still down.
//!
//! # gRPC
//!
//! | code | counts as | because |
//! |---|---|---|
//! | `OK` | `Success` | |
//! | `NOT_FOUND`, `ALREADY_EXISTS`, `FAILED_PRECONDITION`, `ABORTED`, `OUT_OF_RANGE` | `Success` | as 404, 409, 412: it looked at what it holds |
//! | `UNAVAILABLE`, `DEADLINE_EXCEEDED`, `RESOURCE_EXHAUSTED`, `INTERNAL`, `UNKNOWN`, `DATA_LOSS` | `Failure` | it could not, or not in time |
//! | one of these with a `RetryInfo` | `Throttled` | it says for how long |
//! | `INVALID_ARGUMENT`, `UNAUTHENTICATED`, `PERMISSION_DENIED`, `UNIMPLEMENTED` | `Ignored` | as 400, 401, 403: about the request alone |
//! | `CANCELLED` that the server sent | `Ignored` | somebody gave the call up |
//! | `CANCELLED` that the client made of an error | `Failure` | tonic calls its own time-out and a lost connection so |

mod error;
#[cfg(feature = "http")]
mod http;
mod io;
#[cfg(feature = "reqwest")]
mod reqwest;
#[cfg(feature = "http")]
mod retry_after;
mod status;
#[cfg(feature = "tonic")]
mod tonic;

pub use error::error;
#[cfg(feature = "http")]
pub use http::{http, http_parts, http_response};
pub use io::{io, io_error};
#[cfg(feature = "reqwest")]
pub use reqwest::{reqwest, reqwest_error, reqwest_response};
#[cfg(feature = "http")]
pub use retry_after::retry_after;
pub use status::status;
#[cfg(feature = "tonic")]
pub use tonic::{grpc, grpc_response, tonic, tonic_status};
