//! Types that do not fit.

use breakerbox::Rejected;
#[cfg(feature = "protected")]
use breakerbox::circuit_breaker;
#[cfg(not(feature = "protected"))]
use breakerbox as _;

type Boxed = Box<dyn std::error::Error>;

#[cfg_attr(feature = "protected", circuit_breaker)]
fn tail() -> Result<u32, Rejected> {
    Ok("text")
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn future_for_value() -> Result<u32, Rejected> {
    async move { Ok(1) }
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn not_boxed() -> std::pin::Pin<Box<dyn Future<Output = Result<u32, Rejected>>>> {
    async move { Ok(1) }
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn not_wrapped() -> Result<u32, Rejected> {
    5
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn no_tail() -> Result<u32, Rejected> {
    Ok::<u32, Rejected>(1);
}

#[cfg_attr(feature = "protected", circuit_breaker)]
async fn no_tail_later() -> Result<u32, Rejected> {
    Ok::<u32, Rejected>(1);
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn no_else(number: u32) -> Result<u32, Rejected> {
    if number > 1 {
        return Ok(2);
    }
}

#[cfg_attr(feature = "protected", circuit_breaker)]
async fn no_end_later(number: u32) -> Result<u32, Rejected> {
    while number > 1 {
        return Ok(2);
    }
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn nothing_in_body(number: u32) -> Result<impl Copy, Rejected> {}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn early() -> Result<u32, Rejected> {
    if true {
        return Ok("text");
    }
    Ok(1)
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn question_mark() -> Result<u32, Rejected> {
    let number: u32 = "5".parse()?;
    Ok(number)
}

#[cfg_attr(feature = "protected", circuit_breaker)]
async fn tail_later() -> Result<u32, Rejected> {
    std::future::ready(()).await;
    Ok("text")
}

#[cfg_attr(feature = "protected", circuit_breaker)]
async fn not_wrapped_later() -> Result<u32, Rejected> {
    5
}

#[cfg_attr(feature = "protected", circuit_breaker)]
async fn early_later() -> Result<u32, Boxed> {
    if true {
        return Ok("text");
    }
    Ok(1)
}

#[cfg_attr(feature = "protected", circuit_breaker)]
async fn question_mark_later() -> Result<u32, Rejected> {
    let number: u32 = "5".parse()?;
    Ok(number)
}

#[cfg_attr(feature = "protected", circuit_breaker)]
async fn await_of_no_future() -> Result<u32, Rejected> {
    let number = 5.await;
    Ok(number)
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn await_in_sync() -> Result<u32, Rejected> {
    std::future::ready(Ok(5)).await
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn method(text: &str) -> Result<u32, Rejected> {
    text.missing();
    Ok(1)
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn trait_bound<T>(value: T) -> Result<T, Rejected> {
    Ok(value.clone())
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn inference() -> Result<u32, Boxed> {
    let list = Vec::new();
    Ok(1)
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn unsafe_call() -> Result<u32, Rejected> {
    Ok(String::from_utf8_unchecked(Vec::new()).len())
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn break_outside() -> Result<u32, Rejected> {
    break;
    Ok(1)
}

fn main() {}
