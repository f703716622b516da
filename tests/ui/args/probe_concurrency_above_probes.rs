use breakerbox::{Rejected, circuit_breaker};

#[circuit_breaker(probe_concurrency = 4)]
fn call_1() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(probes = 2, probe_concurrency = 3)]
fn call_2() -> Result<(), Rejected> {
    Ok(())
}

fn main() {
    let _ = call_1();
    let _ = call_2();
}
