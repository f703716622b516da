use breakerbox::{Rejected, circuit_breaker};

#[circuit_breaker(threshold = 10, window = 10, max_failures = 11)]
fn call_1() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(threshold = 10, window = 10, consecutive = 11)]
fn call_2() -> Result<(), Rejected> {
    Ok(())
}

// These can open it.
#[circuit_breaker(threshold = 10, window = 10, consecutive = 10, max_failures = 10)]
fn call_3() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(window = "10s", consecutive = 11, max_failures = 11)]
fn call_4() -> Result<(), Rejected> {
    Ok(())
}

fn main() {
    let _ = (call_1(), call_2(), call_3(), call_4());
}
