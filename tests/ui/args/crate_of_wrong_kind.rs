use breakerbox::{Rejected, circuit_breaker};

#[circuit_breaker(crate = "breakerbox")]
fn call_1() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(crate = 5)]
fn call_2() -> Result<(), Rejected> {
    Ok(())
}

fn main() {
    let _ = call_1();
    let _ = call_2();
}
