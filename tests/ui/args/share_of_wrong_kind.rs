use breakerbox::{Rejected, circuit_breaker};

#[circuit_breaker(rate = "0.5")]
fn call_1() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(rate = "50%")]
fn call_2() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(rate = true)]
fn call_3() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(rate = 0.5f32)]
fn call_4() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(jitter = "a bit")]
fn call_5() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(rate = 50%)]
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
