use breakerbox::{Rejected, circuit_breaker};

#[circuit_breaker(threshold = 1.5)]
fn call_1() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(threshold = "20")]
fn call_2() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(threshold = "twenty")]
fn call_3() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(probes = true)]
fn call_4() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(consecutive = 'a')]
fn call_5() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(max_failures = 1e3)]
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
