use breakerbox::{Rejected, circuit_breaker};

fn listen(_: u32) {}

#[circuit_breaker(on_transition = listen)]
fn fetch() -> Result<u32, Rejected> {
    Ok(5)
}

fn main() {}
