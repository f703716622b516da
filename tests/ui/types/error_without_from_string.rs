use breakerbox::{Rejected, circuit_breaker};

#[circuit_breaker]
fn fetch() -> Result<u32, String> {
    Err("no".to_owned())
}

fn rejected(_: Rejected) {}

fn main() {}
