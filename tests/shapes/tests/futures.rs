//! Functions that return a future: admitted when it is first polled, judged when it ends.

#![allow(
    clippy::let_and_return,
    clippy::manual_async_fn,
    clippy::type_complexity,
    reason = "unusual shapes are the point"
)]

use breakerbox::testing::Clock;
use breakerbox::{Breaker, Config, Outcome, Rejected, circuit_breaker, panel};
use futures::executor::block_on;
use futures::future::{BoxFuture, FutureExt, LocalBoxFuture, ready};
use shapes::calls;
use std::cell::Cell;
use std::pin::Pin;
use std::rc::Rc;

#[circuit_breaker(handle = opaque_breaker)]
fn opaque(made: &Cell<u32>, number: u32) -> impl Future<Output = Result<u32, Rejected>> {
    made.set(made.get() + 1);
    async move { Ok(number) }
}

#[circuit_breaker(handle = opaque_send_breaker)]
fn opaque_send<'a>(text: &'a str) -> impl Future<Output = Result<&'a str, Rejected>> + Send + 'a {
    async move {
        ready(()).await;
        Ok(text)
    }
}

#[circuit_breaker(handle = opaque_ready_breaker)]
fn opaque_ready(number: u32) -> impl Future<Output = Result<u32, Rejected>> {
    if number == 0 {
        return ready(Ok(1));
    }
    ready(Ok(number))
}

#[circuit_breaker(handle = boxed_breaker)]
fn boxed(
    made: &Cell<u32>,
    text: String,
) -> Pin<Box<dyn Future<Output = Result<String, Rejected>> + Send>> {
    made.set(made.get() + 1);
    Box::pin(async move {
        ready(()).await;
        let text = text + "!";
        Ok(text)
    })
}

#[circuit_breaker(handle = boxed_elsewhere_breaker)]
fn boxed_elsewhere(
    text: &str,
) -> Pin<Box<dyn Future<Output = Result<&str, Rejected>> + Send + '_>> {
    let future = Box::pin(ready(Ok(text)));
    future
}

#[circuit_breaker(handle = boxed_alias_breaker)]
fn boxed_alias(
    text: &str,
) -> BoxFuture<'_, Result<usize, Box<dyn std::error::Error + Send + Sync>>> {
    async move {
        let number: usize = text.parse()?;
        Ok(number)
    }
    .boxed()
}

#[circuit_breaker(handle = local_alias_breaker)]
fn local_alias(text: Rc<str>) -> LocalBoxFuture<'static, Result<usize, Rejected>> {
    let length = text.len();
    ready(Ok(length)).boxed_local()
}

type OwnAlias<T> = Pin<Box<dyn Future<Output = Result<T, Rejected>>>>;

#[circuit_breaker(handle = own_alias_breaker)]
fn own_alias(number: u32) -> OwnAlias<u32> {
    Box::pin(async move { Ok(number) })
}

/// Returns early, past the `async` block at its end.
#[circuit_breaker(handle = early_breaker)]
fn early(number: u32) -> BoxFuture<'static, Result<u32, Rejected>> {
    if number == 0 {
        return Box::pin(ready(Ok(100)));
    }
    Box::pin(async move { Ok(number) })
}

#[circuit_breaker(handle = own_alias_early_breaker)]
fn own_alias_early(number: u32) -> OwnAlias<u32> {
    if number == 0 {
        return Box::pin(ready(Ok(100)));
    }
    Box::pin(async move { Ok(number) })
}

/// Whoever calls it may move it after the first poll.
#[circuit_breaker(handle = unpin_breaker)]
fn unpin(number: u32) -> impl Future<Output = Result<u32, Rejected>> + Unpin {
    ready(Ok(number))
}

#[circuit_breaker(handle = unpin_block_breaker)]
fn unpin_block(number: u32) -> impl Future<Output = Result<u32, Rejected>> + Unpin {
    Box::pin(async move { Ok(number) })
}

#[circuit_breaker(handle = boxed_unpin_breaker)]
fn boxed_unpin(number: u32) -> Box<dyn Future<Output = Result<u32, Rejected>> + Send + Unpin> {
    Box::new(ready(Ok(number)))
}

#[circuit_breaker(handle = boxed_opaque_breaker)]
fn boxed_opaque(text: &str) -> Pin<Box<impl Future<Output = Result<&str, Rejected>>>> {
    let future = ready(Ok(text));
    Box::pin(future)
}

