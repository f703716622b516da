use breakerbox::{Rejected, circuit_breaker};

#[circuit_breaker(classify = |_| breakerbox::Outcome::Success, failure_if = |_| true)]
fn call_1() -> Result<(), Rejected> {
    Ok(())
}

fn main() {
    let _ = call_1();
}
