use breakerbox::{Config, Keyed, Rejected, circuit_breaker};
use std::sync::Arc;

const NUMBER: u32 = 5;

#[circuit_breaker(breaker = &NUMBER)]
fn call_1() -> Result<u32, Rejected> {
    Ok(5)
}

#[circuit_breaker(breaker = 5 + 5)]
fn call_2() -> Result<u32, Rejected> {
    Ok(5)
}

static HOSTS: Keyed<String> = Keyed::new("hosts", Config::new());

#[circuit_breaker(breaker = &HOSTS)]
fn call_3(host: &str) -> Result<usize, Rejected> {
    Ok(host.len())
}

struct Client {
    hosts: Arc<Keyed<String>>,
}

impl Client {
    #[circuit_breaker(breaker = self.hosts)]
    async fn call_4(&self, host: &str) -> Result<usize, Rejected> {
        Ok(host.len())
    }
}

#[circuit_breaker(breaker = missing)]
fn call_5() -> Result<u32, Rejected> {
    Ok(5)
}

#[circuit_breaker(breaker = &MISSING)]
fn call_6() -> Result<u32, Rejected> {
    Ok(5)
}

fn main() {}
