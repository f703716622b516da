//! Methods with every kind of receiver.

use breakerbox::{Rejected, circuit_breaker};
use futures::executor::block_on;
use shapes::calls;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;

#[derive(Debug, Clone, Default, PartialEq)]
struct Client {
    sent: Vec<u32>,
}

impl Client {
    #[circuit_breaker(handle = by_value_breaker)]
    fn by_value(self, number: u32) -> Result<Vec<u32>, Rejected> {
        let mut sent = self.sent;
        sent.push(number);
        Ok(sent)
    }

    #[circuit_breaker(handle = by_mut_value_breaker)]
    fn by_mut_value(mut self, number: u32) -> Result<Self, Rejected> {
        self.sent.push(number);
        Ok(self)
    }

    #[circuit_breaker(handle = by_ref_breaker)]
    fn by_ref(&self) -> Result<&[u32], Rejected> {
        Ok(&self.sent)
    }

    #[circuit_breaker(handle = by_mut_breaker)]
    fn by_mut(&mut self, number: u32) -> Result<&mut u32, Rejected> {
        self.sent.push(number);
        Ok(self.sent.last_mut().expect("just pushed"))
    }

    #[circuit_breaker(handle = by_box_breaker)]
    fn by_box(self: Box<Self>) -> Result<Self, Rejected> {
        Ok(*self)
    }

    #[circuit_breaker(handle = by_rc_breaker)]
    fn by_rc(self: Rc<Self>) -> Result<usize, Rejected> {
        Ok(self.sent.len())
    }

    #[circuit_breaker(handle = by_arc_breaker)]
    fn by_arc(self: Arc<Self>) -> Result<Arc<Self>, Rejected> {
        Ok(self)
    }

    #[circuit_breaker(handle = by_arc_ref_breaker)]
    fn by_arc_ref(self: &Arc<Self>) -> Result<Arc<Self>, Rejected> {
        Ok(Self::clone(self).into())
    }

    #[circuit_breaker(handle = by_pin_breaker)]
    fn by_pin(mut self: Pin<&mut Self>) -> Result<usize, Rejected> {
        self.sent.push(1);
        Ok(self.sent.len())
    }

    #[circuit_breaker(handle = Self::without_receiver_breaker)]
    fn without_receiver(number: u32) -> Result<u32, Rejected> {
        Ok(number)
    }

    #[circuit_breaker(handle = async_by_value_breaker)]
    async fn async_by_value(self, number: u32) -> Result<Vec<u32>, Rejected> {
        let mut sent = self.sent;
        std::future::ready(()).await;
        sent.push(number);
        Ok(sent)
    }

    #[circuit_breaker(handle = async_by_ref_breaker)]
    async fn async_by_ref(&self) -> Result<&[u32], Rejected> {
        std::future::ready(()).await;
        Ok(&self.sent)
    }

    #[circuit_breaker(handle = async_by_mut_breaker)]
    async fn async_by_mut(&mut self, number: u32) -> Result<&mut u32, Rejected> {
        self.sent.push(number);
        std::future::ready(()).await;
        Ok(self.sent.last_mut().expect("just pushed"))
    }

    #[circuit_breaker(handle = async_by_arc_breaker)]
    async fn async_by_arc(self: Arc<Self>) -> Result<Arc<Self>, Rejected> {
        std::future::ready(()).await;
        Ok(self)
    }

    #[circuit_breaker(handle = async_by_pin_breaker)]
    async fn async_by_pin(mut self: Pin<&mut Self>) -> Result<usize, Rejected> {
        self.sent.push(1);
        std::future::ready(()).await;
        Ok(self.sent.len())
    }
}

fn client() -> Client {
    Client { sent: vec![1, 2] }
}

#[test]
fn sync_methods() {
    assert_eq!(client().by_value(3).unwrap(), [1, 2, 3]);
    assert_eq!(client().by_mut_value(3).unwrap().sent, [1, 2, 3]);
    assert_eq!(client().by_ref().unwrap(), [1, 2]);
    let mut one = client();
    *one.by_mut(3).unwrap() += 1;
    assert_eq!(one.sent, [1, 2, 4]);
    assert_eq!(Box::new(client()).by_box().unwrap(), client());
    assert_eq!(Rc::new(client()).by_rc().unwrap(), 2);
    assert_eq!(*Arc::new(client()).by_arc().unwrap(), client());
    assert_eq!(*Arc::new(client()).by_arc_ref().unwrap(), client());
    assert_eq!(Pin::new(&mut client()).by_pin().unwrap(), 3);
    assert_eq!(Client::without_receiver(7).unwrap(), 7);
    for breaker in [
        Client::by_value_breaker(),
        Client::by_mut_value_breaker(),
        Client::by_ref_breaker(),
        Client::by_mut_breaker(),
        Client::by_box_breaker(),
        Client::by_rc_breaker(),
        Client::by_arc_breaker(),
        Client::by_arc_ref_breaker(),
        Client::by_pin_breaker(),
        Client::without_receiver_breaker(),
    ] {
        assert_eq!(calls(breaker), 1, "{}", breaker.name());
    }
    assert_eq!(Client::by_pin_breaker().name(), "receivers::by_pin");
}

#[test]
fn async_methods() {
    assert_eq!(block_on(client().async_by_value(3)).unwrap(), [1, 2, 3]);
    assert_eq!(block_on(client().async_by_ref()).unwrap(), [1, 2]);
    let mut one = client();
    *block_on(one.async_by_mut(3)).unwrap() += 1;
    assert_eq!(one.sent, [1, 2, 4]);
    assert_eq!(*block_on(Arc::new(client()).async_by_arc()).unwrap(), client());
    assert_eq!(block_on(Pin::new(&mut client()).async_by_pin()).unwrap(), 3);
    for breaker in [
        Client::async_by_value_breaker(),
        Client::async_by_ref_breaker(),
        Client::async_by_mut_breaker(),
        Client::async_by_arc_breaker(),
        Client::async_by_pin_breaker(),
    ] {
        assert_eq!(calls(breaker), 1, "{}", breaker.name());
    }
}
