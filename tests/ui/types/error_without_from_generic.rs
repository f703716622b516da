use breakerbox::{Rejected, circuit_breaker};

#[circuit_breaker]
fn fetch<E>(error: E) -> Result<u32, E> {
    Err(error)
}

fn rejected(_: Rejected) {}

fn main() {}
