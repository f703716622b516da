use breakerbox::{Rejected, circuit_breaker};

#[circuit_breaker(threshold: 20)]
fn call_1() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(threshold(20))]
fn call_2() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(20)]
fn call_3() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker("threshold" = 20)]
fn call_4() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(= 20)]
fn call_5() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(,)]
fn call_6() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(threshold == 20)]
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
