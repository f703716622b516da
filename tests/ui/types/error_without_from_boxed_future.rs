use breakerbox::{Rejected, circuit_breaker};

use std::pin::Pin;

#[circuit_breaker]
fn fetch() -> Pin<Box<dyn Future<Output = Result<u32, String>>>> {
    Box::pin(async move { Ok(5) })
}

fn rejected(_: Rejected) {}

fn main() {}
