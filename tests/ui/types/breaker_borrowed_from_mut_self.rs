use breakerbox::{Breaker, Rejected, circuit_breaker};

struct Client {
    breaker: Breaker,
    sent: Vec<u32>,
}

impl Client {
    // The call would change the client while it holds a breaker in it.
    #[circuit_breaker(breaker = &self.breaker)]
    fn send(&mut self) -> Result<(), Rejected> {
        self.sent.push(1);
        Ok(())
    }
}

fn main() {}
