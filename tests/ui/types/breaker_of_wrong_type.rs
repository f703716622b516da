use breakerbox::{Rejected, circuit_breaker};

const NUMBER: u32 = 5;

#[circuit_breaker(breaker = &NUMBER)]
fn call_1() -> Result<u32, Rejected> {
    Ok(5)
}

#[circuit_breaker(breaker = 5 + 5)]
fn call_2() -> Result<u32, Rejected> {
    Ok(5)
}

fn main() {}
