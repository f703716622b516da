use breakerbox::{Rejected, circuit_breaker};

const WORD: &str = "20";
const COUNT: u32 = 20;

fn runtime() -> u32 {
    20
}

#[circuit_breaker(threshold = WORD)]
fn call_1() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(rate = COUNT)]
fn call_2() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(cooldown = COUNT)]
fn call_3() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(window = WORD)]
fn call_4() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(cooldown = 2 * 5)]
fn call_5() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(window = COUNT as i64)]
fn call_6() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(on_transition = COUNT)]
fn call_7() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(threshold = runtime())]
fn call_8() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(window = 0.5 + 1.0)]
fn call_9() -> Result<(), Rejected> {
    Ok(())
}

const CALLS: usize = 50;

#[circuit_breaker(window = CALLS)]
fn call_10() -> Result<(), Rejected> {
    Ok(())
}

fn main() {
    let _ = (call_9(), call_10());
    let _ = call_1();
    let _ = call_2();
    let _ = call_3();
    let _ = call_4();
    let _ = call_5();
    let _ = call_6();
    let _ = call_7();
    let _ = call_8();
}
