//! A permit that owns its breaker, since the future of a service may borrow nothing.

use crate::guard::drive;
use crate::outcome::Outcome;
use crate::panel::BreakerRef;
use crate::permit::{Detached, Dropped, Permit};
use crate::rejected::Rejected;
use std::task::Poll;

pub(super) struct Lease {
    breaker: BreakerRef,
    /// Missing only while user code runs: if that unwinds, the permit that was made of it is dropped.
    permit: Option<Detached>,
}

impl Lease {
    pub(super) fn acquire(breaker: BreakerRef) -> Result<Self, Rejected> {
        let mut permit = breaker.admit()?;
        permit.when_dropped(Dropped::Cancelled);
        let permit = Some(permit.detach());
        Ok(Self { breaker, permit })
    }

    /// Runs user code that begins the call: if it unwinds, the call failed.
    pub(super) fn begin<T>(&mut self, body: impl FnOnce() -> T) -> T {
        self.attached(|permit| {
            permit.when_dropped(Dropped::Panicked);
            let begun = body();
            permit.when_dropped(Dropped::Cancelled);
            begun
        })
    }

    /// Polls user code, and has it judged when it is done.
    pub(super) fn drive<T>(
        &mut self,
        poll: impl FnOnce() -> Poll<T>,
        judge: impl FnOnce(&T) -> Outcome,
    ) -> Poll<T> {
        self.attached(|permit| drive(permit, poll, |value| Some(judge(value))))
    }

    fn attached<T>(&mut self, work: impl FnOnce(&mut Permit<'_>) -> T) -> T {
        let detached = self.permit.take().unwrap_or_else(|| panic!("polled after it panicked"));
        let mut permit = Permit::attach(&self.breaker, detached);
        let done = work(&mut permit);
        self.permit = Some(permit.detach());
        done
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if let Some(detached) = self.permit.take() {
            drop(Permit::attach(&self.breaker, detached));
        }
    }
}
