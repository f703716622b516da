use breakerbox::{Rejected, circuit_breaker};

#[circuit_breaker(name = NAME)]
fn fetch() -> Result<u32, Rejected> {
    Ok(5)
}

const NAME: &str = "fetch";

fn main() {
    let _ = (fetch(), NAME);
}
