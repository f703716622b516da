use breakerbox::circuit_breaker;

#[circuit_breaker]
macro_rules! client {
    () => {};
}

client!();

fn main() {}
