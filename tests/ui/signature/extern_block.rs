use breakerbox::circuit_breaker;

#[circuit_breaker]
unsafe extern "C" {
    fn fetch();
}

fn main() {}
