use breakerbox::{Breaker, Rejected, circuit_breaker};
use std::future::{Future, ready};
use std::pin::Pin;
use std::sync::Arc;

async fn cached(_: Rejected, text: String, number: u32) -> Result<u32, Rejected> {
    Ok(text.len() as u32 + number)
}

#[circuit_breaker(fallback = cached)]
fn call_1(text: String, number: u32) -> impl Future<Output = Result<u32, Rejected>> {
    ready(Ok(text.len() as u32 + number))
}

#[circuit_breaker(fallback = async |_| Ok(numbers.len()))]
fn call_2(numbers: Vec<u32>) -> Pin<Box<dyn Future<Output = Result<usize, Rejected>>>> {
    Box::pin(ready(Ok(numbers.len())))
}

struct Client {
    breaker: Breaker,
}

impl Client {
    #[circuit_breaker(breaker = &self.breaker)]
    fn call_3(self: Arc<Self>) -> impl Future<Output = Result<String, Rejected>> {
        ready(Ok(self.breaker.name().to_owned()))
    }
}

fn main() {}
