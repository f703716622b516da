use breakerbox::{Rejected, circuit_breaker};

#[circuit_breaker(name = payments)]
fn call_1() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(name = 5)]
fn call_2() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(name = "")]
fn call_3() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(name = -"x")]
fn call_4() -> Result<(), Rejected> {
    Ok(())
}

fn main() {
    let _ = call_1();
    let _ = call_2();
    let _ = call_3();
    let _ = call_4();
}
