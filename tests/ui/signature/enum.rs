use breakerbox::circuit_breaker;

#[circuit_breaker]
pub enum Client {
    A,
}

fn main() {}
