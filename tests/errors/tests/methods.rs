//! Methods, sync and async, whatever they take as `self`.

use breakerbox::testing::Clock;
use breakerbox::{Rejected, circuit_breaker};
use errors::{Remote, on_futures, on_tokio, outage};
use std::io;
use std::sync::Arc;

struct Client<'a> {
    remote: &'a Remote,
    asked: u32,
}

impl<'a> Client<'a> {
    fn of(remote: &'a Remote) -> Self {
        Self { remote, asked: 0 }
    }

    #[circuit_breaker(threshold = 3)]
    fn by_reference(&self) -> io::Result<u32> {
        self.remote.ask()
    }

    #[circuit_breaker(threshold = 3)]
    fn by_unique_reference(&mut self) -> io::Result<u32> {
        self.asked += 1;
        self.remote.ask()
    }

    #[circuit_breaker(threshold = 3)]
    fn by_value(self) -> io::Result<u32> {
        self.remote.ask()
    }

    #[circuit_breaker(threshold = 3)]
    async fn by_reference_async(&self) -> io::Result<u32> {
        self.remote.ask_async().await
    }

    #[circuit_breaker(threshold = 3)]
    async fn by_unique_reference_async(&mut self) -> io::Result<u32> {
        self.asked += 1;
        self.remote.ask_async().await
    }

    #[circuit_breaker(threshold = 3)]
    async fn by_shared_ownership_async(self: Arc<Self>) -> io::Result<u32> {
        self.remote.ask_async().await
    }
}

fn rejected(error: &io::Error) -> Option<&Rejected> {
    error.get_ref()?.downcast_ref()
}

// Each call goes through a client of its own: they share the method's breaker.

#[test]
fn sync_by_reference() {
    outage(|remote| Client::of(remote).by_reference(), rejected);
}

#[test]
fn sync_by_unique_reference() {
    outage(|remote| Client::of(remote).by_unique_reference(), rejected);
}

#[test]
fn sync_by_value() {
    outage(|remote| Client::of(remote).by_value(), rejected);
}

#[test]
fn async_by_reference() {
    outage(|remote| on_futures(Client::of(remote).by_reference_async()), rejected);
}

#[test]
fn async_by_unique_reference() {
    outage(|remote| on_tokio(Client::of(remote).by_unique_reference_async()), rejected);
}

#[test]
fn async_by_shared_ownership() {
    outage(|remote| on_tokio(Arc::new(Client::of(remote)).by_shared_ownership_async()), rejected);
}

#[test]
fn a_rejected_method_leaves_its_object_untouched() {
    let _clock = Clock::freeze();
    let remote = Remote::default();
    remote.set_down(true);
    let mut client = Client::of(&remote);
    for _ in 0..5 {
        client.by_unique_reference().unwrap_err();
    }
    assert_eq!((client.asked, remote.calls()), (3, 3));
}
