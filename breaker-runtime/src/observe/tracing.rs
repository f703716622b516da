//! The feature `tracing`: an event for each transition, and for each rejected call.

use crate::rejected::Rejected;
use crate::transition::{State, Transition, WindowCounts};
use tracing::Level;
use tracing::level_filters::{LevelFilter, STATIC_MAX_LEVEL};

/// One target for all events, so that a filter names what its author knows: `breakerbox=warn`.
const TARGET: &str = "breakerbox";

/// Opening is a warning, a probe a detail, all else news.
pub(super) fn transition(transition: &Transition) {
    macro_rules! event {
        ($level:ident, $message:literal) => {{
            let Transition { from, to, cause, window, cooldown, .. } = transition;
            let WindowCounts { calls, failures, slow } = window;
            tracing::$level!(
                target: TARGET,
                breaker = transition.breaker(),
                from = from.as_str(),
                to = to.as_str(),
                cause = cause.as_str(),
                calls,
                failures,
                slow,
                cooldown = cooldown.map(tracing::field::debug),
                $message
            )
        }};
    }
    match transition.to {
        State::Open => event!(warn, "circuit breaker opened"),
        State::ForcedOpen => event!(warn, "circuit breaker forced open"),
        State::HalfOpen => event!(debug, "circuit breaker half-open"),
        State::Closed => event!(info, "circuit breaker closed"),
        State::Disabled => event!(info, "circuit breaker disabled"),
    }
}

/// A call that was not let through, or took too long. All but the question whether anyone listens is
/// kept out of its way.
#[inline]
pub(crate) fn rejected(rejected: &Rejected) {
    if LevelFilter::current() >= Level::TRACE && STATIC_MAX_LEVEL >= Level::TRACE {
        tell(rejected);
    }
}

#[cold]
#[inline(never)]
fn tell(rejected: &Rejected) {
    tracing::trace!(
        target: TARGET,
        breaker = rejected.breaker(),
        kind = rejected.kind().as_str(),
        retry_after = rejected.retry_after().map(tracing::field::debug),
        "circuit breaker rejected a call"
    );
}
