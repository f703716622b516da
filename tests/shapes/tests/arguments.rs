//! Arguments and bodies of every form.

#![allow(
    clippy::toplevel_ref_arg,
    clippy::missing_safety_doc,
    reason = "unusual shapes are the point"
)]

use breakerbox::{Breaker, Config, Outcome, Rejected, circuit_breaker};
use futures::executor::block_on;
use shapes::calls;
use std::fmt::Display;

type Boxed = Box<dyn std::error::Error + Send + Sync>;

struct Point {
    x: u32,
    y: u32,
}

#[circuit_breaker(handle = patterns_breaker)]
fn patterns(
    (a, mut b): (u32, u32),
    Point { x, y: renamed }: Point,
    &c: &u32,
    [first, .., last]: [u32; 3],
    ref d: u32,
    whole @ Wrapped(inner): Wrapped,
) -> Result<u32, Rejected> {
    b += 1;
    Ok(a + b + x + renamed + c + first + last + *d + inner + whole.0)
}

#[derive(Clone, Copy)]
struct Wrapped(u32);

#[circuit_breaker(handle = unused_breaker)]
fn unused(_: String, _named: String, mut number: u32, _: &str) -> Result<u32, Rejected> {
    number += 1;
    Ok(number)
}

#[circuit_breaker(handle = async_unused_breaker)]
async fn async_unused(_: String, _named: String, mut number: u32) -> Result<u32, Rejected> {
    number += 1;
    Ok(number)
}

#[circuit_breaker(handle = borrowed_breaker)]
fn borrowed<'a>(one: &'a mut [u32], _other: &str) -> Result<&'a mut u32, Boxed> {
    Ok(&mut one[0])
}

#[circuit_breaker(handle = elided_breaker)]
fn elided(one: &mut [u32]) -> Result<impl Iterator<Item = &mut u32>, Boxed> {
    let by: usize = "0".parse()?;
    Ok(one.iter_mut().skip(by))
}

#[circuit_breaker(handle = impl_argument_breaker)]
fn impl_argument(shown: impl Display, mut also: impl FnMut(u32) -> u32) -> Result<String, Boxed> {
    Ok(format!("{shown}{}", also(1)))
}

#[circuit_breaker(handle = dyn_argument_breaker)]
fn dyn_argument(shown: &dyn Display, boxed: Box<dyn Fn(u32) -> u32>) -> Result<u32, Boxed> {
    Ok(shown.to_string().parse::<u32>()? + boxed(1))
}

#[circuit_breaker(handle = generic_breaker)]
fn generic<'a, T: Display, const N: usize, F>(items: &'a [T; N], pick: F) -> Result<&'a T, Boxed>
where
    F: for<'b> Fn(&'b [T]) -> Option<&'b T>,
{
    pick(items).ok_or_else(|| "none".into())
}

#[circuit_breaker(handle = async_generic_breaker)]
async fn async_generic<T, const N: usize>(items: &[T; N]) -> Result<&T, Boxed>
where
    [T; N]: Sized,
{
    std::future::ready(()).await;
    items.first().ok_or_else(|| "none".into())
}

#[circuit_breaker(handle = r#type_breaker)]
fn r#type(r#match: u32) -> Result<u32, Rejected> {
    Ok(r#match)
}

#[circuit_breaker(handle = early_breaker)]
fn early(number: u32) -> Result<u32, Boxed> {
    if number == 0 {
        return Ok(0);
    }
    let parsed: u32 = "x".parse()?;
    Ok(parsed)
}

#[circuit_breaker(handle = async_early_breaker)]
async fn async_early(text: &str) -> Result<u32, Boxed> {
    if text.is_empty() {
        return Err("empty".into());
    }
    let parsed = text.parse()?;
    std::future::ready(()).await;
    Ok(parsed)
}

#[circuit_breaker(handle = coerced_breaker)]
fn coerced(large: bool) -> Result<Box<dyn Display>, Boxed> {
    if large { Ok(Box::new("large")) } else { Ok(Box::new(1)) }
}

#[circuit_breaker(handle = async_coerced_breaker)]
async fn async_coerced(large: bool) -> Result<Box<dyn Display>, Boxed> {
    if large {
        return Ok(Box::new("large"));
    }
    Ok(Box::new(1))
}

