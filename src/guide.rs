//! How to choose, place, test and replace a breaker. Every example on these pages is compiled and
//! run.
//!
//! 1. [Choosing the settings](choosing): from traffic, latency and what an outage may cost, with the
//!    numbers of an operation called twice a second and one called two thousand times.
//! 2. [What counts as a failure](counting), and why time-outs come first.
//! 3. [Retries and time limits](retrying): which goes inside which, and what the wrong order costs.
//! 4. [Fallbacks](fallbacks) that are safe, by kind of operation.
//! 5. [How fine](granularity): one breaker for a service, a host, an operation, a tenant.
//! 6. [Many processes](fleets), and why they share no state.
//! 7. [Testing](testing) code that has a breaker, without sleeping.
//! 8. [Settings from a file](settings), and what stays in the attribute.
//! 9. [Coming from another library](migrating): failsafe, recloser, tower-resilience, resilience4j
//!    and Polly, key by key.
//!
//! # When not to use a breaker
//!
//! - The call stays in the process. A computation that fails does not recover by being left alone.
//! - Failures are rare and have nothing to do with each other: retry them.
//! - The caller must wait for the answer whatever happens, as a batch job may: let it wait and retry.
//! - A queue stands between you and the dependency: it takes the load off already, and a breaker in
//!   front of the queue guards only the queue.
//! - The danger is too many calls at once, not failing ones: limit concurrency instead.

#[doc = include_str!("guide/choosing.md")]
pub mod choosing {}

#[doc = include_str!("guide/counting.md")]
pub mod counting {}

#[doc = include_str!("guide/retrying.md")]
pub mod retrying {}

#[doc = include_str!("guide/fallbacks.md")]
pub mod fallbacks {}

#[doc = include_str!("guide/granularity.md")]
pub mod granularity {}

#[doc = include_str!("guide/fleets.md")]
pub mod fleets {}

#[doc = include_str!("guide/testing.md")]
pub mod testing {}

// Its example needs a parser, and is a test of the package `tests/observe`, which has one.
#[cfg_attr(not(doctest), doc = include_str!("guide/settings.md"))]
pub mod settings {}

#[doc = include_str!("guide/migrating.md")]
pub mod migrating {}
