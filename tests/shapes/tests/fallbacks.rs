//! `fallback`: answers for rejected calls only, with the arguments of the call.

#![allow(clippy::manual_async_fn, clippy::non_minimal_cfg, reason = "unusual shapes are the point")]

use breakerbox::testing::Clock;
use breakerbox::{Breaker, Outcome, Rejected, circuit_breaker};
use futures::executor::block_on;
use std::panic::catch_unwind;

#[derive(Debug, thiserror::Error)]
enum Error {
    #[error("down")]
    Down,
    #[error(transparent)]
    Rejected(#[from] Rejected),
}

/// What a breaker counted: successes, failures, fallbacks.
fn counts(breaker: &Breaker) -> (u64, u64, u64) {
    let totals = breaker.snapshot().totals;
    (totals.success, totals.failure, totals.fallbacks)
}

fn remembered(rejected: Rejected, id: u32, name: String) -> Result<String, Error> {
    assert_eq!(rejected.breaker(), "fallbacks::by_path");
    Ok(format!("{name} {id}, remembered"))
}

#[circuit_breaker(fallback = remembered, handle = by_path_breaker)]
fn by_path(id: u32, mut name: String) -> Result<String, Error> {
    if id == 0 {
        return Err(Error::Down);
    }
    name.push('!');
    Ok(name)
}

#[circuit_breaker(fallback = |_rejected| Ok(format!("{name} {id}")), handle = by_closure_breaker)]
fn by_closure(id: &u32, name: String) -> Result<String, Error> {
    Ok(format!("{name}, {id}"))
}

async fn remembered_later(_: Rejected, name: String, id: &u32) -> Result<String, Error> {
    std::future::ready(()).await;
    Ok(format!("{name} {id}, remembered"))
}

#[circuit_breaker(fallback = remembered_later, handle = later_by_path_breaker)]
async fn later_by_path(name: String, id: &u32) -> Result<String, Error> {
    std::future::ready(id).await;
    Ok(name)
}

#[circuit_breaker(fallback = async |rejected| Ok(format!("{name} {rejected}")), handle = later_by_closure_breaker)]
async fn later_by_closure(name: &str) -> Result<String, Error> {
    Ok(name.to_owned())
}

#[circuit_breaker(fallback = |_| async move { Ok(name) }, handle = later_by_block_breaker)]
async fn later_by_block(name: String) -> Result<String, Error> {
    Ok(name + "!")
}

#[circuit_breaker(fallback = async |_| Ok(number + 100), handle = returned_future_breaker)]
fn returned_future(number: u32) -> impl Future<Output = Result<u32, Error>> {
    async move { Ok(number) }
}

struct Client {
    last: String,
}

impl Client {
    #[circuit_breaker(fallback = Self::cached, handle = fetch_breaker)]
    fn fetch(&self, id: u32) -> Result<&str, Error> {
        if id == 0 { Err(Error::Down) } else { Ok("fresh") }
    }

    fn cached(&self, _: Rejected, id: u32) -> Result<&str, Error> {
        if id > 100 { Err(Error::Down) } else { Ok(&self.last) }
    }

    #[circuit_breaker(fallback = |_| Ok(&mut self.last), handle = change_breaker)]
    fn change(&mut self, name: &str) -> Result<&mut String, Error> {
        self.last.push_str(name);
        Ok(&mut self.last)
    }

    #[circuit_breaker(fallback = Client::kept, handle = consume_breaker)]
    async fn consume(self, id: u32) -> Result<String, Error> {
        std::future::ready(id).await;
        Ok(self.last + "!")
    }