#[circuit_breaker(handle = pointer_breaker)]
fn pointer() -> Result<fn(u32) -> u32, Boxed> {
    Ok(|number| number + 1)
}

#[circuit_breaker(handle = recursive_breaker)]
fn recursive(depth: u32) -> Result<u32, Rejected> {
    if depth == 0 { Ok(0) } else { Ok(recursive(depth - 1)? + 1) }
}

#[circuit_breaker(handle = async_recursive_breaker)]
async fn async_recursive(depth: u32) -> Result<u32, Rejected> {
    if depth == 0 { Ok(0) } else { Ok(Box::pin(async_recursive(depth - 1)).await? + 1) }
}

#[circuit_breaker(handle = statement_breaker, classify = |(): &()| Outcome::Success, fallback = |_| ())]
fn statement(numbers: &mut Vec<u32>) {
    numbers.push(1);
}

#[circuit_breaker(handle = endless_breaker)]
fn endless(numbers: &[u32]) -> Result<u32, Boxed> {
    let mut index = 0;
    loop {
        index += 1;
        if index == numbers.len() {
            return Ok(numbers[index - 1]);
        }
    }
}

#[circuit_breaker(handle = inner_attribute_breaker)]
fn inner_attribute() -> Result<u32, Rejected> {
    #![allow(unused_variables)]
    //! And inner documentation.
    let unused = 1;
    Ok(2)
}

#[circuit_breaker(handle = glob_breaker)]
fn glob() -> Result<u32, Rejected> {
    mod inside {
        #[derive(Clone, Copy)]
        pub(super) enum Lookup {
            Ok,
            Err,
            Result,
        }
    }
    use inside::Lookup::*;
    let _all = [Ok, Err, Result];
    std::result::Result::Ok(_all.len().try_into().unwrap())
}

#[circuit_breaker(handle = nested_breaker)]
fn nested() -> Result<u32, Rejected> {
    #[circuit_breaker(breaker = &NESTED)]
    fn inside(number: u32) -> Result<u32, Rejected> {
        Ok(number)
    }
    {
        #[circuit_breaker(breaker = &NESTED)]
        fn inside(number: u32) -> Result<u32, Rejected> {
            Ok(number * 10)
        }
        inside(1)?;
    }
    inside(1)
}

static NESTED: Breaker = Breaker::new("nested", Config::new());

#[circuit_breaker(handle = shadowing_breaker)]
fn shadowing(breaker: u32, permit: u32, rejected: u32, value: u32) -> Result<u32, Rejected> {
    let result = breaker + permit + rejected + value;
    Ok(result)
}

unsafe trait Dangerous {
    unsafe fn act(&self) -> Result<u32, Rejected>;
}

unsafe impl Dangerous for u32 {
    #[circuit_breaker(breaker = &NESTED)]
    unsafe fn act(&self) -> Result<u32, Rejected> {
        Ok(*self)
    }
}

#[circuit_breaker(handle = abi_breaker, classify = errno, fallback = |_| -1)]
extern "C" fn abi(number: i32) -> i32 {
    number
}

#[circuit_breaker(handle = unsafe_abi_breaker, classify = errno, fallback = |_| -1)]
unsafe extern "C" fn unsafe_abi(number: *const i32) -> i32 {
    unsafe { *number }
}

fn errno(number: &i32) -> Outcome {
    if *number < 0 { Outcome::Failure } else { Outcome::Success }
}

#[circuit_breaker(handle = unsafe_async_breaker)]
async unsafe fn unsafe_async(number: u32) -> Result<u32, Rejected> {
    std::future::ready(()).await;
    Ok(number)
}

