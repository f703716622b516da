//! What lints say of the user's own code.

#![warn(missing_docs, unreachable_pub, unused, unused_qualifications)]
use breakerbox::Rejected;
#[cfg(feature = "protected")]
use breakerbox::circuit_breaker;
#[cfg(not(feature = "protected"))]
use breakerbox as _;

#[cfg_attr(feature = "protected", circuit_breaker)]
fn dead_code() -> Result<(), Rejected> {
    Ok(())
}

#[cfg_attr(feature = "protected", circuit_breaker)]
pub fn undocumented() -> Result<(), Rejected> {
    Ok(())
}

struct Private;

impl Private {
    #[cfg_attr(feature = "protected", circuit_breaker)]
    fn dead_method(&self) -> Result<(), Rejected> {
        Ok(())
    }
}

/// Documented.
///
/// # Errors
///
/// When rejected.
#[cfg_attr(feature = "protected", circuit_breaker)]
pub fn unused_variables(argument: u32, text: String, mut changed: u32) -> Result<u32, Rejected> {
    let unused = 1;
    let mut never_changed = 2;
    Ok(never_changed)
}

/// Documented.
///
/// # Errors
///
/// When rejected.
#[cfg_attr(feature = "protected", circuit_breaker)]
pub async fn unused_variables_later(argument: u32, mut changed: u32) -> Result<u32, Rejected> {
    let unused = std::future::ready(1).await;
    let mut never_changed = 2;
    Ok(never_changed)
}

/// Documented.
///
/// # Errors
///
/// When rejected.
#[cfg_attr(feature = "protected", circuit_breaker)]
pub fn unused_though_named(
    id: u32,
    text: String,
    label: u32,
    field: u32,
    path: u32,
    arm: u32,
    (left, right): (u32, u32),
) -> Result<u32, Rejected> {
    struct Named {
        field: u32,
    }
    mod path {
        pub(super) fn number() -> u32 {
            1
        }
    }
    let id = path::number();
    let named = Named { field: id };
    'label: for text in 0..3 {
        if text > 1 {
            break 'label;
        }
    }
    let right = [named.field].iter().map(|left| left + 1).sum();
    match right {
        arm => Ok(arm),
    }
}

/// Documented.
///
/// # Errors
///
/// When rejected.
#[cfg_attr(feature = "protected", circuit_breaker)]
pub async fn unused_though_named_later(id: u32, text: String) -> Result<u32, Rejected> {
    let id = std::future::ready(1).await;
    Ok([id].iter().map(|text| text + 1).sum())
}

/// Documented.
#[cfg_attr(feature = "protected", circuit_breaker)]
pub fn unused_in_future(
    id: u32,
    text: String,
) -> impl std::future::Future<Output = Result<u32, Rejected>> {
    let id = std::future::ready(Ok(1));
    id
}

/// Documented.
///
/// # Errors
///
/// When rejected.
#[cfg_attr(feature = "protected", circuit_breaker)]
pub fn overwritten(read: u32, never_read: u32) -> Result<u32, Rejected> {
    let mut read = read;
    read = 5;
    let never_read = read;
    Ok(never_read)
}

/// Documented.
///
/// # Errors
///
/// When rejected.
#[cfg_attr(feature = "protected", circuit_breaker)]
pub fn overwritten_by_pattern(mut number: u32, mut other: String) -> Result<usize, Rejected> {
    (number, other) = (5, String::new());
    Ok(other.len() + number as usize)
}

/// Dropped, and then reads its fields.
pub struct Guard {
    armed: bool,
}

impl Drop for Guard {
    fn drop(&mut self) {
        drop(self.armed);
    }
}

impl Guard {
    /// Documented.
    ///
    /// # Errors
    ///
    /// When rejected.
    #[cfg_attr(feature = "protected", circuit_breaker)]
    pub fn disarm(mut self, unused: String) -> Result<(), Rejected> {
        self.armed = false;
        Ok(())
    }
}

/// Documented.
///
/// # Errors
///
/// When rejected.
#[cfg_attr(feature = "protected", circuit_breaker)]
pub async fn commit(mut guard: Guard, unused: Guard) -> Result<(), Rejected> {
    std::future::ready(()).await;
    guard.armed = false;
    Ok(())
}

/// Documented.
///
/// # Errors
///
/// When rejected.
#[cfg_attr(feature = "protected", circuit_breaker)]
pub fn unused_part(mut guard: Guard, mut other: Guard) -> Result<u32, Rejected> {
    let unused = 1;
    other.armed = guard.armed;
    Ok(2)
}

/// Documented.
///
/// # Errors
///
/// When rejected.
#[cfg_attr(feature = "protected", circuit_breaker)]
pub fn unused_results() -> Result<u32, Rejected> {
    dead_or_not();
    vec![1].iter().map(|number| number + 1);
    std::future::ready(1);
    Ok(1)
}

fn dead_or_not() -> Result<(), Rejected> {
    Ok(())
}

/// Documented.
///
/// # Errors
///
/// When rejected.
#[cfg_attr(feature = "protected", circuit_breaker)]
pub fn unreachable(number: u32) -> Result<u32, Rejected> {
    return Ok(number);
    let after = 1;
    Ok(after)
}

/// Documented.
///
/// # Errors
///
/// When rejected.
#[cfg_attr(feature = "protected", circuit_breaker)]
pub async fn unreachable_later(number: u32) -> Result<u32, Rejected> {
    std::future::ready(()).await;
    loop {
        if number > 1 {
            return Ok(number);
            dead_or_not()?;
        }
    }
}

/// Documented.
///
/// # Errors
///
/// When rejected.
#[cfg_attr(feature = "protected", circuit_breaker)]
pub fn assigned(number: u32) -> Result<u32, Rejected> {
    let mut value = 1;
    value = number;
    Ok(value)
}

/// Documented.
///
/// # Errors
///
/// When rejected.
#[cfg_attr(feature = "protected", circuit_breaker)]
pub fn inner_items(number: u32) -> Result<u32, Rejected> {
    use std::fmt::Debug;
    fn inner() {}
    const UNUSED: u32 = 5;
    Ok(number)
}

/// Documented.
///
/// # Errors
///
/// When rejected.
#[cfg_attr(feature = "protected", circuit_breaker)]
pub fn clippy(numbers: &Vec<u32>, text: String) -> Result<u32, Rejected> {
    let length = numbers.len() == 0;
    if length == true {
        return Ok(text.len() as u32);
    }
    let braces = { 1 };
    match numbers.get(0) {
        Some(first) => return Ok(first.clone() + braces),
        None => {}
    }
    return Ok(1);
}

/// Documented.
#[cfg_attr(feature = "protected", circuit_breaker)]
pub fn errors_undocumented() -> Result<u32, Rejected> {
    Ok(1)
}

/// Documented.
///
/// # Errors
///
/// When rejected.
#[cfg_attr(feature = "protected", circuit_breaker)]
pub fn qualified() -> std::result::Result<u32, breakerbox::Rejected> {
    let parens = (1);
    Ok(parens)
}

/// Documented.
///
/// # Errors
///
/// When rejected.
#[deprecated]
#[cfg_attr(feature = "protected", circuit_breaker)]
pub fn deprecated() -> Result<u32, Rejected> {
    Ok(1)
}

/// Documented.
///
/// # Errors
///
/// When rejected.
#[cfg_attr(feature = "protected", circuit_breaker)]
pub fn calls_deprecated() -> Result<u32, Rejected> {
    deprecated()
}
