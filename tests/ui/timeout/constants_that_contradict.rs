use resilience::{Rejected, circuit_breaker};
use std::time::Duration;

const LONG: Duration = Duration::from_secs(90);
const SHORT: Duration = Duration::from_secs(1);

#[circuit_breaker(crate = resilience, timeout = LONG)]
async fn call_1() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(crate = resilience, timeout = "5s", probe_timeout = SHORT)]
async fn call_2() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(crate = resilience, timeout = Duration::ZERO)]
async fn call_3() -> Result<(), Rejected> {
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let _ = (call_1().await, call_2().await, call_3().await);
}
