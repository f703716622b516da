use breakerbox::circuit_breaker;

#[circuit_breaker]
const fn fetch() -> Result<(), breakerbox::Rejected> {
    Ok(())
}

fn main() {
    let _ = fetch();
}
