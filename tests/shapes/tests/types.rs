//! Return types and bodies that only just compile.

#![allow(
    clippy::manual_async_fn,
    clippy::type_complexity,
    clippy::unused_async,
    reason = "unusual shapes are the point"
)]

use breakerbox::{Breaker, Config, Rejected, circuit_breaker};
use futures::executor::block_on;
use futures::future::{BoxFuture, ready};
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Display;
use std::marker::PhantomData;
use std::pin::Pin;

type Boxed = Box<dyn std::error::Error + Send + Sync>;
type Short<T> = std::result::Result<T, Boxed>;

macro_rules! result_of {
    ($type:ty) => {
        Result<$type, Boxed>
    };
}

#[circuit_breaker]
fn closure<'a>(by: &'a u32) -> Result<impl Fn(u32) -> u32 + use<'a>, Boxed> {
    Ok(move |number| number + by)
}

#[circuit_breaker]
fn boxed_closure<'a>(by: &'a str) -> Result<Box<dyn Fn(&str) -> String + 'a>, Boxed> {
    Ok(Box::new(move |text| format!("{text}{by}")))
}

#[circuit_breaker]
fn nested_opaque(
    number: u32,
) -> Result<(impl Display, Option<impl Iterator<Item = (u32, u32)>>), Boxed> {
    Ok((number, Some([(1, 2)].into_iter())))
}

#[circuit_breaker]
async fn opaque_later(number: u32) -> Result<impl Display, Boxed> {
    let number: u32 = ready(number).await.to_string().parse()?;
    Ok(number)
}

#[circuit_breaker]
fn alias(text: &str) -> Short<HashMap<String, Vec<u32>>> {
    Ok(HashMap::from([(text.to_owned(), vec![text.parse()?])]))
}

#[circuit_breaker]
fn by_macro(text: &str) -> result_of!(u32) {
    Ok(text.parse()?)
}

#[circuit_breaker]
#[rustfmt::skip]
#[allow(unused_parens)]
fn in_parentheses(text: &str) -> (Result<(u32), (Boxed)>) {
    Ok(text.parse()?)
}

#[circuit_breaker]
fn borrowed_or_not<'a>(text: &'a str, other: &str) -> Short<Cow<'a, str>> {
    if other.is_empty() { Ok(text.into()) } else { Ok(other.to_owned().into()) }
}

#[circuit_breaker]
fn generic_error<T, E>(value: T) -> Result<T, E>
where
    E: From<Rejected>,
{
    Ok(value)
}

#[circuit_breaker]
fn array<const N: usize>(number: u8) -> Result<[u8; N], Boxed>
where
    [u8; N]: Sized,
{
    Ok([number; N])
}

struct Wide<const N: usize>(u8);

#[circuit_breaker]
fn braces_in_type(number: u8) -> Result<Wide<{ 1 + 1 }>, Boxed> {
    Ok(Wide(number))
}

#[circuit_breaker]
fn higher_ranked<F>(pick: F) -> Result<String, Boxed>
where
    F: for<'a> Fn(&'a str) -> &'a str,
{
    Ok(pick("text").to_owned())
}

#[circuit_breaker]
async fn value(value: u32, permit: u32, breaker: u32, future: u32) -> Result<u32, Rejected> {
    Ok(value + permit + breaker + future)
}

#[circuit_breaker]
fn future(future: u32, value: u32) -> BoxFuture<'static, Result<u32, Rejected>> {
    let breaker = future;
    let permit = ready(Ok(breaker + value));
    Box::pin(permit)
}

#[circuit_breaker]
#[circuit_breaker(name = "inner", threshold = 5)]
async fn twice(number: u32) -> Result<u32, Rejected> {
    Ok(number)
}

#[circuit_breaker()]
fn no_arguments() -> Result<u32, Rejected> {
    Ok(1)
}

#[circuit_breaker[threshold = 5,]]
fn brackets() -> Result<u32, Rejected> {
    Ok(1)
}