/// Ends in `.boxed()`, past which it returns early.
#[circuit_breaker(handle = early_alias_breaker)]
fn early_alias(number: u32) -> OwnAlias<u32> {
    if number == 0 {
        return ready(Ok(100)).boxed_local();
    }
    async move { Ok(number) }.boxed_local()
}

/// Returns futures, and is none.
type Maker = dyn Fn() -> Pin<Box<dyn Future<Output = u8>>>;

#[circuit_breaker(fallback = |_| made(), classify = |_| Outcome::Success, handle = maker_breaker)]
fn maker() -> Pin<Box<dyn Fn() -> Pin<Box<dyn Future<Output = u8>>>>> {
    made()
}

fn made() -> Pin<Box<Maker>> {
    Box::pin(|| Box::pin(ready(7)))
}

/// A future that a function keeps, or a closure makes, is not what it returns.
#[circuit_breaker(fallback = |_| (), classify = |()| Outcome::Success, handle = kept_breaker)]
fn kept(slot: &mut OwnAlias<u32>, number: u32) {
    *slot = Box::pin(async move { Ok(number) })
}

#[circuit_breaker(fallback = |_| handler_without(), classify = |_| Outcome::Success, handle = handler_breaker)]
fn handler() -> Box<dyn Fn(u32) -> OwnAlias<u32>> {
    let base = 1;
    Box::new(move |number| Box::pin(async move { Ok(base + number) }))
}

#[circuit_breaker(fallback = |_| handler_without(), classify = |_| Outcome::Success, handle = opaque_handler_breaker)]
fn opaque_handler() -> impl Fn(u32) -> OwnAlias<u32> {
    handler_without()
}

fn handler_without() -> Box<dyn Fn(u32) -> OwnAlias<u32>> {
    Box::new(|number: u32| -> OwnAlias<u32> { Box::pin(async move { Ok(number) }) })
}

async fn remembered(_: Rejected, text: &str, number: u32) -> Result<usize, Rejected> {
    Ok(text.len() + number as usize)
}

#[circuit_breaker(fallback = remembered, handle = answered_breaker)]
fn answered(text: &str, number: u32) -> impl Future<Output = Result<usize, Rejected>> {
    let future = boxed_alias(text).map(move |length| Ok(length.unwrap_or_default()));
    assert_ne!(number, 0);
    future
}

#[circuit_breaker(key = host, name = "future of a key")]
fn keyed(host: String) -> impl Future<Output = Result<String, Rejected>> {
    ready(Ok(host))
}

struct Client {
    breaker: Breaker,
}

trait Api {
    fn fetch(&self, text: &str) -> impl Future<Output = Result<usize, Rejected>> + Send;
}

impl Api for Client {
    #[circuit_breaker(breaker = &self.breaker)]
    fn fetch(&self, text: &str) -> impl Future<Output = Result<usize, Rejected>> + Send {
        let length = text.len();
        async move { Ok(length) }
    }
}

#[test]
fn every_form_works_and_counts() {
    let _clock = Clock::freeze();
    let made = Cell::new(0);
    assert_eq!(block_on(opaque(&made, 1)).unwrap(), 1);
    assert_eq!(block_on(opaque_send("a")).unwrap(), "a");
    assert_eq!(block_on(opaque_ready(0)).unwrap(), 1);
    assert_eq!(block_on(boxed(&made, "a".to_owned())).unwrap(), "a!");
    assert_eq!(block_on(boxed_elsewhere("a")).unwrap(), "a");
    assert_eq!(block_on(boxed_alias("12")).unwrap(), 12);
    assert_eq!(block_on(local_alias("12".into())).unwrap(), 2);
    assert_eq!(block_on(own_alias(3)).unwrap(), 3);
    for breaker in [
        opaque_breaker(),
        opaque_send_breaker(),
        opaque_ready_breaker(),
        boxed_breaker(),
        boxed_elsewhere_breaker(),
        boxed_alias_breaker(),
        local_alias_breaker(),
        own_alias_breaker(),
    ] {
        assert_eq!(calls(breaker), 1, "{}", breaker.name());
        assert_eq!(breaker.snapshot().totals.success, 1, "{}", breaker.name());
    }
    assert_eq!(block_on(early(0)).unwrap() + block_on(early(1)).unwrap(), 101);
    assert_eq!(calls(early_breaker()), 2);
    assert_eq!(block_on(own_alias_early(0)).unwrap() + block_on(own_alias_early(1)).unwrap(), 101);
    assert_eq!(calls(own_alias_early_breaker()), 2);
    assert_eq!(block_on(early_alias(0)).unwrap() + block_on(early_alias(1)).unwrap(), 101);
    assert_eq!(calls(early_alias_breaker()), 2);
    block_on(boxed_alias("x")).unwrap_err();
    assert_eq!(boxed_alias_breaker().snapshot().totals.failure, 1);
    let client = Client { breaker: Breaker::new("client", Config::new()) };
    assert_eq!(block_on(client.fetch("abc")).unwrap(), 3);
    assert_eq!(calls(&client.breaker), 1);
}

