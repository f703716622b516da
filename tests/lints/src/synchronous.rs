//! Sync functions.

use breakerbox::{Rejected, circuit_breaker};
use std::error::Error;
use std::fmt::Display;

type Boxed = Box<dyn Error + Send + Sync>;

#[rustfmt::skip]
#[circuit_breaker]
fn one_line(number: u32) -> Result<u32, Rejected> {
    Ok(number)
}

#[circuit_breaker]
fn one_expression() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker]
fn statements(numbers: &mut Vec<u32>) -> Result<u32, Boxed> {
    let mut sum = 0;
    for number in numbers.iter() {
        sum += number;
    }
    numbers.push(sum);
    Ok(sum)
}

#[circuit_breaker]
fn early_return(number: u32) -> Result<u32, Boxed> {
    if number == 0 {
        return Err("zero".into());
    }
    Ok(number)
}

#[circuit_breaker]
fn question_mark(text: &str) -> Result<u32, Boxed> {
    let number: u32 = text.parse()?;
    Ok(number)
}

#[circuit_breaker]
fn pattern((left, right): (u32, u32), [first, ..]: [u32; 3]) -> Result<u32, Rejected> {
    Ok(left + right + first)
}

#[circuit_breaker]
fn unused_on_purpose(_: u32, _named: &str, _text: String) -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker]
fn changed(mut number: u32) -> Result<u32, Rejected> {
    number += 1;
    Ok(number)
}

#[circuit_breaker]
fn generic<T: Display + ?Sized, const N: usize>(shown: &T, count: [u8; N]) -> Result<usize, Boxed> {
    Ok(shown.to_string().len() + count.len())
}

#[circuit_breaker]
fn opaque(numbers: &[u32]) -> Result<impl Iterator<Item = &u32>, Rejected> {
    Ok(numbers.iter())
}

#[circuit_breaker]
fn opaque_argument(shown: impl Display) -> Result<String, Rejected> {
    Ok(shown.to_string())
}

#[circuit_breaker]
fn coerced(number: u32) -> Result<Box<dyn Display>, Boxed> {
    if number > 1 {
        return Ok(Box::new(number));
    }
    Ok(Box::new("few"))
}

#[circuit_breaker]
fn matched(number: Option<u32>) -> Result<u32, Boxed> {
    match number {
        Some(found) if found > 0 => Ok(found),
        Some(_) | None => Err("none".into()),
    }
}

#[circuit_breaker]
fn looped(numbers: &[u32]) -> Result<u32, Boxed> {
    for number in numbers {
        if *number > 5 {
            return Ok(*number);
        }
    }
    Err("none".into())
}

#[circuit_breaker]
fn forever(numbers: &mut Vec<u32>) -> Result<u32, Boxed> {
    loop {
        if let Some(number) = numbers.pop() {
            return Ok(number);
        }
        numbers.push(1);
    }
}

#[circuit_breaker]
fn blocks() -> Result<u32, Rejected> {
    let number = {
        let inner = 1;
        inner + 1
    };
    Ok(number)
}

#[circuit_breaker]
fn inner_attribute() -> Result<u32, Rejected> {
    #![expect(unused_mut, reason = "to have one")]
    let mut number = 2;
    Ok(number)
}

#[circuit_breaker]
fn recursive(number: u32) -> Result<u32, Rejected> {
    if number == 0 { Ok(0) } else { recursive(number - 1) }
}

#[circuit_breaker(fallback = |_| 5, classify = |_| breakerbox::Outcome::Success)]
fn no_result(number: u32) -> u32 {
    number
}

#[circuit_breaker(fallback = |_| (), classify = |()| breakerbox::Outcome::Success)]
fn nothing(numbers: &mut Vec<u32>) {
    numbers.push(1);
}

/// Public, documented.
///
/// # Errors
///
/// When rejected.
#[circuit_breaker]
pub fn documented(numbers: &mut Vec<u32>) -> Result<usize, Boxed> {
    let _: u32 = one_line(1)?;
    one_expression()?;
    let _: u32 = statements(numbers)? + early_return(1)? + question_mark("1")?;
    let _: u32 = pattern((1, 2), [1, 2, 3])? + changed(1)? + matched(Some(1))? + looped(numbers)?;
    unused_on_purpose(1, "", String::new())?;
    let _: usize = generic("a", [1])? + opaque(numbers)?.count() + opaque_argument(1)?.len();
    let shown = coerced(1)?.to_string();
    numbers.push(u32::from(shown == "1"));
    let _: u32 = forever(numbers)? + blocks()? + inner_attribute()? + recursive(2)? + no_result(1);
    nothing(numbers);
    Ok(numbers.len())
}
