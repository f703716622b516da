use breakerbox::{Rejected, circuit_breaker};

#[circuit_breaker(window = 0)]
fn call_1() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(window = 1_000_001)]
fn call_2() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(window = 1.5)]
fn call_3() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(window = true)]
fn call_4() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(window = -5)]
fn call_5() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(window = 3i8)]
fn call_6() -> Result<(), Rejected> {
    Ok(())
}

fn main() {
    let _ = call_1();
    let _ = call_2();
    let _ = call_3();
    let _ = call_4();
    let _ = call_5();
    let _ = call_6();
}
