//! What was measured, as a table, and which goals it meets.

use crate::measure::{Measured, Row};
use crate::peers::Size;
use crate::{floors, ours};
use std::fmt::Write as _;

pub(crate) struct Report {
    measured: Vec<Measured>,
    sizes: Vec<Size>,
    size_of_a_keyed: u64,
    growth_of_a_future: usize,
}

/// A row with those that do the same, the fastest first, and the baseline.
pub(crate) struct Line<'a> {
    pub(crate) title: &'static str,
    pub(crate) baseline: f64,
    pub(crate) candidates: Vec<&'a Measured>,
}

/// Their titles, in the order of the table.
const LINES: &[(Row, &str)] = &[
    (Row::ClosedByTime, "closed, success, window of 30 s"),
    (Row::ClosedByCount, "closed, success, window of 100 calls"),
    (Row::TenthFails, "closed, every tenth call fails"),
    (Row::Ignored, "closed, the call does not count"),
    (Row::Rejected, "open: rejected"),
    (Row::HalfOpen, "half-open: a probe succeeds"),
    (Row::SlowCall, "closed, calls are measured"),
    (Row::Async, "closed, success, async"),
    (Row::Keyed, "one of 10,000 breakers, by key"),
    (Row::Window10, "every tenth fails, window of 10 calls"),
    (Row::Window10Thousand, "… of 10,000 calls"),
    (Row::WindowMillion, "… of 1,000,000 calls"),
    (Row::ByTimeTwo, "two threads, window of 30 s"),
    (Row::ByCountTwo, "two threads, window of 100 calls"),
    (Row::RejectedTwo, "two threads, rejected"),
    (Row::KeyedTwo, "two threads, by key"),
];

const FLOORS: &[(Row, &str)] = &[
    (Row::Empty, "call of an empty function"),
    (Row::EmptyAsync, "future that is ready at once"),
    (Row::Load, "atomic load"),
    (Row::Coarse, "coarse monotonic clock"),
    (Row::Precise, "precise monotonic clock"),
    (Row::Lock, "lock and unlock"),
    (Row::KeyLookUp, "look-up in a concurrent map of 10,000 names"),
    (Row::KeyLookUpTwo, "two threads: look-up in that map"),
    (Row::LockTwo, "two threads: lock and unlock"),
    (Row::FetchAddTwo, "two threads: fetch_add"),
    (Row::CoarseFetchAddTwo, "two threads: coarse clock and fetch_add"),
];

impl Report {
    pub(crate) fn new(
        measured: Vec<Measured>,
        sizes: Vec<Size>,
        size_of_a_keyed: u64,
        growth_of_a_future: usize,
    ) -> Self {
        Self { measured, sizes, size_of_a_keyed, growth_of_a_future }
    }

    fn of(&self, row: Row, who: &str) -> f64 {
        let found =
            self.measured.iter().find(|measured| measured.row == row && measured.who == who);
        found.map_or(f64::NAN, |measured| measured.nanos)
    }

    fn ours(&self, row: Row) -> f64 {
        self.of(row, ours::WHO)
    }

    /// What a row costs where the breaker does no more than read a clock, and lock and unlock.
    fn baseline(&self, row: Row) -> f64 {
        let of = |row| self.of(row, floors::WHO);
        let closed = of(Row::Empty) + of(Row::Lock);
        match row {
            Row::ClosedByTime | Row::TenthFails | Row::Ignored => closed + of(Row::Coarse),
            Row::Rejected => of(Row::Coarse),
            Row::HalfOpen => closed + of(Row::Lock) + of(Row::Precise),
            Row::SlowCall => closed + 2.0 * of(Row::Precise),
            Row::Async => of(Row::EmptyAsync) + of(Row::Lock) + of(Row::Coarse),
            Row::Keyed => closed + of(Row::Coarse) + self.of(Row::KeyLookUp, floors::DASHMAP),
            Row::KeyedTwo => self.of(Row::KeyLookUpTwo, floors::DASHMAP) + of(Row::Coarse) / 2.0,
            Row::ByTimeTwo => of(Row::LockTwo) + of(Row::Coarse) / 2.0,
            Row::ByCountTwo => of(Row::LockTwo),
            Row::RejectedTwo => of(Row::CoarseFetchAddTwo),
            _ => closed,
        }
    }

