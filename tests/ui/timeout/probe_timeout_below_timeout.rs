use resilience::{Rejected, circuit_breaker};

#[circuit_breaker(crate = resilience, timeout = "5s", probe_timeout = "2s")]
async fn call_1() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(crate = resilience, timeout = "2m")]
async fn call_2() -> Result<(), Rejected> {
    Ok(())
}

fn main() {
    drop((call_1(), call_2()));
}
