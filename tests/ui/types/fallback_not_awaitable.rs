use breakerbox::{Rejected, circuit_breaker};

fn cached(_: Rejected, number: u32) -> Result<u32, Rejected> {
    Ok(number)
}

#[circuit_breaker(fallback = cached)]
async fn call_1(number: u32) -> Result<u32, Rejected> {
    Ok(number)
}

#[circuit_breaker(fallback = |_| Ok(number))]
async fn call_2(number: u32) -> Result<u32, Rejected> {
    Ok(number)
}

fn main() {}
