//! What the candidates have in common.

use crate::measure::{Candidate, Row};
use std::fmt;
use std::hint::black_box;
use std::time::Duration;

/// Longer than any measurement.
pub(crate) const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Short enough to wait for, before half-open.
pub(crate) const MOMENT: Duration = Duration::from_millis(1);

/// What the peers' functions fail with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Broken;

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("broken")
    }
}

impl std::error::Error for Broken {}

/// The protected function.
#[expect(clippy::unnecessary_wraps, reason = "the others can fail")]
#[inline]
pub(crate) fn succeed(number: u32) -> Result<u32, Broken> {
    Ok(black_box(number))
}

pub(crate) fn fail(number: u32) -> Result<u32, Broken> {
    black_box(number);
    Err(Broken)
}

pub(crate) fn fail_at_times(number: u32) -> Result<u32, Broken> {
    if number % 10 == 9 { fail(number) } else { succeed(number) }
}

/// The result of a future that never waits. A macro, as a future that is handed to a function is
/// moved, and that costs more than the fastest of these calls.
macro_rules! now {
    ($future:expr) => {
        match Future::poll(
            std::pin::pin!($future),
            &mut std::task::Context::from_waker(std::task::Waker::noop()),
        ) {
            std::task::Poll::Ready(value) => value,
            std::task::Poll::Pending => panic!("the future waits for something"),
        }
    };
}
pub(crate) use now;

/// A candidate whose `call` takes the number of the call, with a loop of its own around it.
pub(crate) fn candidate<T>(
    row: Row,
    who: &'static str,
    call: impl Fn(u32) -> T + Send + Sync + 'static,
    is_ready: impl Fn() -> bool + 'static,
) -> Candidate {
    let calls = move |calls| {
        for number in 0..calls {
            black_box(&call(number));
        }
    };
    Candidate { row, who, calls: Box::new(calls), is_ready: Box::new(is_ready), before: None }
}

/// One without a state.
pub(crate) fn floor<T>(
    row: Row,
    who: &'static str,
    call: impl Fn(u32) -> T + Send + Sync + 'static,
) -> Candidate {
    candidate(row, who, call, || true)
}
