//! What a result of a gRPC call counts as: the second table of [`classify`](crate::classify).

use super::retry_after::bounded;
use super::{error, http_response};
use crate::cause::{AsError, find};
use crate::outcome::Outcome;
use crate::rejected::Rejected;
use ::http::Response;
use ::tonic::{Code, Status};
use std::error::Error;
use std::time::Duration;
use tonic_types::StatusExt;

/// What the result of a call through a `tonic` client counts as: an error by the `tonic::Status` that it is
/// or has among its sources ([`tonic_status`]), and as by [`error`](fn@error) where it has none.
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::{Outcome, classify};
/// use tonic::{Response, Status};
///
/// let absent: Result<Response<()>, Status> = Err(Status::not_found("no such article"));
/// assert_eq!(classify::tonic(&absent), Outcome::Success);
/// let down: Result<Response<()>, Status> = Err(Status::unavailable("the database is gone"));
/// assert_eq!(classify::tonic(&down), Outcome::Failure);
/// ```
///
/// With the attribute it is `classify = breakerbox::classify::tonic`, on a function that may return
/// `Status` as it is: a `Status` can be made of a [`Rejected`].
#[must_use]
pub fn tonic<T, E, Kind>(result: &Result<T, E>) -> Outcome
where
    E: AsError<Kind>,
{
    let Err(fault) = result else { return Outcome::Success };
    find(fault.as_error()).map_or_else(|| error(fault), tonic_status)
}

/// What a `tonic::Status` counts as, by its code and, where it has one, the `google.rpc.RetryInfo` in its
/// details. Of that time no more than a day is believed, and a negative one is none.
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::{Outcome, classify};
/// use std::time::Duration;
/// use tonic::{Code, Status};
/// use tonic_types::{ErrorDetails, StatusExt};
///
/// let after = Duration::from_secs(40);
/// let details = ErrorDetails::with_retry_info(Some(after));
/// let busy = Status::with_error_details(Code::ResourceExhausted, "later", details);
/// assert_eq!(classify::tonic_status(&busy), Outcome::Throttled(after));
/// ```
#[must_use]
pub fn tonic_status(status: &Status) -> Outcome {
    if Rejected::find_in(status).is_some() {
        return Outcome::Ignored;
    }
    match status.code() {
        Code::Ok
        | Code::NotFound
        | Code::AlreadyExists
        | Code::FailedPrecondition
        | Code::Aborted
        | Code::OutOfRange => Outcome::Success,
        Code::Unavailable
        | Code::DeadlineExceeded
        | Code::ResourceExhausted
        | Code::Internal
        | Code::Unknown
        | Code::DataLoss => asked(status).map_or(Outcome::Failure, Outcome::Throttled),
        // A status off the wire has no source: with one, it is the client's own word for a time-out
        // or a connection that broke.
        Code::Cancelled if status.source().is_some() => Outcome::Failure,
        Code::Cancelled
        | Code::InvalidArgument
        | Code::Unauthenticated
        | Code::PermissionDenied
        | Code::Unimplemented => Outcome::Ignored,
    }
}

/// As [`http`](crate::classify::http), for a service that carries gRPC: what a `tower` layer around a
/// `tonic` channel or server sees.
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::{Outcome, classify};
///
/// let answer: Result<_, tonic::Status> = Ok(tonic::Status::internal("a fault").into_http::<()>());
/// assert_eq!(classify::grpc(&answer), Outcome::Failure);
/// ```
#[must_use]
pub fn grpc<B, E, Kind>(result: &Result<Response<B>, E>) -> Outcome
where
    E: AsError<Kind>,
{
    match result {
        Ok(response) => grpc_response(response),
        Err(_) => tonic(result),
    }
}

