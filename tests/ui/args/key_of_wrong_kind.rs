use breakerbox::{Rejected, circuit_breaker};

#[circuit_breaker(key = "eu")]
fn call_1() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(key = host, capacity = 0)]
fn call_2(host: &str) -> Result<(), Rejected> {
    let _ = host;
    Ok(())
}

#[circuit_breaker(key = host, capacity = "many")]
fn call_3(host: &str) -> Result<(), Rejected> {
    let _ = host;
    Ok(())
}

fn main() {}
