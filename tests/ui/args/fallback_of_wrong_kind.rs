use breakerbox::{Rejected, circuit_breaker};

#[circuit_breaker(fallback = 5)]
fn call_1() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(fallback = answer())]
fn call_2() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(fallback = "answer")]
fn call_3() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(fallback = true)]
fn call_4() -> Result<(), Rejected> {
    Ok(())
}

struct Client;

impl Client {
    #[circuit_breaker(fallback = self.cached)]
    fn call_5(&self, number: u32) -> Result<u32, Rejected> {
        Ok(number)
    }

    #[circuit_breaker(fallback = self.cached(number))]
    fn call_6(&self, number: u32) -> Result<u32, Rejected> {
        Ok(number)
    }

    #[circuit_breaker(fallback = other.cached)]
    fn call_7(&self, number: u32) -> Result<u32, Rejected> {
        Ok(number)
    }
}

fn main() {
    let _ = call_1();
    let _ = call_2();
    let _ = call_3();
    let _ = call_4();
    let _ = (Client.call_5(1), Client.call_6(1), Client.call_7(1));
}
