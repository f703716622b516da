use breakerbox::{Rejected, circuit_breaker};

#[circuit_breaker(window = 10)]
fn call_1() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(threshold = 30, window = 29)]
fn call_2() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(threshold = 200, window = 100)]
fn call_3() -> Result<(), Rejected> {
    Ok(())
}

fn main() {
    let _ = call_1();
    let _ = call_2();
    let _ = call_3();
}
