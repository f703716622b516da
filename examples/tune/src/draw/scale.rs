//! Where a moment is on the picture, and the steps in which time is divided there.

use std::time::Duration;

/// Where the time axis begins; the names of the lanes are before it.
pub(super) const LEFT: f64 = 62.0;
pub(super) const RIGHT: f64 = super::WIDTH - 12.0;

const MILLIS: [u64; 9] = [1, 2, 5, 10, 20, 50, 100, 200, 500];
const SECONDS: [u64; 20] = [
    1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200,
    86_400, 604_800, 2_592_000,
];

/// The time axis.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    pub(super) span: Duration,
}

impl Scale {
    pub(super) fn new(span: Duration) -> Self {
        Self { span }
    }

    /// What happens after the end is at the end.
    pub(super) fn x(self, moment: Duration) -> f64 {
        let share = moment.as_secs_f64() / self.span.as_secs_f64();
        LEFT + (RIGHT - LEFT) * share.min(1.0)
    }

    /// The shortest step of which at most so many make up the whole.
    pub(super) fn step(self, most: u32) -> Duration {
        let millis = MILLIS.into_iter().map(Duration::from_millis);
        let mut steps = millis.chain(SECONDS.into_iter().map(Duration::from_secs));
        steps.find(|step| *step * most >= self.span).unwrap_or(self.span)
    }

    /// The multiples of a step, from the beginning to the end.
    pub(super) fn multiples(self, step: Duration) -> impl Iterator<Item = Duration> {
        (0..).map(move |nth| step * nth).take_while(move |moment| *moment <= self.span)
    }
}

/// Counts that are drawn are far below what an `f64` holds exactly.
pub(super) fn number(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}
