use breakerbox::{Rejected, circuit_breaker};

use breakerbox::{Breaker, Config};

static PAYMENTS: Breaker = Breaker::new("payments", Config::new());

#[circuit_breaker(breaker = &PAYMENTS, threshold = 10, cooldown = "1s")]
fn call_1() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(breaker = &PAYMENTS, name = "x", handle = payments)]
fn call_2() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(breaker = &PAYMENTS, cancelled = Failure, on_transition = listen)]
fn call_3() -> Result<(), Rejected> {
    Ok(())
}

fn main() {
    let _ = call_1();
    let _ = call_2();
    let _ = call_3();
}
