//! What an HTTP status counts as: the first table of [`classify`](crate::classify).

use crate::outcome::Outcome;
use std::time::Duration;

/// What an answer with this HTTP status counts as. `retry_after` is what its header of that name
/// says; only a 429 and a 503 are asked for it.
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::{Outcome, classify};
/// use std::time::Duration;
///
/// let after = Duration::from_secs(40);
/// assert_eq!(classify::status(503, Some(after)), Outcome::Throttled(after));
/// assert_eq!(classify::status(503, None), Outcome::Failure);
/// assert_eq!(classify::status(404, None), Outcome::Success);
/// assert_eq!(classify::status(401, None), Outcome::Ignored);
/// ```
#[must_use]
pub const fn status(code: u16, retry_after: Option<Duration>) -> Outcome {
    match (code, retry_after) {
        (429 | 503, Some(after)) => Outcome::Throttled(after),
        (408 | 429 | 500..=599, _) => Outcome::Failure,
        (100..=399 | 404 | 409 | 410 | 412 | 416 | 423, _) => Outcome::Success,
        (400..=499, _) => Outcome::Ignored,
        // No HTTP.
        _ => Outcome::Failure,
    }
}

#[cfg(test)]
mod tests {
    use super::status;
    use crate::Outcome::{self, Failure, Ignored, Success, Throttled};
    use std::time::Duration;

    fn all(outcome: Outcome) -> Vec<u16> {
        (0..=u16::MAX).filter(|code| status(*code, None) == outcome).collect()
    }

    #[test]
    fn every_status_has_its_place() {
        let refusals = [404, 409, 410, 412, 416, 423];
        assert_eq!(all(Success), (100..400).chain(refusals).collect::<Vec<_>>());
        let failures = (0..100).chain([408, 429]).chain(500..=u16::MAX);
        assert_eq!(all(Failure), failures.collect::<Vec<_>>());
        assert!(
            [400, 401, 402, 403, 405, 422, 451, 499]
                .iter()
                .all(|code| { status(*code, Some(Duration::ZERO)) == Ignored })
        );
    }

    #[test]
    fn two_of_them_may_ask_for_time() {
        let after = Duration::from_secs(7);
        let asking: Vec<_> =
            (0..=u16::MAX).filter(|code| status(*code, Some(after)) == Throttled(after)).collect();
        assert_eq!(asking, [429, 503]);
    }
}
