use breakerbox::{Rejected, circuit_breaker};

#[circuit_breaker(fallback = 5)]
fn call_1() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(fallback = answer())]
fn call_2() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(fallback = "answer")]
fn call_3() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(fallback = true)]
fn call_4() -> Result<(), Rejected> {
    Ok(())
}

fn main() {
    let _ = call_1();
    let _ = call_2();
    let _ = call_3();
    let _ = call_4();
}
