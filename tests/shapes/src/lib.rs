//! What the tests of this package share.

use breakerbox::{Breaker, Totals};

/// How many calls a breaker has seen end, whatever they counted as.
#[must_use]
pub fn calls(breaker: &Breaker) -> u64 {
    let Totals { success, failure, ignored, late, .. } = breaker.snapshot().totals;
    success + failure + ignored + late
}
