//! An HTTP server on loopback that does only what the test says.
//!
//! It answers nothing by itself: each request that arrives is handed to the test, which answers it,
//! holds it, or drops the line. So a test knows at each moment who waits for what, and needs neither
//! sleep nor luck.

mod fetch_error;

pub use fetch_error::FetchError;
use socket2::{Domain, SockRef, Socket, Type};
use std::io::{self, BufRead, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How long the test waits for a request that never comes, before it fails instead of hanging.
const PATIENCE: Duration = Duration::from_secs(10);

/// A port where nobody listens: a connection to it is refused, and no other program can take it.
#[derive(Debug)]
pub struct ClosedPort {
    socket: Socket,
    address: SocketAddr,
}

/// A server on a free port, with a thread of its own.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    requests: Receiver<Request>,
    closing: Arc<AtomicBool>,
    acceptor: JoinHandle<usize>,
}

/// A request that has arrived, and whose client waits. Dropping it drops the line.
#[derive(Debug)]
#[must_use = "dropping a request drops its client's line"]
pub struct Request {
    line: TcpStream,
    path: String,
}

impl ClosedPort {
    /// Takes a free port.
    ///
    /// # Panics
    ///
    /// If no port is free on loopback.
    #[must_use]
    pub fn reserve() -> Self {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None).expect("a socket");
        let free = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        socket.bind(&free.into()).expect("a free port");
        let address = socket.local_addr().ok().and_then(|address| address.as_socket());
        Self { socket, address: address.expect("a bound socket has an address") }
    }

    /// Where to call in vain.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Starts a server there.
    ///
    /// # Panics
    ///
    /// If the port cannot be listened at.
    #[must_use]
    pub fn open(self) -> Server {
        self.socket.listen(128).expect("a bound socket can listen");
        Server::at(self.socket.into())
    }
}

impl Server {
    /// Starts a server.
    ///
    /// # Panics
    ///
    /// If no port is free on loopback.
    #[must_use]
    pub fn start() -> Self {
        Self::at(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port"))
    }

    fn at(listener: TcpListener) -> Self {
        let address = listener.local_addr().expect("a bound listener has an address");
        let closing = Arc::new(AtomicBool::new(false));
        let (sender, requests) = mpsc::channel();
        let acceptor = thread::spawn({
            let closing = Arc::clone(&closing);
            move || accept(&listener, &closing, &sender)
        });
        Self { address, requests, closing, acceptor }
    }

    /// Where to call it.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// The next request, as soon as it has arrived.
    ///
    /// # Panics
    ///
    /// If none arrives.
    pub fn request(&self) -> Request {
        self.requests.recv_timeout(PATIENCE).expect("a request was to arrive, and none did")
    }

    /// Gives every request this answer for as long as `work` goes on.
    ///
    /// # Panics
    ///
    /// If `work` does.
    pub fn answering<T: Send>(&self, status: u16, work: impl FnOnce() -> T + Send) -> T {
        thread::scope(|scope| {
            let work = scope.spawn(work);
            while !work.is_finished() {
                if let Ok(request) = self.requests.recv_timeout(Duration::from_millis(1)) {
                    request.answer(status);
                }
            }
            work.join().expect("the work goes well")
        })
    }

    /// Closes the port and says how many requests have arrived, from the first to the last.
    ///
    /// # Panics
    ///
    /// If requests have arrived that the test did not ask for.
    #[must_use = "the number of requests is what the test is about"]
    pub fn finish(self) -> usize {
        self.closing.store(true, SeqCst);
        // A last connection, behind all others in the queue, so that none of them is overlooked.
        drop(TcpStream::connect(self.address));
        let arrived = self.acceptor.join().expect("the server does not panic");
        assert_eq!(self.requests.try_iter().count(), 0, "requests that the test did not expect");
        arrived
    }
}

impl Request {
    /// Answers with this status and an empty body.
    ///
    /// # Panics
    ///
    /// If the client has gone.
    pub fn answer(self, status: u16) {
        self.answer_with(status, "");
    }

    /// Answers with this status, these headers, each with its end of line, and an empty body.
    ///
    /// # Panics
    ///
    /// If the client has gone.
    pub fn answer_with(mut self, status: u16, headers: &str) {
        self.send(status, 0, headers, "");
    }

    /// Answers with a good status and this body.
    ///
    /// # Panics
    ///
    /// If the client has gone.
    pub fn answer_page(mut self, body: &str) {
        self.send(200, body.len(), "", body);
    }

    /// Answers with a good status and half of a body, and drops the line.
    ///
    /// # Panics
    ///
    /// If the client has gone.
    pub fn break_off(mut self) {
        self.send(200, 8, "", "half");
    }

    /// The same, and resets the line: what is under way is lost, and the client is told so.
    ///
    /// # Panics
    ///
    /// If the client has gone.
    pub fn reset_amid_body(mut self) {
        self.send(200, 8, "", "half");
        SockRef::from(&self.line).set_linger(Some(Duration::ZERO)).expect("a connected line");
    }

    /// What was asked for: `/ann`.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    fn send(&mut self, status: u16, length: usize, headers: &str, body: &str) {
        write!(
            self.line,
            "HTTP/1.1 {status} Status\r\nContent-Length: {length}\r\nConnection: close\r\n{headers}\r\n{body}"
        )
        .expect("the client waits for its answer");
    }
}

/// Hands every request on until the server closes, and counts them.
fn accept(listener: &TcpListener, closing: &AtomicBool, requests: &Sender<Request>) -> usize {
    let mut arrived = 0;
    loop {
        let (line, _) = listener.accept().expect("a listener accepts");
        match read_request(line) {
            Ok(request) => {
                arrived += 1;
                requests.send(request).expect("the test is still there");
            }
            Err(_) if closing.load(SeqCst) => return arrived,
            Err(fault) => panic!("a connection without a request: {fault}"),
        }
    }
}

/// Reads the head of a request; none of the tests' requests has a body.
fn read_request(line: TcpStream) -> io::Result<Request> {
    let mut head = BufReader::new(&line).lines();
    let mut next = || head.next().unwrap_or(Err(io::ErrorKind::UnexpectedEof.into()));
    let path = next()?.split(' ').nth(1).unwrap_or_default().to_owned();
    while !next()?.is_empty() {}
    Ok(Request { line, path })
}
