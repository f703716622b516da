use breakerbox::{Rejected, circuit_breaker};

#[circuit_breaker(max_cooldown = "10s")]
fn call_1() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(cooldown = "1m", max_cooldown = "59s")]
fn call_2() -> Result<(), Rejected> {
    Ok(())
}

fn main() {
    let _ = call_1();
    let _ = call_2();
}
