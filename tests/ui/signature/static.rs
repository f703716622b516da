use breakerbox::circuit_breaker;

#[circuit_breaker]
static CLIENT: u32 = 5;

fn main() {
    let _ = CLIENT;
}
