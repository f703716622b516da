//! The circuit breaker behind `breakerbox`.
