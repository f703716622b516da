//! What the example shows: a timeline, a closing table, and colours where there is a terminal.

use crate::server::Arrival;
use crate::{Call, FetchError, PROBES};
use breakerbox::{Rejected, RejectedKind, Snapshot, State, Transition};
use std::collections::BTreeMap;
use std::env;
use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// State changes that are not shown yet.
static NOTED: Mutex<Vec<Transition>> = Mutex::new(Vec::new());

/// The breaker's listener: keeps each state change until its row of the timeline is written.
pub(crate) fn note(transition: &Transition) {
    let mut noted = NOTED.lock().unwrap_or_else(PoisonError::into_inner);
    noted.push(transition.clone());
}

pub(crate) struct Screen {
    out: io::Stdout,
    colours: bool,
}

#[derive(Clone, Copy)]
enum Style {
    Plain,
    Bold,
    Dim,
    Green,
    Yellow,
    Red,
}

impl Screen {
    pub(crate) fn new() -> Self {
        let out = io::stdout();
        let unwanted = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let colours = out.is_terminal() && !unwanted;
        Self { out, colours }
    }

    pub(crate) fn opening(&mut self, url: &str) -> io::Result<()> {
        let title = self.paint(Style::Bold, "breakerbox quickstart");
        writeln!(self.out, "\n{title}: an annotated function calls a real server, {url}")?;
        let heads = format!(
            "\n{:>8}  {:>6}  {:<40}  {:<9}  {:>8}",
            "time", "call", "answer", "breaker", "requests"
        );
        writeln!(self.out, "{}", self.paint(Style::Dim, &heads))
    }

    pub(crate) fn scene(&mut self, title: &str) -> io::Result<()> {
        writeln!(self.out, "\n{}", self.paint(Style::Bold, title))
    }

    /// One row for one round of calls, and below it the state changes that the round has made.
    pub(crate) fn round(
        &mut self,
        time: Duration,
        calls: &[Call],
        state: State,
        arrived: usize,
    ) -> io::Result<()> {
        let (style, answer) = match calls {
            [call] => answer(call),
            calls => answers(calls),
        };
        writeln!(
            self.out,
            "{:>8}  {:>6}  {}  {}  {arrived:>8}",
            seconds(time),
            numbers(calls),
            self.paint(style, &format!("{answer:<40}")),
            self.paint(style_of(state), &format!("{state:<9}")),
        )?;
        let mut noted = NOTED.lock().unwrap_or_else(PoisonError::into_inner);
        for transition in noted.drain(..) {
            self.transition(&transition)?;
        }
        Ok(())
    }

    fn transition(&mut self, transition: &Transition) -> io::Result<()> {
        let cause = transition.cause.as_str().replace('_', " ");
        let judged = match transition.window.calls {
            0 => String::new(),
            calls => format!(": {} of {calls} failed", transition.window.failures),
        };
        let cooldown = match transition.cooldown {
            Some(cooldown) => format!("; stays so for {}", seconds(cooldown)),
            None => String::new(),
        };
        let from = self.paint(style_of(transition.from), &transition.from.to_string());
        let to = self.paint(style_of(transition.to), &transition.to.to_string());
        let why = self.paint(Style::Dim, &format!("({cause}{judged}{cooldown})"));
        writeln!(self.out, "{:>16}  ↳ {from} → {to} {why}", "")
    }

    /// The closing table. Whether the breaker kept its promise.
    pub(crate) fn closing(
        &mut self,
        calls: &[Call],
        arrivals: &[Arrival],
        breaker: &Snapshot,
    ) -> io::Result<bool> {
        let tally = Tally::of(calls);
        self.heading("What the callers got")?;
        self.line("an answer", tally.answered, "")?;
        self.line("503", tally.failed, "")?;
        self.line("no answer in time", tally.late, "")?;
        let spared = tally.rejected > 0;
        let promise = format!("each at once, within {:.0?}", tally.slowest_rejection);
        let promise = self.promise(spared, &promise);
        self.line("a rejection", tally.rejected, &promise)?;

        let closed = arrived_in(State::Closed, arrivals);
        let open = arrived_in(State::Open, arrivals);
        let half_open = arrived_in(State::HalfOpen, arrivals);
        self.heading("What reached the server")?;
        self.line("while closed", closed.iter().sum(), "")?;
        let none_came = open.is_empty();
        let promise = self.promise(none_came, "none may");
        self.line("while open", open.iter().sum(), &promise)?;
        let few_came = half_open.iter().all(|arrived| *arrived <= PROBES);
        let each: Vec<_> = half_open.iter().map(ToString::to_string).collect();
        let promise = format!("{}: at most {PROBES} may each time", each.join(", then "));
        let promise = self.promise(few_came, &promise);
        self.line("while half-open", half_open.iter().sum(), &promise)?;

        writeln!(
            self.out,
            "\nOf {} calls, {} reached the server; the breaker was open for {}.\n",
            calls.len(),
            arrivals.len(),
            seconds(breaker.totals.open),
        )?;
        Ok(spared && none_came && few_came)
    }

