use breakerbox::{Rejected, circuit_breaker};

fn wrong_argument(_: &u32) -> bool {
    true
}

fn wrong_answer(_: &Rejected) -> u32 {
    5
}

#[circuit_breaker(failure_if = wrong_argument)]
fn call_1() -> Result<u32, Rejected> {
    Ok(5)
}

#[circuit_breaker(failure_if = wrong_answer)]
fn call_2() -> Result<u32, Rejected> {
    Ok(5)
}

#[circuit_breaker(failure_if = |error| error.kind())]
fn call_3() -> Result<u32, Rejected> {
    Ok(5)
}

fn main() {}
