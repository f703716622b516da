//! A circuit breaker for Rust functions.
