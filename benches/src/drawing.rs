//! The table as a picture: one group of bars for each row, on a scale on which twice as long means
//! ten times as slow.

use crate::ours;
use crate::report::Line;
use std::fmt::Write as _;

const WIDTH: f64 = 820.0;
const LABELS: f64 = 190.0;
/// Where the longest bar ends; the number follows.
const BARS: f64 = WIDTH - LABELS - 70.0;
const BAR: f64 = 15.0;
const GAP: f64 = 5.0;
const TITLE: f64 = 26.0;
/// Nanoseconds at the two ends of the scale.
const LEAST: f64 = 3.0;
const MOST: f64 = 1_000.0;

/// Legible on white and on black: the page behind shows through.
const STYLE: &str = "\
text{font:13px ui-sans-serif,system-ui,sans-serif;fill:#24292f}\
.title{font-weight:600}\
.number{font-size:12px;fill:#57606a}\
.ours{fill:#0969da}.peer{fill:#afb8c1}.baseline{stroke:#cf222e;stroke-width:1.5;stroke-dasharray:3 2}\
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.number{fill:#9da7b1}\
.ours{fill:#4493f8}.peer{fill:#57606a}.baseline{stroke:#ff7b72}}";

pub(crate) fn draw(lines: &[Line<'_>]) -> String {
    let mut body = String::new();
    let mut y = 8.0;
    for line in lines {
        y += TITLE;
        let _ =
            writeln!(body, r#"<text class="title" x="0" y="{:.0}">{}</text>"#, y - 8.0, line.title);
        let top = y;
        for measured in &line.candidates {
            let is_ours = measured.who.starts_with(ours::WHO);
            let class = if is_ours { "ours" } else { "peer" };
            let length = length(measured.nanos);
            let middle = y + BAR - 3.0;
            let _ = writeln!(
                body,
                r#"<text x="12" y="{middle:.0}">{}</text><rect class="{class}" x="{LABELS}" y="{y:.0}" width="{length:.1}" height="{BAR}" rx="2"/><text class="number" x="{:.1}" y="{middle:.0}">{}</text>"#,
                measured.who,
                LABELS + length + 6.0,
                nanos(measured.nanos),
            );
            y += BAR + GAP;
        }
        let x = LABELS + length(line.baseline);
        let _ = writeln!(
            body,
            r#"<line class="baseline" x1="{x:.1}" x2="{x:.1}" y1="{:.0}" y2="{:.0}"/>"#,
            top - 2.0,
            y - GAP + 2.0
        );
    }
    y += TITLE;
    let _ = writeln!(
        body,
        r#"<text class="number" x="0" y="{:.0}">Nanoseconds per call, on a logarithmic scale. Dashed: a lock and a clock read, where the row has one.</text>"#,
        y - 6.0
    );
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {y:.0}\" width=\"{WIDTH}\" \
         height=\"{y:.0}\" role=\"img\" aria-label=\"Nanoseconds per call, by breaker\">\n\
         <style>{STYLE}</style>\n{body}</svg>\n"
    )
}

fn length(nanos: f64) -> f64 {
    let share = (nanos / LEAST).ln() / (MOST / LEAST).ln();
    BARS * share.clamp(0.005, 1.0)
}

fn nanos(nanos: f64) -> String {
    if nanos < 100.0 { format!("{nanos:.1}") } else { format!("{nanos:.0}") }
}
