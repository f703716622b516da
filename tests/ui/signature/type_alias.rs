use breakerbox::circuit_breaker;

#[circuit_breaker]
type Client = fn() -> u32;

fn main() {}
