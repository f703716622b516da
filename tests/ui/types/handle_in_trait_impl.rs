use breakerbox::circuit_breaker;

use breakerbox::Rejected;

trait Api {
    fn fetch(&self) -> Result<u32, Rejected>;
}

impl Api for u32 {
    #[circuit_breaker(handle = fetch_breaker)]
    fn fetch(&self) -> Result<u32, Rejected> {
        Ok(*self)
    }
}

fn main() {}
