use breakerbox::{Rejected, circuit_breaker};

fn too_few(_: Rejected) -> Result<u32, Rejected> {
    Ok(5)
}

fn wrong_answer(_: Rejected, _: u32) -> u32 {
    5
}

#[circuit_breaker(fallback = too_few)]
fn call_1(number: u32) -> Result<u32, Rejected> {
    Ok(number)
}

#[circuit_breaker(fallback = wrong_answer)]
fn call_2(number: u32) -> Result<u32, Rejected> {
    Ok(number)
}

#[circuit_breaker(fallback = |rejected| number)]
fn call_3(number: u32) -> Result<u32, Rejected> {
    Ok(number)
}

#[circuit_breaker(fallback = || Ok(5))]
fn call_4(number: u32) -> Result<u32, Rejected> {
    Ok(number)
}

fn main() {}
