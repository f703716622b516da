use breakerbox::{Rejected, circuit_breaker};

const LIMIT: u32 = 20;

#[circuit_breaker(threshold = 20 rate = 0.5)]
fn call_1() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(threshold = LIMIT rate = 0.5)]
fn call_2() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(cooldown = "15s" probes = 1)]
fn call_3() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(threshold = 20 30)]
fn call_4() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(threshold = 3; rate = 0.5)]
fn call_5() -> Result<(), Rejected> {
    Ok(())
}

fn main() {
    let _ = call_1();
    let _ = call_2();
    let _ = call_3();
    let _ = call_4();
    let _ = call_5();
}
