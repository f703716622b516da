use breakerbox::{Rejected, circuit_breaker};

struct Host;

#[circuit_breaker(key = host)]
fn call_1(host: &Host) -> Result<(), Rejected> {
    let _ = host;
    Ok(())
}

#[circuit_breaker(key = load)]
async fn call_2(load: f64) -> Result<(), Rejected> {
    let _ = load;
    Ok(())
}

#[circuit_breaker(key = hots)]
fn call_3(host: &str) -> Result<(), Rejected> {
    let _ = host;
    Ok(())
}

fn main() {}