    async fn kept(self, rejected: Rejected, id: u32) -> Result<String, Error> {
        if id == 0 { Err(rejected.into()) } else { Ok(self.last) }
    }
}

#[circuit_breaker(fallback = |_| 0, classify = |count| match count { 0 => Outcome::Failure, _ => Outcome::Success }, handle = no_result_breaker)]
fn no_result(count: usize) -> usize {
    count
}

#[circuit_breaker(fallback = |rejected| panic!("{rejected}"), handle = panicking_breaker)]
fn panicking() -> Result<(), Error> {
    Ok(())
}

#[test]
fn is_not_asked_while_calls_are_let_through() {
    let _clock = Clock::freeze();
    let before = counts(by_path_breaker());
    assert_eq!(by_path(1, "a".to_owned()).unwrap(), "a!");
    assert!(matches!(by_path(0, String::new()), Err(Error::Down)));
    assert_eq!(counts(by_path_breaker()), (before.0 + 1, before.1 + 1, before.2));
    assert_eq!(by_closure(&1, "a".to_owned()).unwrap(), "a, 1");
    assert_eq!(block_on(later_by_path("a".to_owned(), &1)).unwrap(), "a");
    assert_eq!(block_on(later_by_closure("a")).unwrap(), "a");
    assert_eq!(block_on(later_by_block("a".to_owned())).unwrap(), "a!");
    assert_eq!(block_on(returned_future(1)).unwrap(), 1);
    assert_eq!(no_result(2), 2);
    panicking().unwrap();
}

#[test]
fn answers_for_rejected_calls_and_is_counted_apart() {
    let _clock = Clock::freeze();
    for breaker in [
        by_path_breaker(),
        by_closure_breaker(),
        later_by_path_breaker(),
        later_by_closure_breaker(),
        later_by_block_breaker(),
        returned_future_breaker(),
        no_result_breaker(),
        panicking_breaker(),
    ] {
        breaker.force_open();
    }
    let before = counts(by_path_breaker());
    assert_eq!(by_path(1, "a".to_owned()).unwrap(), "a 1, remembered");
    assert_eq!(counts(by_path_breaker()), (before.0, before.1, before.2 + 1));
    assert_eq!(by_closure(&1, "a".to_owned()).unwrap(), "a 1");
    assert_eq!(block_on(later_by_path("a".to_owned(), &1)).unwrap(), "a 1, remembered");
    assert_eq!(
        block_on(later_by_closure("a")).unwrap(),
        "a circuit breaker `fallbacks::later_by_closure` is forced open"
    );
    assert_eq!(block_on(later_by_block("a".to_owned())).unwrap(), "a");
    assert_eq!(block_on(returned_future(1)).unwrap(), 101);
    assert_eq!(no_result(2), 0);
    catch_unwind(panicking).unwrap_err();
    assert_eq!(counts(panicking_breaker()).2, 1);
    for breaker in [later_by_path_breaker(), returned_future_breaker(), no_result_breaker()] {
        assert_eq!(counts(breaker).2, 1, "{}", breaker.name());
    }
}

#[test]
fn takes_self_first_on_methods() {
    let _clock = Clock::freeze();
    let mut client = Client { last: "last".to_owned() };
    assert_eq!(client.fetch(1).unwrap(), "fresh");
    assert_eq!(client.change("x").unwrap(), "lastx");
    for breaker in [Client::fetch_breaker(), Client::change_breaker(), Client::consume_breaker()] {
        breaker.force_open();
    }
    assert_eq!(client.fetch(1).unwrap(), "lastx");
    assert!(matches!(client.fetch(101), Err(Error::Down)), "the error of a fallback is passed on");
    assert_eq!(client.change("y").unwrap(), "lastx");
    let other = Client { last: "other".to_owned() };
    assert_eq!(block_on(client.consume(1)).unwrap(), "lastx");
    assert!(matches!(block_on(other.consume(0)), Err(Error::Rejected(_))));
}

async fn with_those_there(
    _: Rejected,
    text: String,
    present: u32,
    also_present: (),
) -> Result<usize, Rejected> {
    Ok(text.len() + present as usize + size_of_val(&also_present))
}

#[circuit_breaker(fallback = with_those_there, handle = conditional_breaker)]
async fn conditional(
    text: String,
    #[cfg(any())] absent: Missing,
    #[cfg(all())] present: u32,
    #[cfg_attr(all(), cfg(any()))] also_absent: Missing,
    #[cfg_attr(any(), cfg(any()))] _also_present: (),
) -> Result<usize, Rejected> {
    Ok(text.len() - present as usize)
}

#[test]
fn gets_those_arguments_that_are_there() {
    let _clock = Clock::freeze();
    assert_eq!(block_on(conditional("abc".to_owned(), 1, ())).unwrap(), 2);
    conditional_breaker().force_open();
    assert_eq!(block_on(conditional("abc".to_owned(), 1, ())).unwrap(), 4);
}
