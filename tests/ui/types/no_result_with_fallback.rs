use breakerbox::{Rejected, circuit_breaker};

#[circuit_breaker(fallback = |_| 6)]
fn fetch() -> u32 {
    5
}

fn rejected(_: Rejected) {}

fn main() {}
