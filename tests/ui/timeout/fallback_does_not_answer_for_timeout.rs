use resilience::{Outcome, Rejected, circuit_breaker};

#[derive(Debug)]
struct Failed;

#[circuit_breaker(crate = resilience, timeout = "2s", fallback = async |_| Ok(0))]
async fn call_1() -> Result<u32, Failed> {
    Ok(5)
}

#[circuit_breaker(
    crate = resilience,
    timeout = "2s",
    fallback = async |_| 0,
    classify = |_| Outcome::Success
)]
async fn call_2() -> u32 {
    5
}

async fn cached(_: Rejected) -> Result<u32, String> {
    Ok(5)
}

#[circuit_breaker(crate = resilience, timeout = "2s", fallback = cached)]
fn call_3() -> impl Future<Output = Result<u32, String>> {
    async move { Ok(5) }
}

fn main() {}
