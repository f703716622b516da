use breakerbox::{Rejected, circuit_breaker};

#[circuit_breaker(cancelled = true)]
fn call_1() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(cancelled = Success)]
fn call_2() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(cancelled = "Failure")]
fn call_3() -> Result<(), Rejected> {
    Ok(())
}

fn main() {
    let _ = call_1();
    let _ = call_2();
    let _ = call_3();
}
