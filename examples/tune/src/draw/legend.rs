//! What the colours and lines mean.

use super::scale::number;
use super::{LINE, circle, line, rectangle, text};
use svg::Node;
use svg::node::element::Group;

enum Sign {
    Area,
    Stroke,
    Dot,
}

const CALLS: &[(Sign, &str, &str)] = &[
    (Sign::Area, "succeeded", "succeeded"),
    (Sign::Area, "failed", "failed"),
    (Sign::Area, "rejected", "rejected"),
    (Sign::Area, "outage", "outage"),
    (Sign::Dot, "probe-succeeded", "probe succeeded"),
    (Sign::Dot, "probe-failed", "probe failed"),
];
const BREAKER: &[(Sign, &str, &str)] = &[
    (Sign::Area, "closed", "closed"),
    (Sign::Area, "open", "open"),
    (Sign::Area, "half_open", "half-open"),
    (Sign::Stroke, "failing", "failures in the window (pale: too few calls to judge)"),
    (Sign::Stroke, "limit", "rate"),
];
const SLOW: &[(Sign, &str, &str)] = &[
    (Sign::Stroke, "slow", "slow calls in the window"),
    (Sign::Stroke, "limit slow", "slow_rate"),
];

/// The legend, and where it ends.
pub(super) fn legend(top: f64, measures_slow: bool) -> (Group, f64) {
    let rows = if measures_slow { &[CALLS, BREAKER, SLOW][..] } else { &[CALLS, BREAKER] };
    let mut group = Group::new();
    let mut y = top;
    for row in rows {
        let mut x = 0.0;
        for (sign, class, name) in *row {
            let middle = y - 4.0;
            match sign {
                Sign::Area => group.append(rectangle(class, x, y - 9.0, 14.0, 10.0)),
                Sign::Stroke => group.append(line(class, (x, middle), (x + 14.0, middle))),
                Sign::Dot => group.append(circle(class, x + 7.0, middle)),
            }
            group.append(text("small", x + 20.0, y, (*name).to_owned()));
            x += 44.0 + 6.0 * number(name.len());
        }
        y += LINE;
    }
    (group, y - LINE)
}
