use breakerbox::{Rejected, circuit_breaker};

use std::time::Duration;

const LIMIT: u32 = 20;
const LONG: Duration = Duration::from_secs(60);

#[circuit_breaker(threshold = LIMIT, window = 10)]
fn call_1() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(cooldown = LONG, max_cooldown = "1s")]
fn call_2() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(window = LIMIT, max_failures = 21)]
fn call_3() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(window = 20, consecutive = LIMIT + 1)]
fn call_4() -> Result<(), Rejected> {
    Ok(())
}

fn main() {
    let _ = call_1();
    let _ = call_2();
    let _ = (call_3(), call_4());
}
