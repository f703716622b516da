//! The constants that the attribute's keys are given, judged while the program is compiled.

use crate::config::{Config, Window};
use std::time::Duration;

/// Fails the compilation at the caller's place if `field` is what is wrong with `config`.
///
/// # Panics
///
/// Then; in const evaluation a panic is the error.
#[track_caller]
pub const fn judge(config: &Config, field: &str) {
    if let Err(fault) = config.check() {
        assert!(!is_same(fault.field(), field), "{}", fault.bound());
    }
}

/// The constant given as `timeout`, or a failed compilation at the caller's place.
///
/// # Panics
///
/// If it is below a millisecond; in const evaluation a panic is the error.
#[track_caller]
#[must_use]
pub const fn limit(limit: Duration) -> Duration {
    assert!(limit.as_nanos() >= 1_000_000, "`timeout` must be at least 1 ms");
    limit
}

/// The same for the function's own breaker, whose probes must be able to take as long.
///
/// # Panics
///
/// As [`limit`], and if the probes are given up earlier.
#[track_caller]
#[must_use]
pub const fn limit_of_probe(limit: Duration, probe_timeout: Duration) -> Duration {
    assert!(
        limit.as_nanos() <= probe_timeout.as_nanos(),
        "`timeout` must be at most `probe_timeout`, or a probe is given up before its time is over"
    );
    self::limit(limit)
}

/// A constant given as `window`, of which [`GivenWindow`] makes a window.
#[must_use]
pub const fn window_given<T: IsWindow>(value: T) -> GivenWindow<T> {
    GivenWindow(value)
}

/// What can be a window. A trait has no functions for const evaluation: those are on the type.
#[diagnostic::on_unimplemented(
    message = "`window` takes a `Duration`, a number of calls as `u32`, or a `Window`",
    label = "this is a `{Self}`"
)]
pub trait IsWindow {}

impl IsWindow for Duration {}
impl IsWindow for u32 {}
impl IsWindow for Window {}

/// See [`window_given`].
pub struct GivenWindow<T>(T);

/// The function for whatever can be no window, so that its absence is no second error.
pub trait NoWindow: Sized {
    /// Never called.
    #[must_use]
    fn window(self) -> Window {
        Window::Calls(0)
    }
}

impl<T> NoWindow for GivenWindow<T> {}

impl GivenWindow<Duration> {
    /// The window by time.
    #[must_use]
    pub const fn window(self) -> Window {
        Window::Time(self.0)
    }
}

impl GivenWindow<u32> {
    /// The window by count.
    #[must_use]
    pub const fn window(self) -> Window {
        Window::Calls(self.0)
    }
}

impl GivenWindow<Window> {
    /// The window itself.
    #[must_use]
    pub const fn window(self) -> Window {
        self.0
    }
}

/// Whether two texts are the same, in const evaluation.
const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len() != other.len() {
        return false;
    }
    let mut index = 0;
    while index < one.len() {
        if one[index] != other[index] {
            return false;
        }
        index += 1;
    }
    true
}
