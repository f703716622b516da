use breakerbox::circuit_breaker;

#[circuit_breaker]
union Client {
    number: u32,
}

trait Api {
    #[circuit_breaker]
    type Error;

    #[circuit_breaker]
    const LIMIT: u32;
}

fn main() {}
