use breakerbox::{Rejected, circuit_breaker};

use breakerbox::Outcome;

#[circuit_breaker(classify = |_: &u32| Outcome::Success)]
fn fetch() -> u32 {
    5
}

fn rejected(_: Rejected) {}

fn main() {}
