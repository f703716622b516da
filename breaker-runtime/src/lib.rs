//! The circuit breaker behind [`breakerbox`](https://docs.rs/breakerbox), usable on its own.
//!
//! Read on in the order in which a call passes: a [`Breaker`] (`breaker.rs`) looks at its `gate`,
//! hands out a [`Permit`], and when that comes back asks the pure state machine (`state.rs`), which
//! counts in a sliding `window` or among its `probes`, by the rules of a judged [`Config`].

#[cfg(feature = "keyed")]
mod any_key;
mod breaker;
mod capture;
mod cause;
pub mod classify;
mod clock;
mod config;
#[cfg(feature = "serde")]
mod config_file;
mod constants;
#[cfg(feature = "serde")]
mod duration;
mod gate;
#[cfg(test)]
mod gate_test;
mod guard;
#[cfg(feature = "keyed")]
mod keyed;
mod lend;
#[cfg(test)]
mod model_test;
mod name;
mod observe;
mod outcome;
mod panel;
mod permit;
mod policy;
mod probes;
mod rejected;
mod returns;
mod snapshot;
mod state;
#[cfg(test)]
mod state_test;
mod sync;
mod template;
#[cfg(feature = "test-util")]
pub mod testing;
#[cfg(feature = "tokio")]
mod timeout;
#[cfg(feature = "tower")]
pub mod tower;
mod transition;
mod window;

pub use breaker::Breaker;
pub use cause::AsError;
pub use config::{Cancelled, Config, ConfigError, Window};
pub use guard::Called;
#[cfg(feature = "keyed")]
pub use keyed::{Key, Keyed};
#[cfg(feature = "metrics")]
pub use observe::metrics;
#[cfg(feature = "opentelemetry")]
pub use observe::opentelemetry;
pub use outcome::Outcome;
pub use panel::{BreakerRef, Panel, panel};
pub use permit::Permit;
pub use rejected::{Rejected, RejectedKind};
pub use returns::{Classified, FromRejected};
pub use snapshot::{Opened, Snapshot, Totals};
pub use transition::{Cause, State, Transition, WindowCounts};

/// What the expansion of the attribute names. Not for use by hand, and free to change.
#[doc(hidden)]
pub mod __private {
    pub use crate::__keyed as keyed;
    pub use crate::__within as within;
    pub use crate::capture::{
        GivenTwice, any, capture, given_twice, never_comes, nothing, opaque, run, wait_for,
    };
    pub use crate::cause::{Itself, Pointer};
    pub use crate::constants::{
        GivenWindow, IsWindow, NoWindow, judge, limit, limit_of_probe, window_given,
    };
    pub use crate::guard::{Guarded, call, call_async};
    pub use crate::lend::{Lends, lend};
    pub use crate::template::{
        Answers, AnswersTimeOut, AsyncAnswer, Classify, FailureIf, Fallible, OwnType, Protected,
        Template, answer, answer_async, classified, error_of, failed_if, never, timed_out,
    };
    #[cfg(feature = "tokio")]
    pub use crate::timeout::{Limited, call_within};
    pub use crate::{Breaker, Cancelled, Classified, Config, FromRejected, Window};
    use crate::{Permit, Rejected};
    pub use std::boxed::Box;
    pub use std::time::Duration;

    /// The permit of a breaker that is closed, which most are at most calls. Apart from [`enter`], so
    /// that the permit of these calls never leaves the registers: it spares them 10 ns.
    #[inline]
    pub fn closed(breaker: &'static Breaker) -> Option<Permit<'static>> {
        breaker.acquire_closed()
    }

    /// Asks a breaker that lives for ever for a call; the panel lists it from its first call on.
    ///
    /// # Errors
    ///
    /// As [`Breaker::acquire`].
    #[inline]
    pub fn enter(breaker: &'static Breaker) -> Result<Permit<'static>, Rejected> {
        breaker.acquire_listed()
    }

    /// As [`closed`], for a breaker that is borrowed from elsewhere.
    #[inline]
    pub fn lent_closed(breaker: &Breaker) -> Option<Permit<'_>> {
        breaker.acquire_lent_closed()
    }

    /// As [`enter`], for a breaker that is borrowed from elsewhere and that the panel does not list.
    ///
    /// # Errors
    ///
    /// As [`Breaker::acquire`].
    #[inline]
    pub fn lent_enter(breaker: &Breaker) -> Result<Permit<'_>, Rejected> {
        breaker.acquire_lent()
    }

    #[cfg(feature = "keyed")]
    pub use crate::any_key::{AnyKey, BreakerKey, KeyRef, key};
    #[cfg(feature = "keyed")]
    pub use crate::{BreakerRef, Keyed};

    /// The breaker of this key.
    #[cfg(feature = "keyed")]
    #[inline]
    pub fn member(family: &'static Keyed<AnyKey>, key: KeyRef<'_>) -> BreakerRef {
        family.get_or_make(&key, || key.keep())
    }

    /// Counts that a fallback answers in place of a rejected call.
    pub fn fell_back(breaker: &Breaker) {
        breaker.fell_back();
    }
}
