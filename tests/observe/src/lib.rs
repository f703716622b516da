//! What the tests of this package have in common: breakers whose calls end as the test says, the
//! page that Prometheus sees, and what OpenTelemetry exports.

mod exported;
mod page;

pub use exported::Exported;
pub use page::Page;

use breakerbox::{Breaker, Config, Outcome, Window, testing::Clock};
use std::sync::Arc;
use std::time::Duration;

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

/// A breaker of this name that has been through all there is: success, slowness, failures, an outage
/// with its probe, an operator's hand; and is closed again, with one of three calls failed.
///
/// # Panics
///
/// If it does not behave.
#[must_use]
pub fn been_through_all(name: &str, clock: &Clock) -> Arc<Breaker> {
    // s slow i f f   x   …15 s…  (probe x) s     x    …5 s…  s s f
    // closed         open        half-open       forced      closed
    let config = Config::new().threshold(4).window(Window::Calls(10)).probes(1).slow_call(secs(2));
    let breaker = Breaker::shared(name, config).expect("a valid config");
    let straggler = breaker.acquire().expect("closed");
    succeed(&breaker);
    let slow = breaker.acquire().expect("closed");
    clock.advance(secs(2));
    slow.success();
    breaker.acquire().expect("closed").record(Outcome::Ignored);
    fail(&breaker);
    fail(&breaker);
    straggler.success();
    turned_away(&breaker);

    clock.advance(secs(15));
    let probe = breaker.acquire().expect("a probe");
    turned_away(&breaker);
    probe.success();

    breaker.force_open();
    turned_away(&breaker);
    clock.advance(secs(5));
    breaker.reset();

    succeed(&breaker);
    succeed(&breaker);
    fail(&breaker);
    breaker
}

/// So many seconds.
#[must_use]
pub fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// The page of the guide that needs a parser. Its example reads `breakers.toml` of this package.
#[cfg(doctest)]
#[doc = include_str!("../../../src/guide/settings.md")]
struct Guide;
