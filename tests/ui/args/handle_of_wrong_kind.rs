use breakerbox::{Rejected, circuit_breaker};

#[circuit_breaker(handle = "payments")]
fn call_1() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(handle = a::b)]
fn call_2() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(handle = 5)]
fn call_3() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(handle = fn)]
fn call_4() -> Result<(), Rejected> {
    Ok(())
}

fn main() {
    let _ = call_1();
    let _ = call_2();
    let _ = call_3();
    let _ = call_4();
}
