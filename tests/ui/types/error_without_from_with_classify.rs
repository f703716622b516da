use breakerbox::{Rejected, circuit_breaker};

use breakerbox::Outcome;

#[derive(Debug)]
struct Error;

#[circuit_breaker(classify = |_| Outcome::Success)]
fn fetch() -> Result<u32, Error> {
    Err(Error)
}

fn rejected(_: Rejected) {}

fn main() {}
