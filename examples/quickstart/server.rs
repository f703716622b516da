//! A real HTTP server on a free port of loopback, with threads of its own and a log of what reached
//! it.

use breakerbox::{Breaker, State};
use std::io::{self, BufRead, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// What the server does with requests.
#[derive(Clone, Copy)]
pub(crate) enum Mood {
    /// Answers 200, or 404 where it has no such page.
    Well,
    /// Answers 503.
    Failing,
    /// Takes the request and says nothing.
    Hanging,
}

/// A request that reached the server, and what the breaker said just then.
#[derive(Clone, Copy)]
pub(crate) struct Arrival {
    pub(crate) state: State,
    /// Tells one phase of a state from the next.
    pub(crate) generation: u64,
}

pub(crate) struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    watched: &'static Breaker,
    mood: Mutex<Mood>,
    arrivals: Mutex<Vec<Arrival>>,
}

impl Server {
    pub(crate) fn start(watched: &'static Breaker) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            watched,
            mood: Mutex::new(Mood::Well),
            arrivals: Mutex::new(Vec::new()),
        });
        thread::spawn({
            let shared = Arc::clone(&shared);
            move || {
                for line in listener.incoming().flatten() {
                    let shared = Arc::clone(&shared);
                    // A client that went away is not worth a word.
                    thread::spawn(move || shared.serve(&line).unwrap_or_default());
                }
            }
        });
        Ok(Self { address, shared })
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}/{path}", self.address)
    }

    pub(crate) fn set(&self, mood: Mood) {
        *lock(&self.shared.mood) = mood;
    }

    pub(crate) fn arrivals(&self) -> Vec<Arrival> {
        lock(&self.shared.arrivals).clone()
    }
}

impl Shared {
    fn serve(&self, mut line: &TcpStream) -> io::Result<()> {
        let mut request = BufReader::new(line);
        let mut first = String::new();
        request.read_line(&mut first)?;
        let page = first.split(' ').nth(1).unwrap_or_default().to_owned();
        while !matches!(request.read_line(&mut first)?, 0 | 2) {}

        let seen = self.watched.snapshot();
        lock(&self.arrivals).push(Arrival { state: seen.state, generation: seen.generation });

        let mood = *lock(&self.mood);
        let (status, body) = match mood {
            Mood::Well if page == "/page/4" => ("404 Not Found", "There is no such page.".into()),
            Mood::Well => ("200 OK", format!("This is {page}.")),
            Mood::Failing => ("503 Service Unavailable", "Come back later.".into()),
            Mood::Hanging => {
                // Until the client has had enough and closes the line.
                io::copy(&mut request, &mut io::sink())?;
                return Ok(());
            }
        };
        thread::sleep(Duration::from_millis(20)); // the work that an answer takes
        let length = body.len();
        write!(
            line,
            "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        )
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
