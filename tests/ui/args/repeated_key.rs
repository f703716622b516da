use breakerbox::{Rejected, circuit_breaker};

#[circuit_breaker(threshold = 20, threshold = 30)]
fn call_1() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(rate = 0.5, cooldown = "1s", rate = 0.5)]
fn call_2() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(threshold = 0, threshold = 4)]
fn call_3() -> Result<(), Rejected> {
    Ok(())
}

fn main() {
    let _ = call_1();
    let _ = call_2();
    let _ = call_3();
}
