use breakerbox::{Rejected, circuit_breaker};

#[circuit_breaker(timeout = "2s")]
fn call_1() -> Result<(), Rejected> {
    Ok(())
}

fn main() {
    let _ = call_1();
}
