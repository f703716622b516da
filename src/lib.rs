//! A circuit breaker for Rust functions: one attribute, no background work, nothing else changes.
//!
//! ```
//! use breakerbox::{Rejected, circuit_breaker};
//!
//! #[circuit_breaker(threshold = 20, rate = 0.5, cooldown = "15s", probes = 3)]
//! fn stock(article: u32) -> Result<u32, StockError> {
//!     // … asks the stock service …
//! #   let _ = StockError::NoAnswer;
//!     Ok(article)
//! }
//!
//! #[derive(Debug)]
//! enum StockError {
//!     NoAnswer,
//!     Rejected(Rejected), // the breaker is open: the service was not asked
//! }
//!
//! impl From<Rejected> for StockError {
//!     fn from(rejected: Rejected) -> Self {
//!         StockError::Rejected(rejected)
//!     }
//! }
//! # assert_eq!(stock(7).unwrap(), 7);
//! ```
//!
//! - [`circuit_breaker`](macro@circuit_breaker) is the attribute, with a reference of its keys.
//! - [`guide`] says how to choose the settings, what to count, and how to test.
//! - [`Breaker`] and [`Config`] are the breaker without the attribute.
#![cfg_attr(feature = "keyed", doc = "- [`Keyed`] is one breaker for each host, region or tenant.")]
//! - [`classify`] says what the results of I/O, HTTP and gRPC calls count as.
//! - [`panel`](fn@panel) shows the breakers of the process.
//!
//! # Features
//!
//! | feature | brings |
//! |---|---|
//! | `http` | `classify::http`, for responses of the crate `http`, and their `Retry-After` |
//! | `keyed` (default) | one breaker for each key |
//! | `metrics` | `metrics`: all breakers in the facade of that name |
//! | `opentelemetry` | `opentelemetry`: all breakers as observable instruments |
//! | `reqwest` | `classify::reqwest`, for that client |
//! | `serde` | snapshots and transitions serialise, and [`Config`] deserialises too |
//! | `test-util` | `testing`: virtual time for tests |
//! | `tokio` | the attribute's key `timeout` |
//! | `tonic` | `classify::tonic`, for gRPC, and a `tonic::Status` from a `Rejected` |
//! | `tower` | `tower`: a layer and a service over the same breaker |
//! | `tracing` | an event for each transition and each rejected call |

// Its examples test with virtual time.
#[cfg(any(not(doctest), all(feature = "keyed", feature = "test-util")))]
pub mod guide;

#[doc = include_str!("attribute.md")]
pub use breaker_macros::circuit_breaker;
#[cfg(feature = "metrics")]
pub use breaker_runtime::metrics;
#[cfg(feature = "opentelemetry")]
pub use breaker_runtime::opentelemetry;
#[cfg(feature = "test-util")]
pub use breaker_runtime::testing;
#[cfg(feature = "tower")]
pub use breaker_runtime::tower;
pub use breaker_runtime::{
    AsError, Breaker, BreakerRef, Called, Cancelled, Cause, Classified, Config, ConfigError,
    FromRejected, Outcome, Panel, Permit, Rejected, RejectedKind, Snapshot, State, Totals,
    Transition, Window, WindowCounts, classify, panel,
};
#[cfg(feature = "keyed")]
pub use breaker_runtime::{Key, Keyed};

#[doc(hidden)]
pub use breaker_runtime::__private;

/// Its examples are tests.
#[cfg(all(doctest, feature = "keyed"))]
#[doc = include_str!("../README.md")]
struct Readme;
