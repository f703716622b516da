//! Async functions, and functions that return futures.

use breakerbox::{Rejected, circuit_breaker};
use std::error::Error;
use std::fmt::Display;
use std::future::{Future, ready};
use std::pin::Pin;

type Boxed = Box<dyn Error + Send + Sync>;

#[rustfmt::skip]
#[circuit_breaker]
async fn one_line(number: u32) -> Result<u32, Rejected> {
    Ok(ready(number).await)
}

#[circuit_breaker]
async fn statements(numbers: &mut Vec<u32>) -> Result<u32, Boxed> {
    let mut sum = 0;
    for number in numbers.iter() {
        sum += ready(*number).await;
    }
    numbers.push(sum);
    Ok(sum)
}

#[circuit_breaker]
async fn early_return(number: u32) -> Result<u32, Boxed> {
    if ready(number).await == 0 {
        return Err("zero".into());
    }
    Ok(number)
}

#[circuit_breaker]
async fn question_mark(text: &str) -> Result<u32, Boxed> {
    let number: u32 = text.parse()?;
    Ok(ready(number).await)
}

#[circuit_breaker]
async fn pattern((left, right): (u32, u32)) -> Result<u32, Rejected> {
    Ok(left + ready(right).await)
}

#[circuit_breaker]
async fn unused_on_purpose(_: u32, _named: &str, _text: String) -> Result<(), Rejected> {
    ready(()).await;
    Ok(())
}

#[circuit_breaker]
async fn changed(mut number: u32) -> Result<u32, Rejected> {
    number += ready(1).await;
    Ok(number)
}

#[circuit_breaker]
async fn complex(
    number: u32,
) -> Result<Vec<Box<dyn Fn(&str, Option<Vec<u8>>) -> Result<Vec<String>, Boxed>>>, Boxed> {
    let _: u32 = ready(number).await;
    Ok(vec![])
}

#[circuit_breaker]
async fn generic<T: Display + Sync + ?Sized>(shown: &T) -> Result<usize, Boxed> {
    ready(()).await;
    Ok(shown.to_string().len())
}

#[circuit_breaker]
async fn coerced(number: u32) -> Result<Box<dyn Display + Send>, Boxed> {
    if ready(number).await > 1 {
        return Ok(Box::new(number));
    }
    Ok(Box::new("few"))
}

#[circuit_breaker]
async fn forever(numbers: &mut Vec<u32>) -> Result<u32, Boxed> {
    loop {
        if let Some(number) = numbers.pop() {
            return Ok(ready(number).await);
        }
        numbers.push(1);
    }
}

#[circuit_breaker]
async fn recursive(number: u32) -> Result<u32, Rejected> {
    if number == 0 { Ok(0) } else { Box::pin(recursive(number - 1)).await }
}

#[circuit_breaker]
fn opaque(number: u32) -> impl Future<Output = Result<u32, Rejected>> + Send {
    ready(Ok(number))
}

#[circuit_breaker]
fn boxed(text: &str) -> Pin<Box<dyn Future<Output = Result<usize, Rejected>> + Send + '_>> {
    let length = text.len();
    Box::pin(async move { Ok(ready(length).await) })
}

#[circuit_breaker]
fn boxed_elsewhere(number: u32) -> Pin<Box<dyn Future<Output = Result<u32, Rejected>> + Send>> {
    Box::pin(ready(Ok(number)))
}

#[circuit_breaker(fallback = async |_| 5, classify = |_| breakerbox::Outcome::Success)]
async fn no_result(number: u32) -> u32 {
    ready(number).await
}

#[circuit_breaker(timeout = "2s")]
async fn limited(number: u32) -> Result<u32, Rejected> {
    Ok(ready(number).await)
}

/// Public, and no `async` block, of which clippy would want to know the errors.
#[circuit_breaker]
pub fn made_elsewhere(number: u32) -> impl Future<Output = Result<u32, Rejected>> {
    recursive(number)
}

/// Public, documented.
///
/// # Errors
///
/// When rejected.
#[circuit_breaker]
pub async fn documented(numbers: &mut Vec<u32>) -> Result<usize, Boxed> {
    let _: u32 = one_line(1).await? + statements(numbers).await? + early_return(1).await?;
    let _: u32 = question_mark("1").await? + pattern((1, 2)).await? + changed(1).await?;
    drop(complex(1).await?);
    unused_on_purpose(1, "", String::new()).await?;
    let _: usize = generic("a").await? + coerced(1).await?.to_string().len();
    let _: u32 = forever(numbers).await? + recursive(1).await? + opaque(1).await?;
    let _: usize = boxed("a").await?;
    let _: u32 = boxed_elsewhere(1).await? + no_result(1).await + limited(1).await?;
    Ok(numbers.len())
}
