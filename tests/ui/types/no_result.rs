use breakerbox::{Rejected, circuit_breaker};

#[circuit_breaker]
fn fetch() -> u32 {
    5
}

#[circuit_breaker]
async fn fetch_later() -> Option<u32> {
    Some(5)
}

#[circuit_breaker]
fn nothing() {}

fn rejected(_: Rejected) {}

fn main() {}
