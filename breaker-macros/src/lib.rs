//! The attribute `#[circuit_breaker]`.
