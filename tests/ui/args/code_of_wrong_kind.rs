use breakerbox::{Rejected, circuit_breaker};

#[circuit_breaker(classify = 5)]
fn call_1() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(classify = "outcome_of")]
fn call_2() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(failure_if = true)]
fn call_3() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(on_transition = "log")]
fn call_4() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(breaker = "payments")]
fn call_5() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(breaker = breakerbox::Breaker::new("payments", breakerbox::Config::new()))]
fn call_6() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(breaker = &breakerbox::Breaker::shared("payments", breakerbox::Config::new()))]
fn call_7() -> Result<(), Rejected> {
    Ok(())
}

fn main() {
    let _ = call_1();
    let _ = call_2();
    let _ = call_3();
    let _ = call_4();
    let _ = call_5();
    let _ = call_6();
    let _ = call_7();
}
