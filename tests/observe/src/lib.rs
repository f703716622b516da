//! What the tests of this package have in common: breakers whose calls end as the test says.

use breakerbox::Breaker;

/// A call that succeeds.
///
/// # Panics
///
/// If it is rejected.
pub fn succeed(breaker: &Breaker) {
    breaker.acquire().expect("admitted").success();
}

/// A call that fails.
///
/// # Panics
///
/// If it is rejected.
pub fn fail(breaker: &Breaker) {
    breaker.acquire().expect("admitted").failure();
}

/// A call that is rejected.
///
/// # Panics
///
/// If it is let through.
pub fn turned_away(breaker: &Breaker) {
    breaker.acquire().expect_err("rejected");
}
