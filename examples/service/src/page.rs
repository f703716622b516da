//! The breakers as a plain HTML table.

use axum::http::{HeaderName, header};
use axum::response::{Html, IntoResponse};
use breakerbox::Snapshot;
use std::fmt::Write;

/// The page. It needs no script, and the browser is told so, in case a name should bring one along
/// that was not escaped.
pub(crate) fn of(snapshots: &[Snapshot]) -> impl IntoResponse + use<> {
    const POLICY: [(HeaderName, &str); 1] =
        [(header::CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'")];
    (POLICY, Html(table(snapshots)))
}

fn table(snapshots: &[Snapshot]) -> String {
    let mut page = String::from(HEAD);
    for seen in snapshots {
        let left = seen.remaining_cooldown.map(|left| format!("{left:.1?}"));
        let cells = [
            seen.name().to_owned(),
            format!("{}:{}", seen.location.file(), seen.location.line()),
            seen.opened.map_or_else(
                || seen.state.to_string(),
                |opened| format!("{}: {opened}", seen.state),
            ),
            format!("{} of {}", seen.window.failures, seen.window.calls),
            left.unwrap_or_default(),
            seen.totals.calls().to_string(),
            seen.totals.all_rejected().to_string(),
            seen.totals.fallbacks.to_string(),
        ];
        page.push_str("<tr>");
        for cell in cells {
            let _ = write!(page, "<td>{}</td>", escaped(&cell));
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</table>\n");
    page
}

const HEAD: &str = "<!doctype html>
<html lang=\"en\">
<meta charset=\"utf-8\">
<title>Circuit breakers</title>
<style>td, th { padding: 0.2em 1em; text-align: left; }</style>
<table>
<tr><th>breaker</th><th>made at</th><th>state</th><th>failed</th><th>cooldown</th>\
<th>calls</th><th>rejected</th><th>fallbacks</th></tr>
";

/// The text with nothing in it that HTML would take for its own.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}
