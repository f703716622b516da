use breakerbox::{Rejected, circuit_breaker};

use breakerbox::Window;
use std::time::Duration;

const ZERO: u32 = 0;
const FOUR: u32 = 4;
const NAN: f64 = f64::NAN;

#[circuit_breaker(threshold = ZERO)]
fn call_1() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(rate = NAN)]
fn call_2() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(cooldown = Duration::ZERO)]
fn call_3() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(window = 5 * 2)]
fn call_4() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(probes = 3, probe_concurrency = FOUR)]
fn call_5() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(rate = 0.0 / 0.0)]
fn call_6() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(window = Duration::from_millis(9))]
fn call_7() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(window = Window::Calls(2_000_000))]
fn call_8() -> Result<(), Rejected> {
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
    let _ = call_8();
}
