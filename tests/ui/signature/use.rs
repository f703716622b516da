use breakerbox::circuit_breaker;

#[circuit_breaker]
use std::fmt::Debug;

fn main() {}
