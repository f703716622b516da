//! Beside other attributes.

#![allow(clippy::double_must_use, clippy::non_minimal_cfg, reason = "unusual shapes are the point")]

use breakerbox::{Rejected, circuit_breaker};
use futures::executor::block_on;
use shapes::calls;

#[inline]
#[circuit_breaker(handle = inlined_breaker)]
#[must_use]
fn inlined(number: u32) -> Result<u32, Rejected> {
    Ok(number)
}

/// Documented.
#[circuit_breaker(handle = tracked_breaker)]
#[track_caller]
fn tracked() -> Result<u32, Rejected> {
    Ok(std::panic::Location::caller().line())
}

#[cfg_attr(all(), circuit_breaker(handle = conditional_breaker))]
fn conditional() -> Result<u32, Rejected> {
    Ok(1)
}

#[cfg_attr(any(), circuit_breaker(handle = absent_breaker))]
fn unconditional() -> Result<u32, Rejected> {
    Ok(1)
}

#[circuit_breaker(handle = removed_breaker)]
#[cfg(any())]
fn removed() -> Result<u32, Missing> {
    Ok(1)
}

#[circuit_breaker(handle = parameters_breaker)]
fn parameters(
    number: u32,
    #[cfg(any())] absent: Missing,
    #[cfg(all())] present: String,
) -> Result<u32, Rejected> {
    let _ = &present;
    Ok(number)
}

#[tracing::instrument]
#[circuit_breaker(handle = outside_breaker)]
async fn outside(number: u32) -> Result<u32, Rejected> {
    std::future::ready(()).await;
    Ok(number)
}

#[circuit_breaker(handle = inside_breaker)]
#[tracing::instrument(err)]
async fn inside(number: u32) -> Result<u32, Rejected> {
    std::future::ready(()).await;
    Ok(number)
}

#[tracing::instrument(skip_all, ret)]
#[circuit_breaker(handle = sync_outside_breaker)]
fn sync_outside(number: u32) -> Result<u32, Rejected> {
    Ok(number)
}

#[circuit_breaker(handle = sync_inside_breaker)]
#[tracing::instrument(skip_all, ret)]
fn sync_inside(number: u32) -> Result<u32, Rejected> {
    Ok(number)
}

#[tokio::test]
#[circuit_breaker]
async fn under_tokio_test() -> Result<(), Rejected> {
    tokio::task::yield_now().await;
    Ok(())
}

#[circuit_breaker]
#[tokio::test]
async fn above_tokio_test() -> Result<(), Rejected> {
    tokio::task::yield_now().await;
    Ok(())
}

#[test]
#[circuit_breaker]
fn under_test() -> Result<(), Rejected> {
    Ok(())
}

#[test]
fn beside_other_attributes() {
    assert_eq!(inlined(1).unwrap(), 1);
    tracked().unwrap();
    assert_eq!(conditional().unwrap() + unconditional().unwrap(), 2);
    assert_eq!(parameters(1, String::new()).unwrap(), 1);
    assert_eq!(block_on(outside(1)).unwrap(), 1);
    assert_eq!(block_on(inside(1)).unwrap(), 1);
    assert_eq!(sync_outside(1).unwrap(), 1);
    assert_eq!(sync_inside(1).unwrap(), 1);
    for breaker in [
        inlined_breaker(),
        tracked_breaker(),
        conditional_breaker(),
        parameters_breaker(),
        outside_breaker(),
        inside_breaker(),
        sync_outside_breaker(),
        sync_inside_breaker(),
    ] {
        assert_eq!(calls(breaker), 1, "{}", breaker.name());
    }
}
