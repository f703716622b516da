use breakerbox::circuit_breaker;

struct Client;

#[circuit_breaker(threshold = 5)]
impl Client {
    fn fetch(&self) {}
}

fn main() {
    Client.fetch();
}
