use breakerbox::circuit_breaker;

#[circuit_breaker]
trait Api {
    fn fetch(&self);
}

fn main() {}
