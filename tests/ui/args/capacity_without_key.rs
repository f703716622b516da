use breakerbox::{Rejected, circuit_breaker};

#[circuit_breaker(capacity = 100)]
fn call_1() -> Result<(), Rejected> {
    Ok(())
}

fn main() {}