#[circuit_breaker]
fn format_capture(name: &str, width: usize) -> Result<String, Rejected> {
    Ok(format!("{name:>width$}"))
}

#[circuit_breaker]
#[expect(clippy::todo, unused_variables)]
fn unfinished(number: u32) -> Result<u32, Rejected> {
    todo!()
}

#[circuit_breaker]
#[expect(clippy::todo, unused_variables)]
async fn unfinished_later(number: u32) -> Result<u32, Rejected> {
    todo!()
}

#[circuit_breaker]
fn recursive_boxed(depth: u32) -> Pin<Box<dyn Future<Output = Result<u32, Rejected>> + Send>> {
    Box::pin(
        async move { if depth == 0 { Ok(0) } else { Ok(recursive_boxed(depth - 1).await? + 1) } },
    )
}

trait Parse: Sized {
    type Output;
    fn parse(text: &str) -> Result<Self::Output, Boxed>;
    fn same(self) -> Result<Self, Boxed>;
}

struct Typed<T>(PhantomData<T>);

impl<T> Parse for Typed<T>
where
    T: std::str::FromStr<Err: Into<Boxed>>,
{
    type Output = T;

    #[circuit_breaker(breaker = &PARSED)]
    fn parse(text: &str) -> Result<Self::Output, Boxed> {
        text.parse().map_err(Into::into)
    }

    #[circuit_breaker(breaker = &PARSED)]
    fn same(self) -> Result<Self, Boxed> {
        let Self(data) = self;
        Ok(Self(data))
    }
}

static PARSED: Breaker = Breaker::new("parsed", Config::new());

mod inside {
    pub(super) mod deeper {
        use breakerbox::{Rejected, circuit_breaker};

        #[circuit_breaker(handle = restricted_breaker)]
        pub(in crate::inside) fn restricted() -> Result<u32, Rejected> {
            Ok(1)
        }
    }

    pub(super) fn both() -> (u32, &'static str) {
        (deeper::restricted().unwrap(), deeper::restricted_breaker().name())
    }
}

#[test]
fn compile_and_run() {
    assert_eq!(closure(&1).unwrap()(2), 3);
    assert_eq!(boxed_closure("b").unwrap()("a"), "ab");
    assert_eq!(nested_opaque(5).unwrap().0.to_string(), "5");
    assert_eq!(block_on(opaque_later(5)).unwrap().to_string(), "5");
    assert_eq!(alias("5").unwrap()["5"], [5]);
    assert_eq!(by_macro("5").unwrap() + in_parentheses("5").unwrap(), 10);
    assert_eq!(borrowed_or_not("a", "").unwrap(), "a");
    assert_eq!(generic_error::<_, Rejected>(5).unwrap(), 5);
    assert_eq!(array::<2>(1).unwrap(), [1, 1]);
    assert_eq!(braces_in_type(1).unwrap().0, 1);
    assert_eq!(higher_ranked(|text| &text[1..]).unwrap(), "ext");
    assert_eq!(block_on(value(1, 2, 3, 4)).unwrap(), 10);
    assert_eq!(block_on(future(1, 2)).unwrap(), 3);
    assert_eq!(block_on(twice(1)).unwrap(), 1);
    assert_eq!(no_arguments().unwrap() + brackets().unwrap(), 2);
    assert_eq!(format_capture("a", 3).unwrap(), "  a");
    assert!(std::panic::catch_unwind(|| unfinished(1)).is_err());
    assert!(std::panic::catch_unwind(|| block_on(unfinished_later(1))).is_err());
    assert_eq!(block_on(recursive_boxed(5)).unwrap(), 5);
    assert_eq!(Typed::<u32>::parse("5").unwrap(), 5);
    Typed::<u32>(PhantomData).same().unwrap();
    assert_eq!(inside::both(), (1, "types::inside::deeper::restricted"));
}
