//! `Box<dyn Error + Send + Sync>` as the error type.

use breakerbox::{Rejected, circuit_breaker};
use errors::{Remote, on_futures, on_tokio, outage};
use std::error::Error;

type BoxError = Box<dyn Error + Send + Sync>;

#[circuit_breaker(threshold = 3)]
fn charge(remote: &Remote) -> Result<u32, BoxError> {
    Ok(remote.ask()?)
}

#[circuit_breaker(threshold = 3)]
async fn charge_async(remote: &Remote) -> Result<u32, BoxError> {
    Ok(remote.ask_async().await?)
}

fn rejected(error: &BoxError) -> Option<&Rejected> {
    error.downcast_ref()
}

#[test]
fn sync() {
    outage(charge, rejected);
}

#[test]
fn under_futures() {
    outage(|remote| on_futures(charge_async(remote)), rejected);
}

#[test]
fn under_tokio() {
    outage(|remote| on_tokio(charge_async(remote)), rejected);
}
