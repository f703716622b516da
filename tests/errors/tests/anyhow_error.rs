//! `anyhow::Error` as the error type.

use anyhow::Context;
use breakerbox::{Rejected, circuit_breaker};
use errors::{Remote, on_futures, on_tokio, outage};

#[circuit_breaker(threshold = 3)]
fn charge(remote: &Remote) -> anyhow::Result<u32> {
    let receipt = remote.ask().context("the payment service")?;
    Ok(receipt)
}

#[circuit_breaker(threshold = 3)]
async fn charge_async(remote: &Remote) -> anyhow::Result<u32> {
    let receipt = remote.ask_async().await.context("the payment service")?;
    Ok(receipt)
}

fn rejected(error: &anyhow::Error) -> Option<&Rejected> {
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
