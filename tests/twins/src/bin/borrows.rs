//! What the borrow checker refuses.

use breakerbox::Rejected;
#[cfg(feature = "protected")]
use breakerbox::circuit_breaker;
#[cfg(not(feature = "protected"))]
use breakerbox as _;

#[cfg_attr(feature = "protected", circuit_breaker)]
fn moved_twice(text: String) -> Result<String, Rejected> {
    drop(text);
    Ok(text)
}

#[cfg_attr(feature = "protected", circuit_breaker)]
async fn moved_twice_later(text: String) -> Result<String, Rejected> {
    std::future::ready(text).await;
    Ok(text)
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn borrowed_twice(numbers: &mut Vec<u32>) -> Result<u32, Rejected> {
    let first = &mut numbers[0];
    numbers.push(1);
    *first += 1;
    Ok(1)
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn not_mutable(numbers: Vec<u32>) -> Result<u32, Rejected> {
    numbers.push(1);
    Ok(1)
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn behind_reference(numbers: &Vec<u32>) -> Result<u32, Rejected> {
    numbers.push(1);
    Ok(1)
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn local_returned<'a>() -> Result<&'a str, Rejected> {
    let text = String::new();
    Ok(&text)
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn argument_returned(text: String) -> Result<&'static str, Rejected> {
    Ok(text.as_str())
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn lifetime<'a, 'b>(one: &'a str, other: &'b str) -> Result<&'a str, Rejected> {
    if one.is_empty() {
        return Ok(other);
    }
    Ok(one)
}

#[cfg_attr(feature = "protected", circuit_breaker)]
async fn lifetime_later<'a, 'b>(one: &'a str, other: &'b str) -> Result<&'a str, Rejected> {
    Ok(other)
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn too_short(number: &u32) -> Result<Box<dyn Fn() -> u32>, Rejected> {
    let _unused = 1;
    Ok(Box::new(move || *number))
}

#[cfg_attr(feature = "protected", circuit_breaker)]
async fn too_short_later(number: &u32) -> Result<Box<dyn Fn() -> u32>, Rejected> {
    Ok(Box::new(move || *number))
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn not_static(texts: &[String], text: &str) -> Result<&'static str, Rejected> {
    for text in texts {
        drop(text.len());
    }
    Ok(text)
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn not_static_generic<T: Fn() -> u32>(value: T) -> Result<Box<dyn Fn() -> u32>, Rejected> {
    Ok(Box::new(value))
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn pushed_too_short<'a>(texts: &mut Vec<&'static str>, text: &'a str) -> Result<(), Rejected> {
    texts.push(text);
    Ok(())
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn future_too_short(number: &u32) -> impl Future<Output = Result<u32, Rejected>> + 'static {
    async move { Ok(*number) }
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn unassigned() -> Result<u32, Rejected> {
    let number: u32;
    Ok(number)
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn assigned_twice(number: u32) -> Result<u32, Rejected> {
    number = 5;
    Ok(number)
}

fn main() {}
