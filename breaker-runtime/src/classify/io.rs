//! What a result of input and output counts as.

use crate::cause::{AsError, find};
use crate::outcome::Outcome;
use crate::rejected::Rejected;
use std::io::{self, ErrorKind};

/// What the result of a call counts as that fails with a [`std::io::Error`], or with one among its
/// sources; by [`io_error`]. Any other error is a failure.
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::{Outcome, classify};
/// use std::io;
///
/// let reset: io::Result<u32> = Err(io::ErrorKind::ConnectionReset.into());
/// assert_eq!(classify::io(&reset), Outcome::Failure);
/// ```
#[must_use]
pub fn io<T, E, Kind>(result: &Result<T, E>) -> Outcome
where
    E: AsError<Kind>,
{
    let Err(error) = result else { return Outcome::Success };
    find(error.as_error()).map_or_else(|| super::error(error), io_error)
}

/// What an [`std::io::Error`] counts as.
///
/// - `AlreadyExists`, `DirectoryNotEmpty`: `Success`. Somebody looked and said no.
/// - `InvalidInput`, `PermissionDenied`, `Unsupported`, `OutOfMemory`, `Interrupted`: `Ignored`. They
///   are about this process, not about the other side.
/// - `NotFound`: `Ignored`. It is a file that is not there, which is a healthy answer, or a Unix socket
///   whose server is not there, which is not. Where you know which, say so in a function of your own.
/// - A [`Rejected`] inside: `Ignored`. It was counted where it happened.
/// - All others: `Failure`; among them `TimedOut`, and `WouldBlock`, which on Unix is what a read past
///   its time limit says.
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::{Outcome, classify};
/// use std::io;
///
/// /// Here they are sockets.
/// fn outcome_of(result: &io::Result<String>) -> Outcome {
///     match result {
///         Err(error) if error.kind() == io::ErrorKind::NotFound => Outcome::Failure,
///         other => classify::io(other),
///     }
/// }
/// assert_eq!(outcome_of(&Err(io::ErrorKind::NotFound.into())), Outcome::Failure);
/// assert_eq!(classify::io_error(&io::ErrorKind::NotFound.into()), Outcome::Ignored);
/// ```
#[must_use]
pub fn io_error(error: &io::Error) -> Outcome {
    if Rejected::find_in(error).is_some() {
        return Outcome::Ignored;
    }
    match error.kind() {
        ErrorKind::AlreadyExists | ErrorKind::DirectoryNotEmpty => Outcome::Success,
        ErrorKind::InvalidInput
        | ErrorKind::PermissionDenied
        | ErrorKind::Unsupported
        | ErrorKind::OutOfMemory
        | ErrorKind::Interrupted
        | ErrorKind::NotFound => Outcome::Ignored,
        _ => Outcome::Failure,
    }
}

#[cfg(test)]
mod tests {
    use super::{io, io_error};
    use crate::{Breaker, Config, Outcome};
    use std::error::Error;
    use std::io::ErrorKind;
    use std::net::{Ipv4Addr, TcpListener, TcpStream};
    use std::time::Duration;

    #[test]
    fn nobody_there_is_a_failure() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let address = listener.local_addr().expect("a bound listener has an address");
        drop(listener);
        assert_eq!(io(&TcpStream::connect(address)), Outcome::Failure);
    }

    #[test]
    fn a_read_past_its_time_limit_is_a_failure_whatever_it_is_called() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let address = listener.local_addr().expect("a bound listener has an address");
        let mut line = TcpStream::connect(address).expect("somebody listens");
        line.set_read_timeout(Some(Duration::from_millis(1))).expect("not zero");
        assert_eq!(io(&io::Read::read(&mut line, &mut [0])), Outcome::Failure);
    }

    #[test]
    fn an_answer_is_a_success_and_a_mistake_of_ours_nothing() {
        assert_eq!(io::<_, io::Error, _>(&Ok(7)), Outcome::Success);
        assert_eq!(io_error(&ErrorKind::AlreadyExists.into()), Outcome::Success);
        assert_eq!(io_error(&ErrorKind::InvalidInput.into()), Outcome::Ignored);
    }

    #[test]
    fn an_error_is_found_inside_another() {
        let boxed: Result<(), Box<dyn Error + Send + Sync>> =
            Err(io::Error::other(io::Error::from(ErrorKind::InvalidInput)).into());
        // The outer one is the first in the chain.
        assert_eq!(io(&boxed), Outcome::Failure);
        let unknown: Result<(), Box<dyn Error>> = Err("no answer".into());
        assert_eq!(io(&unknown), Outcome::Failure);
    }

    #[test]
    fn what_another_breaker_rejected_is_ignored() {
        let breaker = Breaker::new("further down", Config::new());
        breaker.force_open();
        let rejected = || breaker.acquire().unwrap_err();
        let direct: io::Result<()> = Err(rejected().into());
        assert_eq!(io(&direct), Outcome::Ignored);
        let boxed: Result<(), Box<dyn Error>> = Err(rejected().into());
        assert_eq!(io(&boxed), Outcome::Ignored);
    }
}
