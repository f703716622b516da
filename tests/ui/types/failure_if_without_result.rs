use breakerbox::{Rejected, circuit_breaker};

#[circuit_breaker(failure_if = |_| true, fallback = |_| None)]
fn fetch() -> Option<u32> {
    None
}

fn rejected(_: Rejected) {}

fn main() {}
