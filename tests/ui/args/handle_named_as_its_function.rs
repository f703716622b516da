use breakerbox::{Rejected, circuit_breaker};

#[circuit_breaker(handle = call)]
fn call() -> Result<(), Rejected> {
    Ok(())
}

struct Client;

impl Client {
    #[circuit_breaker(handle = Self::call)]
    fn call(&self) -> Result<(), Rejected> {
        Ok(())
    }
}

fn main() {
    let _ = (call(), Client.call());
}
