//! What a protected client of these tests fails with.

use breakerbox::Rejected;

/// The call failed, or was not made.
#[derive(Debug)]
pub enum FetchError {
    /// The client's own error, statuses among them.
    Http(ureq::Error),
    /// The breaker's.
    Rejected(Rejected),
}

impl From<ureq::Error> for FetchError {
    fn from(error: ureq::Error) -> Self {
        Self::Http(error)
    }
}

impl From<Rejected> for FetchError {
    fn from(rejected: Rejected) -> Self {
        Self::Rejected(rejected)
    }
}
