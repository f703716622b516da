//! An HTTP server on loopback that has the trouble it is told to have, and counts what arrives.

use crate::client::Target;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// What is wrong with the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// Every second request fails, from the first on; the others are answered.
    Flaky,
    /// Every request fails.
    Failing,
    /// No request is ever answered.
    Hanging,
}

/// The service. It ends when this is dropped.
#[derive(Debug)]
pub struct Service {
    url: String,
    arrived: Arc<AtomicU32>,
    accepting: JoinHandle<()>,
}

impl Service {
    /// Starts it.
    ///
    /// # Panics
    ///
    /// If no port is free on loopback.
    pub async fn start(trouble: Trouble) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}/", listener.local_addr().expect("it is bound"));
        let arrived = Arc::default();
        let accepting = tokio::spawn(accept(listener, trouble, Arc::clone(&arrived)));
        Self { url, arrived, accepting }
    }

    /// What its clients call, with this limit for an attempt.
    #[must_use]
    pub fn target(&self, limit: Duration) -> Target {
        Target { url: self.url.clone(), limit }
    }

    /// How many requests have arrived.
    #[must_use]
    pub fn arrived(&self) -> u32 {
        self.arrived.load(SeqCst)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn accept(listener: TcpListener, trouble: Trouble, arrived: Arc<AtomicU32>) {
    while let Ok((line, _)) = listener.accept().await {
        tokio::spawn(serve(line, trouble, Arc::clone(&arrived)));
    }
}

/// Reads one request and answers it, or holds the line until the client hangs up.
async fn serve(mut line: TcpStream, trouble: Trouble, arrived: Arc<AtomicU32>) {
    let mut request = Vec::new();
    while !request.ends_with(b"\r\n\r\n") {
        if !matches!(line.read_buf(&mut request).await, Ok(1..)) {
            return;
        }
    }
    let before = arrived.fetch_add(1, SeqCst);
    let status = match trouble {
        Trouble::Flaky if before % 2 == 1 => "200 OK",
        Trouble::Flaky | Trouble::Failing => "500 Internal Server Error",
        Trouble::Hanging => {
            // Ends when the client has gone.
            let _ = line.read(&mut [0]).await;
            return;
        }
    };
    let answer = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    // A client that gave up does not want it any more.
    let _ = line.write_all(answer.as_bytes()).await;
}
