//! A circuit breaker for Rust functions.

pub use breaker_macros::circuit_breaker;
#[cfg(feature = "test-util")]
pub use breaker_runtime::testing;
pub use breaker_runtime::{
    Breaker, Cancelled, Cause, Classified, Config, ConfigError, FromRejected, Outcome, Permit,
    Rejected, RejectedKind, Snapshot, State, Totals, Transition, Window, WindowCounts,
};

#[doc(hidden)]
pub use breaker_runtime::__private;

/// Its examples are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
