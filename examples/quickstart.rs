//! A breaker at work on real traffic: `cargo run --example quickstart`.
//!
//! A real HTTP server on loopback answers, fails, hangs and recovers, while a real HTTP client calls
//! it through the annotated function below. The server keeps a log of what reached it, and in what
//! state the breaker was just then: the example fails if a request came while the breaker was open,
//! if more than `probes` came while it was half-open, or if no call was ever rejected.

#[path = "quickstart/screen.rs"]
mod screen;
#[path = "quickstart/server.rs"]
mod server;

use breakerbox::{Outcome, Rejected, circuit_breaker};
use screen::Screen;
use server::{Mood, Server};
use std::io;
use std::process::ExitCode;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

/// How many calls may try whether the server is well again.
const PROBES: u32 = 3;

/// The protected function: a plain HTTP call with a time-out.
#[circuit_breaker(
    threshold = 10,      // judge once there are ten calls
    window = "10s",      // in the last ten seconds:
    rate = 0.5,          // open if half of them failed,
    cooldown = "1s",     // for a second,
    max_cooldown = "2s", // or for two if the server is still down then,
    probes = PROBES,     // and close as soon as three probes have succeeded
    classify = outcome_of,
    on_transition = screen::note,
    handle = fetch_breaker
)]
fn fetch(url: &str) -> Result<String, FetchError> {
    let mut answer = ureq::get(url)
        .config()
        .timeout_global(Some(Duration::from_millis(300)))
        .proxy(None)
        .build()
        .call()?;
    Ok(answer.body_mut().read_to_string()?)
}

/// What an answer says about the server. That it has no such page is no failure of it.
fn outcome_of(answer: &Result<String, FetchError>) -> Outcome {
    match answer {
        Ok(_) | Err(FetchError::Http(ureq::Error::StatusCode(404))) => Outcome::Success,
        Err(_) => Outcome::Failure, // a 503, a time-out, no connection
    }
}

/// What the caller gets instead of a page: the client's error, or the breaker's.
enum FetchError {
    Http(ureq::Error),
    Rejected(Rejected),
}

impl From<ureq::Error> for FetchError {
    fn from(error: ureq::Error) -> Self {
        Self::Http(error)
    }
}

impl From<Rejected> for FetchError {
    fn from(rejected: Rejected) -> Self {
        Self::Rejected(rejected)
    }
}

/// What the server does for some rounds of calls. Nobody tells the breaker.
struct Scene {
    title: &'static str,
    mood: Mood,
    rounds: u32,
    callers: usize,
}

const SCRIPT: [Scene; 4] = [
    Scene {
        title: "The server is well, but has no page 4.",
        mood: Mood::Well,
        rounds: 6,
        callers: 1,
    },
    Scene { title: "The server fails.", mood: Mood::Failing, rounds: 10, callers: 1 },
    Scene { title: "The server hangs.", mood: Mood::Hanging, rounds: 5, callers: 1 },
    Scene {
        title: "The server is well again, and now eight callers come at once.",
        mood: Mood::Well,
        rounds: 7,
        callers: 8,
    },
];

/// The time from one round to the next.
const BEAT: Duration = Duration::from_millis(250);

/// One call, as its caller saw it.
struct Call {
    number: usize,
    answer: Result<String, FetchError>,
    took: Duration,
}

fn main() -> io::Result<ExitCode> {
    let server = Server::start(fetch_breaker())?;
    let mut screen = Screen::new();
    screen.opening(&server.url(""))?;
    let start = Instant::now();
    let mut calls: Vec<Call> = Vec::new();
    for scene in SCRIPT {
        screen.scene(scene.title)?;
        server.set(scene.mood);
        for _ in 0..scene.rounds {
            let (time, begin) = (start.elapsed(), Instant::now());
            let round = at_once(scene.callers, calls.len() + 1, &server);
            screen.round(time, &round, fetch_breaker().state(), server.arrivals().len())?;
            calls.extend(round);
            thread::sleep(BEAT.saturating_sub(begin.elapsed()));
        }
    }
    let kept = screen.closing(&calls, &server.arrivals(), &fetch_breaker().snapshot())?;
    Ok(if kept { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn at_once(callers: usize, first: usize, server: &Server) -> Vec<Call> {
    let together = Barrier::new(callers);
    let call = |number: usize| {
        let url = server.url(&format!("page/{number}"));
        together.wait();
        let start = Instant::now();
        let answer = fetch(&url);
        Call { number, answer, took: start.elapsed() }
    };
    thread::scope(|scope| {
        let callers: Vec<_> =
            (first..first + callers).map(|number| scope.spawn(move || call(number))).collect();
        callers.into_iter().map(|caller| caller.join().expect("no caller panics")).collect()
    })
}
