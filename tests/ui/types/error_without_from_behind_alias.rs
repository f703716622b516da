use breakerbox::{Rejected, circuit_breaker};

mod api {
    #[derive(Debug)]
    pub struct Error;
    pub type Result<T> = std::result::Result<T, Error>;
}

#[circuit_breaker]
fn fetch() -> api::Result<u32> {
    Err(api::Error)
}

fn rejected(_: Rejected) {}

fn main() {}