#[test]
fn what_holds_a_future_is_kept() {
    let _clock = Clock::freeze();
    let is_unpin = |mut future: &mut (dyn Future<Output = Result<u32, Rejected>> + Unpin)| {
        block_on(&mut future).unwrap()
    };
    assert_eq!(is_unpin(&mut unpin(1)), 1);
    assert_eq!(is_unpin(&mut unpin_block(2)), 2);
    assert_eq!(is_unpin(&mut boxed_unpin(3)), 3);
    assert_eq!(block_on(boxed_opaque("a")).unwrap(), "a");
    let breakers =
        [unpin_breaker(), unpin_block_breaker(), boxed_unpin_breaker(), boxed_opaque_breaker()];
    for breaker in breakers {
        assert_eq!(calls(breaker), 1, "{}", breaker.name());
    }
}

#[test]
fn what_only_makes_futures_is_none() {
    let _clock = Clock::freeze();
    let made = maker();
    assert_eq!(calls(maker_breaker()), 1);
    assert_eq!(block_on(made()), 7);
    assert_eq!(calls(maker_breaker()), 1);
    let mut slot: OwnAlias<u32> = Box::pin(ready(Ok(1)));
    kept(&mut slot, 2);
    assert_eq!(block_on(slot).unwrap(), 2);
    assert_eq!(calls(kept_breaker()), 1);
    assert_eq!(block_on(handler()(2)).unwrap() + block_on(opaque_handler()(2)).unwrap(), 5);
    assert_eq!(calls(handler_breaker()) + calls(opaque_handler_breaker()), 2);
}

#[test]
fn a_future_made_elsewhere_is_answered_with_the_arguments() {
    let _clock = Clock::freeze();
    assert_eq!(block_on(answered("12", 1)).unwrap(), 12);
    answered_breaker().force_open();
    assert_eq!(block_on(answered("12", 1)).unwrap(), 3);
    assert_eq!(answered_breaker().snapshot().totals.fallbacks, 1);
}

#[test]
fn a_key_may_be_of_an_argument_that_the_body_consumes() {
    let _clock = Clock::freeze();
    assert_eq!(block_on(keyed("a".to_owned())).unwrap(), "a");
    let breakers = panel().find("future of a key[a]");
    assert_eq!(breakers[0].snapshot().totals.success, 1);
}

#[circuit_breaker(handle = lazy_breaker, consecutive = 1)]
fn lazy(made: &Cell<u32>, fails: bool) -> impl Future<Output = Result<(), Rejected>> {
    made.set(made.get() + 1);
    let failure = lazy_breaker().snapshot();
    let _ = failure;
    async move {
        if fails {
            return Err(OTHER.acquire().unwrap_err());
        }
        Ok(())
    }
}

static OTHER: Breaker = Breaker::new("other", Config::new());

#[test]
fn statements_run_at_the_call_and_admission_waits_for_the_first_poll() {
    let _clock = Clock::freeze();
    OTHER.force_open();
    let made = Cell::new(0);
    let first = lazy(&made, true);
    let second = lazy(&made, false);
    drop(lazy(&made, true));
    assert_eq!((made.get(), calls(lazy_breaker())), (3, 0));
    block_on(first).unwrap_err();
    assert_eq!(calls(lazy_breaker()), 1);
    assert_eq!(block_on(second).unwrap_err().breaker(), "futures::lazy");
    assert_eq!(calls(lazy_breaker()), 1);
}

mod aliases_of_their_own {
    use breakerbox::{Rejected, circuit_breaker};
    use std::future::Future;
    use std::pin::Pin;

    type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

    #[circuit_breaker]
    fn one_parameter(number: u8) -> BoxFuture<Result<u8, Rejected>> {
        Box::pin(async move { Ok(number) })
    }

    #[circuit_breaker]
    fn made_elsewhere(number: u8) -> BoxFuture<Result<u8, Rejected>> {
        one_parameter(number)
    }

    #[test]
    fn are_awaited_for_what_they_give() {
        assert_eq!(futures::executor::block_on(one_parameter(7)).unwrap(), 7);
        assert_eq!(futures::executor::block_on(made_elsewhere(7)).unwrap(), 7);
    }
}
