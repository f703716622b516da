use breakerbox::{Rejected, circuit_breaker};

#[circuit_breaker(cooldown = 15s)]
fn call_1() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(cooldown = 250ms)]
fn call_2() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(window = 30s)]
fn call_3() -> Result<(), Rejected> {
    Ok(())
}

fn main() {
    let _ = call_1();
    let _ = call_2();
    let _ = call_3();
}
