use breakerbox::{Rejected, circuit_breaker};

#[circuit_breaker(threshold = 0)]
fn call_1() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(threshold = 1_000_001)]
fn call_2() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(threshold = -1)]
fn call_3() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(consecutive = 0)]
fn call_4() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(max_failures = 4294967296)]
fn call_5() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(probes = 65_536)]
fn call_6() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(probe_concurrency = 0)]
fn call_7() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(threshold = 99999999999999999999999)]
fn call_8() -> Result<(), Rejected> {
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
}
