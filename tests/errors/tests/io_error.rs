//! `std::io::Error` as the error type; its `From<Rejected>` comes with the breaker.

use breakerbox::{Rejected, circuit_breaker};
use errors::{Remote, on_futures, on_tokio, outage};
use std::io;

#[circuit_breaker(threshold = 3)]
fn charge(remote: &Remote) -> io::Result<u32> {
    remote.ask()
}

#[circuit_breaker(threshold = 3)]
async fn charge_async(remote: &Remote) -> io::Result<u32> {
    remote.ask_async().await
}

fn rejected(error: &io::Error) -> Option<&Rejected> {
    error.get_ref()?.downcast_ref()
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