    pub(crate) fn lines(&self) -> Vec<Line<'_>> {
        let line = |(row, title): &(Row, &'static str)| {
            let of_row = |measured: &&Measured| measured.row == *row;
            let mut candidates: Vec<_> = self.measured.iter().filter(of_row).collect();
            candidates.sort_by(|one, other| one.nanos.total_cmp(&other.nanos));
            Line { title, baseline: self.baseline(*row), candidates }
        };
        LINES.iter().map(line).collect()
    }

    /// The table, as Markdown that is also readable as it is.
    pub(crate) fn table(&self) -> String {
        let mut cells = vec![
            ["what", "who", "ns per call", "× baseline", "× fastest peer", "allocations"]
                .map(str::to_owned),
        ];
        for line in self.lines() {
            let peer = fastest_peer(&line).map(|peer| peer.nanos);
            for (place, measured) in line.candidates.iter().enumerate() {
                cells.push([
                    if place == 0 { line.title.to_owned() } else { String::new() },
                    measured.who.to_owned(),
                    format!("{:.1}", measured.nanos),
                    format!("{:.2}", measured.nanos / line.baseline),
                    peer.map_or("–".to_owned(), |peer| format!("{:.2}", measured.nanos / peer)),
                    format!("{:.1}", measured.allocations),
                ]);
            }
        }
        let mut text = aligned(&cells);
        text.push('\n');
        let head = ["the machine alone", "ns"].map(str::to_owned);
        let rows = FLOORS.iter().map(|(row, title)| {
            let nanos = self.measured.iter().find(|measured| measured.row == *row);
            [(*title).to_owned(), format!("{:.1}", nanos.map_or(f64::NAN, |found| found.nanos))]
        });
        text.push_str(&aligned(&[head].into_iter().chain(rows).collect::<Vec<_>>()));
        text.push('\n');
        let head = ["one breaker after 1,000 calls", "bytes, with its heap"].map(str::to_owned);
        let rows = self.sizes.iter().map(|size| [size.who.to_owned(), size.bytes.to_string()]);
        text.push_str(&aligned(&[head].into_iter().chain(rows).collect::<Vec<_>>()));
        text
    }

    /// Each goal of the design with what it asks and what was found.
    pub(crate) fn goals(&self) -> String {
        let of = |row| self.of(row, floors::WHO);
        let empty = of(Row::Empty);
        let allocations: f64 = self
            .measured
            .iter()
            .filter(|measured| measured.who.starts_with(ours::WHO))
            .map(|measured| measured.allocations)
            .sum();
        let windows = [Row::Window10, Row::Window10Thousand, Row::WindowMillion];
        let windows = windows.map(|row| self.ours(row));
        let spread =
            windows.into_iter().fold(0.0, f64::max) / windows.into_iter().fold(1e9, f64::min);
        let ratio = |row: Row, floor: f64| self.ours(row) / floor;
        let by_key = self.ours(Row::Keyed) - self.ours(Row::ClosedByTime);
        let goals = [
            (
                "closed, by time: × (coarse clock + lock + empty call)",
                ratio(Row::ClosedByTime, of(Row::Coarse) + of(Row::Lock) + empty),
                1.3,
            ),
            (
                "closed, by count: × (lock + empty call)",
                ratio(Row::ClosedByCount, of(Row::Lock) + empty),
                1.5,
            ),
            (
                "closed, by count, two threads: × contended lock",
                ratio(Row::ByCountTwo, of(Row::LockTwo)),
                1.5,
            ),
            ("rejected: × coarse clock", ratio(Row::Rejected, of(Row::Coarse)), 2.0),
            (
                "rejected, two threads: × (coarse clock + contended fetch_add)",
                ratio(Row::RejectedTwo, of(Row::CoarseFetchAddTwo)),
                1.3,
            ),
            ("by key over without: ns", by_key, 40.0),
            (
                "by key over without: × look-up in a concurrent map",
                by_key / self.of(Row::KeyLookUp, floors::DASHMAP),
                1.5,
            ),
            ("async over sync: ns", self.ours(Row::Async) - self.ours(Row::ClosedByTime), 3.0),
            (
                "growth of a future beside its arguments: bytes",
                as_float(self.growth_of_a_future),
                48.0,
            ),
            ("allocations of all rows", allocations, 0.0),
            ("a million calls in the window beside ten: ×", spread, 1.15),
            (
                "bytes of a breaker, with its heap",
                self.sizes.first().map_or(f64::NAN, |size| as_float(size.bytes)),
                384.0,
            ),
            (
                "bytes of one of 10,000 breakers by key, with its entry",
                as_float(self.size_of_a_keyed),
                640.0,
            ),
        ];
        let mut cells = vec![["goal", "at most", "found", ""].map(str::to_owned)];
        for (goal, most, found) in goals.map(|(goal, found, most)| (goal, most, found)) {
            let verdict = if found <= most { "met" } else { "MISSED" };
            cells.push([
                goal.to_owned(),
                format!("{most}"),
                format!("{found:.2}"),
                verdict.to_owned(),
            ]);
        }
        aligned(&cells)
    }
}

#[expect(clippy::cast_precision_loss, reason = "bytes of small things")]
fn as_float(bytes: impl TryInto<u64>) -> f64 {
    bytes.try_into().map_or(f64::NAN, |bytes| bytes as f64)
}

/// The fastest that is neither ours nor of another kind.
pub(crate) fn fastest_peer<'a>(line: &Line<'a>) -> Option<&'a Measured> {
    let is_peer = |who: &str| !who.starts_with(ours::WHO) && !who.starts_with("governor");
    line.candidates.iter().copied().find(|measured| is_peer(measured.who))
}

/// A Markdown table whose columns stand below each other; all but the first two are numbers.
fn aligned<const COLUMNS: usize>(rows: &[[String; COLUMNS]]) -> String {
    let width = |column: usize| {
        rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0).max(3)
    };
    let mut text = String::new();
    for (place, row) in rows.iter().enumerate() {
        for (column, cell) in row.iter().enumerate() {
            let width = width(column);
            let is_number = column > 0 && rows.get(1).is_some_and(|row| is_number(&row[column]));
            let _ = if is_number {
                write!(text, "| {cell:>width$} ")
            } else {
                write!(text, "| {cell:width$} ")
            };
        }
        text.push_str("|\n");
        if place == 0 {
            for column in 0..COLUMNS {
                let is_number = rows.get(1).is_some_and(|row| is_number(&row[column]));
                let line = "-".repeat(width(column) + usize::from(!is_number));
                let _ = write!(text, "|-{line}{}", if is_number { ":" } else { "" });
            }
            text.push_str("|\n");
        }
    }
    text
}

fn is_number(cell: &str) -> bool {
    cell.parse::<f64>().is_ok()
}
