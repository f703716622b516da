//! The one place that reads time: monotonic, in nanoseconds from an origin of its own.
//!
//! Two clocks share that origin. The coarse one costs a few nanoseconds and lags by up to a tick of
//! the kernel (1 to 4 ms on Linux); windows and deadlines are compared with it. The precise one is
//! read where a tick matters: when a cooldown starts, so that it is never cut short, when a probe
//! starts, and to measure calls against a `slow_call` below a second. Where a platform has no coarse
//! clock, both are the precise one.

/// Nanoseconds since the clock's origin; enough for 584 years.
pub(crate) type Nanos = u64;

/// The coarse clock: cheap, at most one kernel tick behind [`precise`].
#[inline]
pub(crate) fn coarse() -> Nanos {
    #[cfg(feature = "test-util")]
    if let Some(now) = frozen::now() {
        return now;
    }
    platform::coarse()
}

/// The precise clock, never behind [`coarse`].
#[inline]
pub(crate) fn precise() -> Nanos {
    #[cfg(feature = "test-util")]
    if let Some(now) = frozen::now() {
        return now;
    }
    platform::precise()
}

#[cfg(any(target_os = "linux", target_os = "android"))]
mod platform {
    use super::Nanos;
    use rustix::time::{ClockId, clock_gettime};

    #[inline]
    pub(super) fn coarse() -> Nanos {
        nanos(ClockId::MonotonicCoarse)
    }

    #[inline]
    pub(super) fn precise() -> Nanos {
        nanos(ClockId::Monotonic)
    }

    #[inline]
    #[expect(clippy::cast_sign_loss, reason = "a monotonic clock is never negative")]
    fn nanos(clock: ClockId) -> Nanos {
        let time = clock_gettime(clock);
        (time.tv_sec as Nanos).saturating_mul(1_000_000_000) + time.tv_nsec as Nanos
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
mod platform {
    use super::Nanos;
    use once_cell::sync::Lazy;
    use std::time::Instant;

    static ORIGIN: Lazy<Instant> = Lazy::new(Instant::now);

    pub(super) fn precise() -> Nanos {
        Nanos::try_from(ORIGIN.elapsed().as_nanos()).unwrap_or(Nanos::MAX)
    }

    pub(super) use precise as coarse;
}

/// Time that stands still until a test moves it.
#[cfg(feature = "test-util")]
pub(crate) mod frozen {
    use super::{Nanos, platform};
    use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

    /// Time runs as usual.
    const RUNNING: Nanos = Nanos::MAX;

    static NOW: AtomicU64 = AtomicU64::new(RUNNING);

    #[inline]
    pub(super) fn now() -> Option<Nanos> {
        let now = NOW.load(SeqCst);
        (now != RUNNING).then_some(now)
    }

    pub(crate) fn freeze() {
        NOW.store(platform::precise(), SeqCst);
    }

    pub(crate) fn advance(by: Nanos) {
        let now = NOW.load(SeqCst);
        NOW.store(now.saturating_add(by).min(RUNNING - 1), SeqCst);
    }

    pub(crate) fn resume() {
        NOW.store(RUNNING, SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::platform::{coarse, precise};
    use std::time::Instant;

    #[test]
    fn the_coarse_clock_is_never_ahead_of_the_precise_one() {
        for _ in 0..10_000 {
            let early = coarse();
            let late = precise();
            assert!(early <= late, "coarse {early} after precise {late}");
        }
    }

    #[test]
    fn the_precise_clock_measures_as_the_standard_one_does() {
        let nanos = |since: Instant| u64::try_from(since.elapsed().as_nanos()).expect("short");
        let (outer, outer_instant) = (precise(), Instant::now());
        let (inner_instant, inner) = (Instant::now(), precise());
        while nanos(inner_instant) < 5_000_000 {}
        // What lies within takes no longer than what lies around it, by either clock.
        assert!(precise() - inner <= nanos(outer_instant));
        assert!(nanos(inner_instant) <= precise() - outer);
    }
}
