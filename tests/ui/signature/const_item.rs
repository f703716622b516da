use breakerbox::circuit_breaker;

#[circuit_breaker]
const CLIENT: u32 = 5;

fn main() {
    let _ = CLIENT;
}