/// What a response counts as that carries gRPC: by the status in its headers, which is where a call
/// that fails without a message has it; else by its HTTP status. The status in the trailers, after the
/// messages, comes too late to be seen here: an annotated function around the client sees that one too.
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::{Outcome, classify};
///
/// let answer = tonic::Status::permission_denied("not yours").into_http::<()>();
/// assert_eq!(classify::grpc_response(&answer), Outcome::Ignored);
/// ```
#[must_use]
pub fn grpc_response<B>(response: &Response<B>) -> Outcome {
    match Status::from_header_map(response.headers()) {
        Some(status) => tonic_status(&status),
        None => http_response(response),
    }
}

fn asked(status: &Status) -> Option<Duration> {
    // Most statuses have no details, and need not be decoded.
    if status.details().is_empty() {
        return None;
    }
    status.get_details_retry_info()?.retry_delay.map(bounded)
}

#[cfg(test)]
mod tests {
    use super::{grpc_response, tonic, tonic_status};
    use crate::{Breaker, Config, Outcome, Rejected};
    use std::time::Duration;
    use tonic::{Code, Status, TimeoutExpired};
    use tonic_types::{ErrorDetails, StatusExt};

    fn rejected() -> Rejected {
        let breaker = Breaker::new("further down", Config::new());
        breaker.force_open();
        breaker.acquire().unwrap_err()
    }

    #[test]
    fn every_code_has_its_place() {
        let outcomes: String = (0..=16)
            .map(|code| match tonic_status(&Status::new(Code::from_i32(code), "")) {
                Outcome::Success => 's',
                Outcome::Failure => 'f',
                Outcome::Ignored => 'i',
                Outcome::Throttled(_) => 't',
            })
            .collect();
        // In the order of their numbers, from OK and CANCELLED to DATA_LOSS and UNAUTHENTICATED.
        assert_eq!(outcomes, "sififssifsssifffi");
    }

    #[test]
    fn retry_info_counts_for_failures_alone_and_is_bounded() {
        let status = |code, seconds| {
            let details = ErrorDetails::with_retry_info(Some(Duration::from_secs(seconds)));
            tonic_status(&Status::with_error_details(code, "", details))
        };
        assert_eq!(status(Code::Unavailable, 7), Outcome::Throttled(Duration::from_secs(7)));
        assert_eq!(status(Code::Internal, 0), Outcome::Throttled(Duration::ZERO));
        assert_eq!(status(Code::Aborted, 7), Outcome::Success);
        let a_day = Duration::from_secs(86_400);
        assert_eq!(status(Code::Unavailable, u64::MAX), Outcome::Throttled(a_day));
    }

    #[test]
    fn details_that_cannot_be_read_are_none() {
        for garbage in [&b"\xff\xff\xff\xff"[..], &[0; 64], b"retry-after: 7"] {
            let details = garbage.to_vec().into();
            let status = Status::with_details(Code::Unavailable, "", details);
            assert_eq!(tonic_status(&status), Outcome::Failure);
        }
    }

    #[test]
    fn a_time_out_of_the_client_is_a_failure_though_it_says_cancelled() {
        let status = Status::from_error(Box::new(TimeoutExpired(())));
        assert_eq!((status.code(), tonic_status(&status)), (Code::Cancelled, Outcome::Failure));
    }

    #[test]
    fn what_another_breaker_rejected_is_ignored() {
        let as_it_is: Result<(), Status> = Err(rejected().into());
        assert_eq!(tonic(&as_it_is), Outcome::Ignored);
        let by_middleware: Result<(), Status> = Err(Status::from_error(Box::new(rejected())));
        assert_eq!(tonic(&by_middleware), Outcome::Ignored);
        let boxed: Result<(), Box<Status>> = Err(Box::new(rejected().into()));
        assert_eq!(tonic(&boxed), Outcome::Ignored);
    }

    #[test]
    fn a_response_without_a_grpc_status_counts_by_its_http_status() {
        let from_a_proxy = http::Response::builder().status(502).body(()).expect("a response");
        assert_eq!(grpc_response(&from_a_proxy), Outcome::Failure);
        assert_eq!(grpc_response(&http::Response::new(())), Outcome::Success);
    }
}