    fn heading(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "\n{}", self.paint(Style::Bold, text))
    }

    fn line(&mut self, what: &str, count: u32, remark: &str) -> io::Result<()> {
        let line = format!("  {what:<20}{count:>5}   {remark}");
        writeln!(self.out, "{}", line.trim_end())
    }

    fn promise(&self, kept: bool, promise: &str) -> String {
        if kept {
            self.paint(Style::Green, &format!("✓ {promise}"))
        } else {
            self.paint(Style::Red, &format!("✗ {promise}"))
        }
    }

    fn paint(&self, style: Style, text: &str) -> String {
        let code = match style {
            Style::Plain => return text.to_owned(),
            Style::Bold => 1,
            Style::Dim => 2,
            Style::Red => 31,
            Style::Green => 32,
            Style::Yellow => 33,
        };
        if self.colours { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// How many calls ended how.
#[derive(Default)]
struct Tally {
    answered: u32,
    failed: u32,
    late: u32,
    rejected: u32,
    slowest_rejection: Duration,
}

impl Tally {
    fn of(calls: &[Call]) -> Self {
        let mut tally = Self::default();
        for call in calls {
            match &call.answer {
                Ok(_) | Err(FetchError::Http(ureq::Error::StatusCode(404))) => tally.answered += 1,
                Err(FetchError::Http(ureq::Error::Timeout(_))) => tally.late += 1,
                Err(FetchError::Http(_)) => tally.failed += 1,
                Err(FetchError::Rejected(_)) => {
                    tally.rejected += 1;
                    tally.slowest_rejection = tally.slowest_rejection.max(call.took);
                }
            }
        }
        tally
    }
}

/// How many requests arrived in each phase of this state.
fn arrived_in(state: State, arrivals: &[Arrival]) -> Vec<u32> {
    let mut phases = BTreeMap::new();
    for arrival in arrivals.iter().filter(|arrival| arrival.state == state) {
        *phases.entry(arrival.generation).or_default() += 1;
    }
    phases.into_values().collect()
}

fn numbers(calls: &[Call]) -> String {
    match calls {
        [first, .., last] => format!("{}–{}", first.number, last.number),
        [call] => call.number.to_string(),
        [] => String::new(),
    }
}

fn answer(call: &Call) -> (Style, String) {
    match &call.answer {
        Ok(body) => (Style::Plain, format!("200: {body}")),
        Err(FetchError::Http(ureq::Error::StatusCode(404))) => {
            (Style::Plain, "404: no such page, which is no failure".into())
        }
        Err(FetchError::Http(ureq::Error::StatusCode(status))) => {
            (Style::Red, format!("{status}: a failure"))
        }
        Err(FetchError::Http(ureq::Error::Timeout(_))) => {
            (Style::Red, "no answer in time: a failure".into())
        }
        Err(FetchError::Http(error)) => (Style::Red, format!("{error}: a failure")),
        Err(FetchError::Rejected(rejected)) => {
            (Style::Yellow, format!("rejected: {}", reason(rejected)))
        }
    }
}

/// The row of several callers at once.
fn answers(calls: &[Call]) -> (Style, String) {
    let tally = Tally::of(calls);
    let mut parts = Vec::new();
    for (count, what) in [
        (tally.answered, "answered"),
        (tally.failed, "failed"),
        (tally.late, "not answered in time"),
    ] {
        if count > 0 {
            parts.push(format!("{count} {what}"));
        }
    }
    let refused = calls.iter().find_map(|call| match &call.answer {
        Err(FetchError::Rejected(rejected)) => Some(rejected),
        _ => None,
    });
    if let Some(rejected) = refused {
        parts.push(format!("{} rejected: {}", tally.rejected, reason(rejected)));
    }
    let style = match (tally.failed + tally.late, tally.answered) {
        (0, 0) => Style::Yellow,
        (0, _) => Style::Plain,
        _ => Style::Red,
    };
    (style, parts.join(", "))
}

fn reason(rejected: &Rejected) -> String {
    match (rejected.kind(), rejected.retry_after()) {
        (RejectedKind::ProbesBusy, _) => "probes under way".into(),
        (_, Some(left)) => format!("retry after {}", seconds(left)),
        (kind, None) => kind.as_str().into(),
    }
}

fn style_of(state: State) -> Style {
    match state {
        State::Closed => Style::Green,
        State::HalfOpen => Style::Yellow,
        _ => Style::Red,
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}
