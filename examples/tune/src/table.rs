//! The figures as a table: a row for each, a column for each configuration.

use crate::draw::Panel;
use crate::figures::{Figures, Handled, Judged, Recovery};
use crate::text::{exact_range, shown};
use crate::traffic::Traffic;
use std::fmt::Write as _;

pub(crate) fn table(traffic: &Traffic, panels: &[Panel]) -> String {
    let mut text = format!("{}\n\n", traffic.title());
    for (place, panel) in panels.iter().enumerate() {
        let _ = writeln!(text, "{}  {}", letter(place), panel.label);
    }
    let rows = rows(traffic, panels);
    let names = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
    let cells = rows.iter().flat_map(|(_, cells)| cells).map(|cell| cell.chars().count());
    let width = cells.max().unwrap_or_default();
    for (name, cells) in rows {
        let _ = write!(text, "\n{name:<names$}");
        for cell in cells {
            let _ = write!(text, "  {cell:>width$}");
        }
    }
    text.push('\n');
    match &traffic.outages {
        None => {
            text.push_str("\nMore can be told if --outage says when the dependency was failing.\n");
        }
        Some(outages) if outages.is_empty() => {
            text.push_str("\nThere was no outage, which would show more: try --outage 30s..90s.\n");
        }
        Some(_) => {}
    }
    text
}

/// What a configuration is called, in the table and in the picture.
pub(crate) fn letter(place: usize) -> String {
    let letter = u8::try_from(place).ok().and_then(|place| b'A'.checked_add(place));
    match letter.filter(u8::is_ascii_uppercase) {
        Some(letter) => char::from(letter).to_string(),
        None => format!("#{}", place + 1),
    }
}

fn rows(traffic: &Traffic, panels: &[Panel]) -> Vec<(String, Vec<String>)> {
    let row = |name: &str, cell: &dyn Fn(&Figures) -> String| {
        (name.to_owned(), panels.iter().map(|panel| cell(&panel.figures)).collect())
    };
    let count =
        |name: &str, count: fn(&Figures) -> usize| row(name, &|figures| count(figures).to_string());
    let judged = |name: &str, count: fn(&Judged) -> usize| {
        row(name, &|figures| figures.judged.as_ref().map_or(0, count).to_string())
    };

    let letters = (0..panels.len()).map(letter).collect();
    let mut rows = vec![(String::new(), letters), count("openings", |figures| figures.openings)];
    if let Some(outages) = &traffic.outages {
        rows.push(judged("false openings", |judged| judged.false_openings));
        for (place, outage) in outages.iter().enumerate() {
            let handled = |name: &str, cell: &dyn Fn(&Handled) -> String| {
                let name = format!("{}: {name}", exact_range(*outage));
                row(&name, &|figures| {
                    figures.judged.as_ref().map_or_else(String::new, |it| cell(&it.outages[place]))
                })
            };
            rows.push(handled("time to open", &|handled| {
                handled.opened_after.map_or_else(|| "never".to_owned(), shown)
            }));
            rows.push(handled("calls that reached it", &|handled| handled.reached.to_string()));
            rows.push(handled("time to recover", &|handled| match handled.recovery {
                Recovery::NotNeeded => "–".to_owned(),
                Recovery::After(time) => shown(time),
                Recovery::NotYet => "not yet".to_owned(),
            }));
        }
        rows.push(judged("refused needlessly", |judged| judged.refused_needlessly));
    }
    rows.extend([
        count("refused successes", |figures| figures.refused_successes),
        count("rejected", |figures| figures.rejected),
        count("probes", |figures| figures.probes),
        count("failures let through", |figures| figures.failures),
    ]);
    rows
}
