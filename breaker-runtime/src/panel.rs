//! The panel: the breakers of this process that have been called.

use crate::breaker::Breaker;
use parking_lot::Mutex;

static LISTED: Mutex<Vec<&'static Breaker>> = Mutex::new(Vec::new());

pub(crate) fn list(breaker: &'static Breaker) {
    LISTED.lock().push(breaker);
}

#[cfg(feature = "test-util")]
/// Every listed breaker, in the order of their first calls.
pub(crate) fn listed() -> Vec<&'static Breaker> {
    LISTED.lock().clone()
}
