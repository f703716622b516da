use breakerbox::{Rejected, circuit_breaker};

#[circuit_breaker(threshold = 0, window = 10)]
fn call_1() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(treshold = 5, window = 10)]
fn call_2() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(slow_call = "0s", slow_rate = 0.5)]
fn call_3() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(fallback = 5)]
fn call_4() -> ! {
    std::process::exit(0)
}

#[circuit_breaker(cooldown, max_cooldown = "1s")]
fn call_5() -> Result<(), Rejected> {
    Ok(())
}

fn main() {
    let _ = (call_1(), call_2(), call_3(), call_4 as fn() -> !, call_5());
}
