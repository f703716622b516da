use breakerbox::{Rejected, circuit_breaker};

#[circuit_breaker(timeout = "2s")]
async fn fetch() -> Result<u32, Rejected> {
    Ok(5)
}

fn main() {}
