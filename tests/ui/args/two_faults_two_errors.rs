use breakerbox::{Rejected, circuit_breaker};

#[circuit_breaker(threshold = 0, rate = 2.5)]
fn call_1() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(tresh = 1, cooldown = "15", probes = 0)]
fn call_2() -> Result<(), Rejected> {
    Ok(())
}

fn main() {
    let _ = call_1();
    let _ = call_2();
}
