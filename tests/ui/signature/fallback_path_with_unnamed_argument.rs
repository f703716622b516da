use breakerbox::circuit_breaker;

use breakerbox::Rejected;

fn cached(_: Rejected, _: (u32, u32), _: u32) -> Result<u32, Rejected> {
    Ok(5)
}

#[circuit_breaker(fallback = cached)]
fn fetch((a, b): (u32, u32), c: u32) -> Result<u32, Rejected> {
    Ok(a + b + c)
}

fn main() {
    let _ = fetch((1, 2), 3);
}
