use breakerbox::circuit_breaker;

trait Api {
    #[circuit_breaker]
    fn fetch(&self) -> Result<(), breakerbox::Rejected>;
}

fn main() {}
