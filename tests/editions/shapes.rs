//! What each edition has of its own: captures, closures, paths.

use breakerbox::{Rejected, circuit_breaker};
use std::cell::Cell;
use std::fmt::Display;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

type Boxed = Box<dyn std::error::Error>;

struct Client {
    name: String,
    sent: Vec<u32>,
}

impl Client {
    #[circuit_breaker]
    fn parts(&mut self, number: u32) -> Result<(&str, &mut u32), Rejected> {
        self.sent.push(number);
        Ok((&self.name, &mut self.sent[0]))
    }

    #[circuit_breaker]
    fn consumed(self) -> Result<(String, usize), Rejected> {
        let name = self.name;
        Ok((name, self.sent.len()))
    }

    #[circuit_breaker]
    async fn later(&mut self, number: u32) -> Result<(&str, &mut u32), Rejected> {
        self.sent.push(number);
        std::future::ready(()).await;
        Ok((&self.name, &mut self.sent[0]))
    }
}

#[circuit_breaker]
fn borrowed<'a>(texts: &'a mut [String], by: &str) -> Result<&'a mut String, Boxed> {
    let index: usize = by.parse()?;
    texts.get_mut(index).ok_or_else(|| "none".into())
}

#[circuit_breaker]
fn opaque<'a>(texts: &'a [String]) -> Result<impl Iterator<Item = &'a str> + 'a, Boxed> {
    Ok(texts.iter().map(|text| text.as_str()))
}

#[circuit_breaker]
fn opaque_future<'a>(text: &'a str) -> impl Future<Output = Result<&'a str, Rejected>> + 'a {
    let trimmed = text.trim();
    async move { Ok(trimmed) }
}

#[circuit_breaker]
fn opaque_elsewhere<'a>(text: &'a str) -> impl Future<Output = Result<&'a str, Rejected>> + 'a {
    opaque_future(text)
}

#[circuit_breaker]
fn boxed_future<'a>(
    text: &'a str,
) -> Pin<Box<dyn Future<Output = Result<&'a str, Rejected>> + Send + 'a>> {
    Box::pin(async move { Ok(text) })
}

#[circuit_breaker]
unsafe fn dangerous(number: *const u32) -> Result<u32, Rejected> {
    Ok(unsafe { *number })
}

#[circuit_breaker]
fn nested(counts: &Cell<u32>, shown: impl Display) -> Result<String, Boxed> {
    let count = move || {
        counts.set(counts.get() + 1);
        counts.get()
    };
    Ok(format!("{}{}", shown, count() + count()))
}

#[circuit_breaker(fallback = |_| Ok(0))]
fn never_rejected(number: u32) -> Result<u32, Rejected> {
    Ok(number)
}

#[circuit_breaker(fallback = cached)]
async fn never_rejected_later(number: u32) -> Result<u32, Rejected> {
    Ok(number)
}

async fn cached(_: Rejected, number: u32) -> Result<u32, Rejected> {
    Ok(number)
}

fn ready<F: Future>(future: F) -> F::Output {
    match Box::pin(future).as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("not ready"),
    }
}

#[test]
fn shapes() {
    let mut client = Client { name: "client".to_owned(), sent: Vec::new() };
    assert_eq!(client.parts(7).unwrap(), ("client", &mut 7));
    assert_eq!(ready(client.later(7)).unwrap(), ("client", &mut 7));
    assert_eq!(client.consumed().unwrap(), ("client".to_owned(), 2));
    let mut texts = vec!["a".to_owned(), "b".to_owned()];
    borrowed(&mut texts, "1").unwrap().push('c');
    assert_eq!(opaque(&texts).unwrap().collect::<Vec<_>>(), ["a", "bc"]);
    assert_eq!(ready(opaque_future("a")).unwrap(), "a");
    assert_eq!(ready(opaque_elsewhere("a")).unwrap(), "a");
    assert_eq!(ready(boxed_future("a")).unwrap(), "a");
    assert_eq!(unsafe { dangerous(&5) }.unwrap(), 5);
    assert_eq!(nested(&Cell::new(0), "x").unwrap(), "x3");
    assert_eq!(never_rejected(1).unwrap() + ready(never_rejected_later(1)).unwrap(), 2);
}
