use breakerbox::{Breaker, Config, Rejected, circuit_breaker};

static PAYMENTS: Breaker = Breaker::new("payments", Config::new());

#[circuit_breaker(key = host, handle = host_breaker)]
fn call_1(host: &str) -> Result<(), Rejected> {
    let _ = host;
    Ok(())
}

#[circuit_breaker(key = host, capacity = 10, breaker = &PAYMENTS)]
fn call_2(host: &str) -> Result<(), Rejected> {
    let _ = host;
    Ok(())
}

fn main() {}
