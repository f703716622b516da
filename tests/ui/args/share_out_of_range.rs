use breakerbox::{Rejected, circuit_breaker};

#[circuit_breaker(rate = 0)]
fn call_1() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(rate = 0.0)]
fn call_2() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(rate = -0.5)]
fn call_3() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(rate = 1.1)]
fn call_4() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(rate = 50)]
fn call_5() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(rate = 1e400)]
fn call_6() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(rate = 0.0000001)]
fn call_7() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(jitter = -0.1)]
fn call_8() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(jitter = 2)]
fn call_9() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(slow_call = "1s", slow_rate = 0.0)]
fn call_10() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(rate = 1e-9)]
fn call_11() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(rate = 1.0000001)]
fn call_12() -> Result<(), Rejected> {
    Ok(())
}

fn main() {
    let _ = call_1();
    let _ = call_2();
    let _ = call_3();
    let _ = call_4();
    let _ = call_5();
    let _ = call_6();
    let _ = call_7();
    let _ = call_8();
    let _ = call_9();
    let _ = call_10();
    let _ = call_11();
    let _ = call_12();
}