#[test]
fn arguments() {
    let point = Point { x: 1, y: 1 };
    assert_eq!(patterns((1, 1), point, &1, [1, 0, 1], 1, Wrapped(1)).unwrap(), 11);
    assert_eq!(unused(String::new(), String::new(), 1, "").unwrap(), 2);
    assert_eq!(block_on(async_unused(String::new(), String::new(), 1)).unwrap(), 2);
    let mut numbers = vec![1, 2];
    *borrowed(&mut numbers, "").unwrap() = 5;
    assert_eq!(elided(&mut numbers).unwrap().map(|number| *number).sum::<u32>(), 7);
    assert_eq!(impl_argument("a", |number| number + 1).unwrap(), "a2");
    assert_eq!(dyn_argument(&1, Box::new(|number| number + 1)).unwrap(), 3);
    assert_eq!(generic(&[1, 2], |items| items.last()).unwrap(), &2);
    assert_eq!(block_on(async_generic(&[1, 2])).unwrap(), &1);
    assert_eq!(r#type(1).unwrap(), 1);
    assert_eq!(type_breaker().name(), "arguments::type");
    for breaker in [
        patterns_breaker(),
        unused_breaker(),
        async_unused_breaker(),
        borrowed_breaker(),
        elided_breaker(),
        impl_argument_breaker(),
        dyn_argument_breaker(),
        generic_breaker(),
        async_generic_breaker(),
        type_breaker(),
    ] {
        assert_eq!(calls(breaker), 1, "{}", breaker.name());
    }
}

#[test]
fn bodies() {
    assert_eq!(early(0).unwrap(), 0);
    early(1).unwrap_err();
    assert_eq!(calls(early_breaker()), 2);
    assert_eq!(early_breaker().snapshot().totals.failure, 1);
    assert_eq!(block_on(async_early("7")).unwrap(), 7);
    block_on(async_early("")).unwrap_err();
    block_on(async_early("x")).unwrap_err();
    assert_eq!(async_early_breaker().snapshot().totals.failure, 2);
    assert_eq!(coerced(true).unwrap().to_string(), "large");
    assert_eq!(block_on(async_coerced(false)).unwrap().to_string(), "1");
    assert_eq!(pointer().unwrap()(1), 2);
    assert_eq!(recursive(10).unwrap(), 10);
    assert_eq!(calls(recursive_breaker()), 11);
    assert_eq!(block_on(async_recursive(10)).unwrap(), 10);
    assert_eq!(calls(async_recursive_breaker()), 11);
    let mut numbers = vec![1];
    statement(&mut numbers);
    assert_eq!(numbers, [1, 1]);
    assert_eq!(endless(&numbers).unwrap(), 1);
    assert_eq!(inner_attribute().unwrap(), 2);
    assert_eq!(glob().unwrap(), 3);
    assert_eq!(shadowing(1, 2, 3, 4).unwrap(), 10);
    for breaker in [
        coerced_breaker(),
        async_coerced_breaker(),
        pointer_breaker(),
        statement_breaker(),
        endless_breaker(),
        inner_attribute_breaker(),
        glob_breaker(),
        shadowing_breaker(),
    ] {
        assert_eq!(calls(breaker), 1, "{}", breaker.name());
    }
}

#[test]
fn qualifiers() {
    assert_eq!(nested().unwrap(), 1);
    assert_eq!(calls(nested_breaker()), 1);
    assert_eq!(unsafe { 3_u32.act() }.unwrap(), 3);
    assert_eq!(calls(&NESTED), 3);
    assert_eq!(abi(1), 1);
    assert_eq!(unsafe { unsafe_abi(&1) }, 1);
    assert_eq!(block_on(unsafe { unsafe_async(1) }).unwrap(), 1);
    for breaker in [abi_breaker(), unsafe_abi_breaker(), unsafe_async_breaker()] {
        assert_eq!(calls(breaker), 1, "{}", breaker.name());
    }
}

mod patterns_with_generics_and_macros {
    use super::*;

    struct Pair<T>(T, T);

    #[circuit_breaker]
    fn generic_pattern<T: Default + PartialEq>(
        Pair::<T>(left, right): Pair<T>,
    ) -> Result<bool, Rejected> {
        Ok(left == right && left == T::default())
    }

    macro_rules! both {
        ($left:ident, $right:ident) => {
            ($left, $right)
        };
    }

    #[circuit_breaker]
    fn macro_pattern(both!(left, right): (u8, u8)) -> Result<u8, Rejected> {
        Ok(left + right)
    }

    #[circuit_breaker]
    fn underscored(__argument: u8, _: String, number: u8) -> Result<u8, Rejected> {
        Ok(number + __argument)
    }

    #[test]
    fn bind_what_they_bind() {
        assert!(generic_pattern(Pair(0, 0)).unwrap());
        assert_eq!(macro_pattern((1, 2)).unwrap(), 3);
        assert_eq!(underscored(1, String::new(), 2).unwrap(), 3);
    }
}
