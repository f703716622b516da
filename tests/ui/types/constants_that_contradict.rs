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

fn main() {
    let _ = call_1();
    let _ = call_2();
}
