//! An enum of one's own, derived with `thiserror`, as the error type.

use breakerbox::{Breaker, Config, Outcome, Rejected, circuit_breaker, classify};
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

/// As the guide warns: `transparent` names the source of the error that it holds, and not that error.
#[test]
fn what_a_variant_holds_is_found_where_it_has_a_message_and_not_where_it_is_transparent() {
    #[derive(Debug, Error)]
    enum Transparent {
        #[error(transparent)]
        Failed(#[from] io::Error),
        #[error(transparent)]
        NotCalled(#[from] Rejected),
    }

    let rejected = || {
        let breaker = Breaker::new("by_hand", Config::new());
        breaker.force_open();
        breaker.acquire().map(drop).expect_err("forced open")
    };
    let mistake = || io::Error::from(io::ErrorKind::InvalidInput);
    let judged = |error: ChargeError| classify::io(&Err::<(), _>(error));
    assert!(Rejected::find_in(&ChargeError::from(rejected())).is_some());
    assert_eq!(judged(rejected().into()), Outcome::Ignored);
    assert_eq!(judged(mistake().into()), Outcome::Ignored);

    let judged = |error: Transparent| classify::io(&Err::<(), _>(error));
    assert!(Rejected::find_in(&Transparent::from(rejected())).is_none());
    assert_eq!(judged(rejected().into()), Outcome::Failure);
    assert_eq!(judged(mistake().into()), Outcome::Failure);
}
