//! Names that do not exist.

use breakerbox::Rejected;
#[cfg(feature = "protected")]
use breakerbox::circuit_breaker;
#[cfg(not(feature = "protected"))]
use breakerbox as _;

#[cfg_attr(feature = "protected", circuit_breaker)]
fn value() -> Result<u32, Rejected> {
    Ok(missing)
}

#[cfg_attr(feature = "protected", circuit_breaker)]
async fn function() -> Result<u32, Rejected> {
    missing().await
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn argument_type(argument: Missing) -> Result<u32, Rejected> {
    Ok(1)
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn return_type() -> Result<Missing, Rejected> {
    Ok(1)
}

#[cfg_attr(feature = "protected", circuit_breaker)]
async fn return_type_later() -> Result<u32, Missing> {
    Ok(1)
}

#[cfg_attr(feature = "protected", circuit_breaker)]
fn hidden_locals() -> Result<u32, Rejected> {
    let _ = (permit, breaker, rejected);
    Ok(__BREAKER)
}

fn main() {}
