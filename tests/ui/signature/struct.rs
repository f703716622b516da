use breakerbox::circuit_breaker;

#[circuit_breaker]
struct Client;

fn main() {}
