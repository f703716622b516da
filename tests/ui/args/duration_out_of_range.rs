use breakerbox::{Rejected, circuit_breaker};

#[circuit_breaker(cooldown = "0s")]
fn call_1() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(cooldown = "999us")]
fn call_2() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(window = "9ms")]
fn call_3() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(slow_call = "0ns")]
fn call_4() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(probe_timeout = "0s")]
fn call_5() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(cooldown = "5124096h")]
fn call_6() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(cooldown = "99999999999999999999s")]
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
