use breakerbox::{Rejected, circuit_breaker};

#[derive(Debug)]
struct Error;

#[circuit_breaker]
async fn fetch() -> Result<u32, Error> {
    Err(Error)
}

fn rejected(_: Rejected) {}

fn main() {}
