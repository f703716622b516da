use breakerbox::{Rejected, circuit_breaker};

#[circuit_breaker(treshold = 20)]
fn call_1() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(thresholds = 20)]
fn call_2() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(cool_down = "15s")]
fn call_3() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(retries = 3)]
fn call_4() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(failback = answer)]
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
