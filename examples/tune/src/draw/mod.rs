//! A replay as a picture: a panel for each configuration, one below the other on the same time axis,
//! and a legend. `scale` places moments, `panel` draws what happened, `legend` says how.

mod legend;
mod panel;
mod scale;

use self::panel::Lanes;
use self::scale::Scale;
use crate::figures::{Figures, Recovery};
use crate::replay::Replay;
use crate::table::letter;
use crate::text::{exact_range, shown};
use crate::traffic::Traffic;
use breakerbox::Config;
use svg::node::element::{Circle, Group, Line, Rectangle, Style, Text};
use svg::{Document, Node};

const WIDTH: f64 = 820.0;
/// Of a line of text.
const LINE: f64 = 18.0;
const MARGIN: f64 = 8.0;
/// Characters of settings that fit into a line.
const FITTING: usize = 108;
/// Legible on white and on black: the page behind shows through.
const STYLE: &str = include_str!("style.css");

/// A configuration and how it did.
#[derive(Debug)]
pub struct Panel {
    /// What was said of the configuration.
    pub label: String,
    /// All of it.
    pub config: Config,
    /// What happened.
    pub replay: Replay,
    /// The same in numbers.
    pub figures: Figures,
}

/// Draws them all, as the text of an SVG file.
#[must_use]
pub fn draw(traffic: &Traffic, panels: &[Panel]) -> String {
    let mut page = Group::new();
    let mut y = MARGIN + LINE;
    page.append(text("title", 0.0, y, title(traffic)));
    let scale = Scale::new(traffic.span);
    for (place, panel) in panels.iter().enumerate() {
        y += LINE;
        for line in heading(place, &panel.label) {
            y += LINE;
            page.append(text("title", 0.0, y, line));
        }
        y += LINE;
        page.append(text("small", 0.0, y, in_words(&panel.figures)));
        let lanes = Lanes { top: y + MARGIN, scale, traffic, panel };
        page.append(lanes.draw());
        y = lanes.bottom();
    }
    let measures_slow = panels.iter().any(|panel| panel.config.slow_call.is_some());
    let (legend, bottom) = legend::legend(y + 2.0 * LINE, measures_slow);
    let height = bottom + MARGIN;
    let document = Document::new()
        .set("viewBox", format!("0 0 {WIDTH} {height}"))
        .set("width", WIDTH)
        .set("height", height)
        .set("role", "img")
        .set("aria-label", "What circuit breakers do with the same traffic")
        .add(Style::new(STYLE))
        .add(page)
        .add(legend);
    format!("{document}\n")
}

fn title(traffic: &Traffic) -> String {
    let title = traffic.title();
    let outages: Vec<String> = traffic.outages.iter().flatten().copied().map(exact_range).collect();
    if !outages.is_empty() && outages.len() < 5 {
        return format!("{title}, outage {}", outages.join(" and "));
    }
    title
}

/// The settings, in as many lines as they need.
fn heading(place: usize, label: &str) -> Vec<String> {
    let mut lines = vec![format!("{}: ", letter(place))];
    for setting in label.split_inclusive(", ") {
        match lines.last_mut() {
            Some(line) if line.chars().count() + setting.chars().count() <= FITTING => {
                *line += setting;
            }
            _ => lines.push(setting.to_owned()),
        }
    }
    lines
}

fn in_words(figures: &Figures) -> String {
    let mut words = Vec::new();
    let judged = figures.judged.as_ref();
    match judged.map(|judged| judged.outages.as_slice()) {
        Some([outage]) => {
            words.push(match outage.opened_after {
                Some(after) => format!("open {} into the outage", shown(after)),
                None => "not open during the outage".to_owned(),
            });
            words.push(format!("{} calls reached it", outage.reached));
            words.push(match outage.recovery {
                Recovery::NotNeeded => "nothing to recover from".to_owned(),
                Recovery::After(time) => format!("closed {} after it", shown(time)),
                Recovery::NotYet => "not closed again".to_owned(),
            });
        }
        _ => words.push(format!("openings: {}", figures.openings)),
    }
    if let Some(judged) = judged {
        words.push(format!("false openings: {}", judged.false_openings));
        words.push(format!("refused needlessly: {}", judged.refused_needlessly));
    }
    words.push(format!("rejected: {}", figures.rejected));
    words.join(" · ")
}

fn text(class: &str, x: f64, y: f64, content: String) -> Text {
    Text::new(content).set("class", class).set("x", round(x)).set("y", round(y))
}

fn rectangle(class: &str, x: f64, y: f64, width: f64, height: f64) -> Rectangle {
    Rectangle::new()
        .set("class", class)
        .set("x", round(x))
        .set("y", round(y))
        .set("width", round(width))
        .set("height", round(height))
}

fn line(class: &str, from: (f64, f64), to: (f64, f64)) -> Line {
    Line::new()
        .set("class", class)
        .set("x1", round(from.0))
        .set("y1", round(from.1))
        .set("x2", round(to.0))
        .set("y2", round(to.1))
}

fn circle(class: &str, x: f64, y: f64) -> Circle {
    Circle::new().set("class", class).set("cx", round(x)).set("cy", round(y)).set("r", 2.5)
}

/// A tenth of a pixel is exact enough, and keeps the file small.
fn round(pixels: f64) -> f64 {
    (pixels * 10.0).round() / 10.0
}
