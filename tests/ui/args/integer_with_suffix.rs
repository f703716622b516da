use breakerbox::{Rejected, circuit_breaker};

#[circuit_breaker(threshold = 20_f32)]
fn call_1() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(threshold = 20u64)]
fn call_2() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(threshold = 15s)]
fn call_3() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(probes = 3i32)]
fn call_4() -> Result<(), Rejected> {
    Ok(())
}

fn main() {
    let _ = call_1();
    let _ = call_2();
    let _ = call_3();
    let _ = call_4();
}
