//! What clippy says of how functions are written.

#![warn(clippy::pedantic, clippy::nursery)]
use breakerbox::Rejected;
#[cfg(feature = "protected")]
use breakerbox::circuit_breaker;
#[cfg(not(feature = "protected"))]
use breakerbox as _;
use std::future::{Future, ready};
use std::rc::Rc;

#[cfg_attr(feature = "protected", circuit_breaker)]
fn needless_return(number: u32) -> Result<u32, Rejected> {
    return Ok(number);
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn needless_return_in_branches(number: u32) -> Result<u32, Rejected> {
    if number > 1 {
        return Ok(number);
    } else {
        return Ok(2);
    }
}

#[cfg_attr(feature = "protected", circuit_breaker)]
async fn needless_return_later(number: u32) -> Result<u32, Rejected> {
    ready(()).await;
    return Ok(number);
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn ptr_arg(numbers: &Vec<u32>, text: &String) -> Result<usize, Rejected> {
    Ok(numbers.len() + text.len())
}

#[cfg_attr(feature = "protected", circuit_breaker)]
async fn ptr_arg_later(numbers: &Vec<u32>, text: &String) -> Result<usize, Rejected> {
    ready(()).await;
    Ok(numbers.len() + text.len())
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn only_used_in_recursion(left: u32, handed_on: u32) -> Result<u32, Rejected> {
    if left == 0 { Ok(1) } else { only_used_in_recursion(left - 1, handed_on) }
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn let_and_return(number: u32) -> Result<u32, Rejected> {
    let result = Ok(number);
    result
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn by_reference(number: &u32, flag: &bool) -> Result<u32, Rejected> {
    if *flag { Ok(*number) } else { Ok(2) }
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn redundant_clone(text: String) -> Result<String, Rejected> {
    Ok(text.clone())
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn items_after_statements(number: u32) -> Result<u32, Rejected> {
    let same = number;
    fn inner() {}
    inner();
    Ok(same)
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn single_match(number: Option<u32>) -> Result<u32, Rejected> {
    match number {
        Some(number) => println!("{number}"),
        _ => {}
    }
    let late;
    late = 1;
    Ok(late)
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn question_mark(result: Result<u32, Rejected>) -> Result<u32, Rejected> {
    let number = match result {
        Ok(number) => number,
        Err(rejected) => return Err(rejected),
    };
    Ok(number)
}

#[cfg_attr(feature = "protected", circuit_breaker)]
async fn not_send(number: Rc<u32>) -> Result<u32, Rejected> {
    ready(()).await;
    Ok(*number)
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn manual_async(number: u32) -> impl Future<Output = Result<u32, Rejected>> {
    async move { Ok(number) }
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn question_mark_at_the_end(text: &str) -> Result<u32, Rejected> {
    Ok(needless_return(text.len() as u32)?)
}

struct Numbers(Vec<u32>);

impl Numbers {
    #[cfg_attr(feature = "protected", circuit_breaker)]
    fn unused_self(&self, number: u32) -> Result<u32, Rejected> {
        Ok(number)
    }

    #[cfg_attr(feature = "protected", circuit_breaker)]
    fn use_self(&self) -> Result<Numbers, Rejected> {
        Ok(Numbers(self.0.clone()))
    }
}

// From here on, lints that the attribute makes pointless, or hides; the documentation lists them.

#[cfg_attr(feature = "protected", circuit_breaker)]
fn unnecessary_wraps(number: u32) -> Result<u32, Rejected> {
    Ok(number + 1)
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn unconditional_recursion(number: u32) -> Result<u32, Rejected> {
    unconditional_recursion(number + 1)
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn needless_pass_by_value(numbers: Vec<u32>) -> Result<usize, Rejected> {
    Ok(numbers.len())
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn needless_pass_by_ref_mut(numbers: &mut [u32]) -> Result<usize, Rejected> {
    Ok(numbers.len())
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn boxed_local(number: Box<u32>) -> Result<u32, Rejected> {
    Ok(*number)
}

#[cfg_attr(feature = "protected", circuit_breaker)]
async fn unused_async(number: u32) -> Result<u32, Rejected> {
    Ok(number)
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn needless_lifetimes<'a>(text: &'a str) -> Result<&'a str, Rejected> {
    Ok(text)
}

#[cfg_attr(feature = "protected", circuit_breaker)]
async fn needless_question_mark(result: Result<u32, Rejected>) -> Result<u32, Rejected> {
    Ok(result?)
}

fn main() {}
