//! A circuit breaker for Rust functions.

#[doc = include_str!("attribute.md")]
pub use breaker_macros::circuit_breaker;
#[cfg(feature = "metrics")]
pub use breaker_runtime::metrics;
#[cfg(feature = "opentelemetry")]
pub use breaker_runtime::opentelemetry;
#[cfg(feature = "test-util")]
pub use breaker_runtime::testing;
pub use breaker_runtime::{
    Breaker, BreakerRef, Called, Cancelled, Cause, Classified, Config, ConfigError, FromRejected,
    Outcome, Panel, Permit, Rejected, RejectedKind, Snapshot, State, Totals, Transition, Window,
    WindowCounts, panel,
};
#[cfg(feature = "keyed")]
pub use breaker_runtime::{Key, Keyed};

#[doc(hidden)]
pub use breaker_runtime::__private;

/// Its examples are tests.
#[cfg(all(doctest, feature = "keyed"))]
#[doc = include_str!("../README.md")]
struct Readme;
