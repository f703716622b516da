use breakerbox::circuit_breaker;

use breakerbox::Rejected;

#[circuit_breaker(threshold = 0)]
async fn fetch(number: u32) -> Result<u32, Rejected> {
    Ok(number)
}

fn main() {
    // The only error is the one at `0`: `fetch` still exists, with its types.
    let _ = fetch(5);
}
