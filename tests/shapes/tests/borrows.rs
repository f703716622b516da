//! Borrowed arguments are given back when they would be without the attribute. Compiling is the test.

use breakerbox::{Rejected, circuit_breaker};
use futures::executor::block_on;

#[circuit_breaker]
fn change(numbers: &mut Vec<u32>, _name: &str) -> Result<usize, Rejected> {
    numbers.push(1);
    Ok(numbers.len())
}

#[circuit_breaker]
fn one_of_two<'a>(numbers: &'a mut Vec<u32>, name: &mut String) -> Result<&'a u32, Rejected> {
    name.push('!');
    numbers.push(1);
    Ok(&numbers[0])
}

#[circuit_breaker]
async fn change_later(numbers: &mut Vec<u32>, name: &mut String) -> Result<usize, Rejected> {
    std::future::ready(()).await;
    name.push('!');
    numbers.push(1);
    Ok(numbers.len())
}

#[circuit_breaker]
async fn one_of_two_later<'a>(numbers: &'a [u32], name: &str) -> Result<&'a u32, Rejected> {
    std::future::ready(name).await;
    Ok(&numbers[0])
}

#[circuit_breaker(fallback = |_| { numbers.push(100); Ok(numbers) })]
fn handed_back(numbers: &mut Vec<u32>) -> Result<&mut Vec<u32>, Rejected> {
    numbers.push(1);
    Ok(numbers)
}

#[test]
fn end_where_they_should() {
    let (mut numbers, mut name) = (Vec::new(), String::new());
    let length = change(&mut numbers, &name.clone());
    numbers.push(2);
    assert_eq!(length.unwrap(), 1);

    let first = one_of_two(&mut numbers, &mut name);
    name.push('?');
    assert_eq!((first.unwrap(), name.as_str()), (&1, "!?"));

    let never_polled = change_later(&mut numbers, &mut name);
    drop(never_polled);
    numbers.push(3);
    let length = block_on(change_later(&mut numbers, &mut name));
    numbers.push(4);
    assert_eq!((length.unwrap(), name.as_str()), (5, "!?!"));

    let first = {
        let short_lived = String::new();
        block_on(one_of_two_later(&numbers, &short_lived))
    };
    assert_eq!(first.unwrap(), &1);

    handed_back(&mut numbers).unwrap().push(5);
    assert_eq!(numbers.len(), 8);
}
