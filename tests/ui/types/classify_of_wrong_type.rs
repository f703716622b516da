use breakerbox::{Rejected, circuit_breaker};

use breakerbox::Outcome;

fn wrong_argument(_: &Option<u32>) -> Outcome {
    Outcome::Success
}

fn wrong_outcome(_: &Result<u32, Rejected>) -> bool {
    true
}

fn by_value(_: Result<u32, Rejected>) -> Outcome {
    Outcome::Success
}

#[circuit_breaker(classify = wrong_argument)]
fn call_1() -> Result<u32, Rejected> {
    Ok(5)
}

#[circuit_breaker(classify = wrong_outcome)]
fn call_2() -> Result<u32, Rejected> {
    Ok(5)
}

#[circuit_breaker(classify = by_value)]
fn call_3() -> Result<u32, Rejected> {
    Ok(5)
}

#[circuit_breaker(classify = |_, _| Outcome::Success)]
fn call_4() -> Result<u32, Rejected> {
    Ok(5)
}

#[circuit_breaker(classify = |result| result.is_ok())]
async fn call_5() -> Result<u32, Rejected> {
    Ok(5)
}

#[circuit_breaker(classify = missing)]
fn call_6() -> Result<u32, Rejected> {
    Ok(5)
}

#[circuit_breaker(classify = Outcome::Success)]
fn call_7() -> Result<u32, Rejected> {
    Ok(5)
}

fn main() {}
