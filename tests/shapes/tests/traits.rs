//! Methods of trait impls: native async and under `#[async_trait]`.

use async_trait::async_trait;
use breakerbox::{Breaker, Config, Rejected, circuit_breaker};
use futures::executor::block_on;
use shapes::calls;
use std::sync::Arc;

struct Client<T> {
    breaker: Arc<Breaker>,
    factor: T,
}

fn client() -> Client<u32> {
    Client { breaker: Arc::new(Breaker::new("client", Config::new())), factor: 2 }
}

trait Native {
    type Error;
    async fn fetch(&self, number: u32) -> Result<u32, Self::Error>;
    fn sync(&self, number: u32) -> Result<u32, Self::Error>;
    async fn provided(&self, number: u32) -> Result<u32, Rejected> {
        Ok(number)
    }
}

impl<T: Copy + Into<u32>> Native for Client<T> {
    type Error = anyhow::Error;

    #[circuit_breaker(breaker = &self.breaker)]
    async fn fetch(&self, number: u32) -> Result<u32, Self::Error> {
        std::future::ready(()).await;
        Ok(self.factor.into() * number)
    }

    #[circuit_breaker(breaker = self.breaker)]
    fn sync(&self, number: u32) -> Result<u32, Self::Error> {
        let doubled = || self.factor.into() * number;
        Ok(doubled())
    }
}

static DEFAULTS: Breaker = Breaker::new("defaults", Config::new());

trait Defaults: Send + Sync {
    #[circuit_breaker(breaker = &DEFAULTS)]
    fn provided(&self, number: u32) -> Result<u32, Rejected> {
        Ok(number)
    }
}

impl Defaults for u32 {}

#[async_trait]
trait Remote {
    async fn fetch(&self, number: u32) -> Result<u32, Rejected>;
    async fn by_text(&mut self, text: &str) -> Result<usize, Box<dyn std::error::Error>>;
    async fn by_arc(self: Arc<Self>) -> Result<usize, Rejected>;
    async fn cached(&self, rejected: Rejected, number: u32) -> Result<u32, Rejected>;

    #[circuit_breaker(breaker = &DEFAULTS)]
    async fn provided(&self, number: u32) -> Result<u32, Rejected>
    where
        Self: Sync,
    {
        self.fetch(number).await
    }
}

#[async_trait]
impl<T: Copy + Into<u32> + Send + Sync> Remote for Client<T> {
    #[circuit_breaker(breaker = &self.breaker, fallback = Self::cached)]
    async fn fetch(&self, number: u32) -> Result<u32, Rejected> {
        std::future::ready(()).await;
        Ok(self.factor.into() * number)
    }

    #[circuit_breaker(breaker = self.breaker.clone())]
    async fn by_text(&mut self, text: &str) -> Result<usize, Box<dyn std::error::Error>> {
        let number: usize = text.parse()?;
        std::future::ready(()).await;
        Ok(number)
    }

    #[circuit_breaker(breaker = &ARC)]
    async fn by_arc(self: Arc<Self>) -> Result<usize, Rejected> {
        Ok(Arc::strong_count(&self))
    }

    async fn cached(&self, rejected: Rejected, number: u32) -> Result<u32, Rejected> {
        assert_eq!(rejected.breaker(), "client");
        Ok(number + 1000)
    }
}

static ARC: Breaker = Breaker::new("arc", Config::new());

#[test]
fn native() {
    let client = client();
    assert_eq!(block_on(Native::fetch(&client, 3)).unwrap(), 6);
    assert_eq!(client.sync(3).unwrap(), 6);
    assert_eq!(block_on(Native::provided(&client, 3)).unwrap(), 3);
    assert_eq!(calls(&client.breaker), 2);
    client.breaker.force_open();
    let error = block_on(Native::fetch(&client, 3)).unwrap_err();
    assert_eq!(error.downcast::<Rejected>().unwrap().breaker(), "client");
    assert_eq!(Defaults::provided(&1, 2).unwrap(), 2);
}

#[test]
fn async_trait() {
    let mut client = client();
    assert_eq!(block_on(Remote::fetch(&client, 3)).unwrap(), 6);
    assert_eq!(block_on(client.by_text("5")).unwrap(), 5);
    block_on(client.by_text("x")).unwrap_err();
    let totals = client.breaker.snapshot().totals;
    assert_eq!((totals.success, totals.failure), (2, 1));
    client.breaker.force_open();
    assert_eq!(block_on(Remote::fetch(&client, 3)).unwrap(), 1003);
    assert_eq!(client.breaker.snapshot().totals.fallbacks, 1);
    client.breaker.reset();
    assert_eq!(block_on(Remote::provided(&client, 3)).unwrap(), 6);
    assert_eq!(block_on(Arc::new(client).by_arc()).unwrap(), 1);
    assert_eq!(calls(&ARC), 1);
    assert!(calls(&DEFAULTS) >= 1);
}
