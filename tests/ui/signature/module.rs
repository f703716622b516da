use breakerbox::circuit_breaker;

#[circuit_breaker]
mod client {}

fn main() {}
