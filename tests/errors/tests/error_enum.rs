//! An enum of one's own, derived with `thiserror`, as the error type.

use breakerbox::{Rejected, circuit_breaker};
use errors::{Remote, on_futures, on_tokio, outage};
use std::io;
use thiserror::Error;

#[derive(Debug, Error)]
enum ChargeError {
    #[error("the payment service failed")]
    Failed(#[from] io::Error),
    #[error("no call was made")]
    NotCalled(#[from] Rejected),
}

#[circuit_breaker(threshold = 3)]
fn charge(remote: &Remote) -> Result<u32, ChargeError> {
    Ok(remote.ask()?)
}

#[circuit_breaker(threshold = 3)]
async fn charge_async(remote: &Remote) -> Result<u32, ChargeError> {
    Ok(remote.ask_async().await?)
}

fn rejected(error: &ChargeError) -> Option<&Rejected> {
    match error {
        ChargeError::Failed(_) => None,
        ChargeError::NotCalled(rejected) => Some(rejected),
    }
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
