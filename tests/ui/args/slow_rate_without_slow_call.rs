use breakerbox::{Rejected, circuit_breaker};

#[circuit_breaker(slow_rate = 0.5)]
fn call_1() -> Result<(), Rejected> {
    Ok(())
}

fn main() {
    let _ = call_1();
}
