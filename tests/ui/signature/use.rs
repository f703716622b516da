use breakerbox::circuit_breaker;

#[circuit_breaker]
pub use std::fmt::Debug;

fn main() {}
