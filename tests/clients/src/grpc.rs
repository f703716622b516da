//! A gRPC server on loopback that does only what the test says, and its client: gRPC's own service
//! for health, which is there ready-made.

use crate::RUNTIME;
use std::error::Error;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::body::Body;
use tonic::codegen::http;
use tonic::service::Routes;
use tonic::transport::{Channel, Endpoint, Server};
use tonic::{Request, Response, Status};
use tonic_health::pb::health_client::HealthClient;
use tonic_health::pb::health_server::{self, Health};
use tonic_health::pb::{HealthCheckRequest, HealthCheckResponse};
use tower::layer::util::Identity;
use tower::{Layer, Service};

/// How long the test waits for a request that never comes, before it fails instead of hanging.
const PATIENCE: Duration = Duration::from_secs(10);

type BoxError = Box<dyn Error + Send + Sync>;

/// What a call ends with.
pub type Answer = Result<Response<HealthCheckResponse>, Status>;

/// A server on a free port. Each request waits for the test to answer it.
#[derive(Debug)]
pub struct HealthServer {
    url: String,
    requests: Receiver<Held>,
    arrived: Arc<AtomicUsize>,
}

/// A request that has arrived, and whose client waits.
#[derive(Debug)]
#[must_use = "its client waits"]
pub struct Held(oneshot::Sender<Answer>);

impl HealthServer {
    /// Starts a server.
    ///
    /// # Panics
    ///
    /// If no port is free on loopback.
    #[must_use]
    pub fn start() -> Self {
        Self::start_with(Identity::new())
    }

    /// Starts a server with a layer around it.
    ///
    /// # Panics
    ///
    /// If no port is free on loopback.
    pub fn start_with<L>(layer: L) -> Self
    where
        L: Layer<Routes> + Clone + Send + 'static,
        L::Service: Service<
                http::Request<Body>,
                Response = http::Response<Body>,
                Error: Into<BoxError> + Send,
                Future: Send,
            > + Clone
            + Send
            + 'static,
    {
        let listener = RUNTIME.block_on(TcpListener::bind("127.0.0.1:0")).expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("it is bound"));
        let arrived = Arc::default();
        let (sender, requests) = mpsc::channel();
        let script = Script { arrived: Arc::clone(&arrived), requests: Mutex::new(sender) };
        let router =
            Server::builder().layer(layer).add_service(health_server::HealthServer::new(script));
        RUNTIME.spawn(router.serve_with_incoming(TcpListenerStream::new(listener)));
        Self { url, requests, arrived }
    }

    /// Where to call it.
    #[must_use]
    pub fn url(&self) -> String {
        self.url.clone()
    }

    /// The next request, as soon as it has arrived.
    ///
    /// # Panics
    ///
    /// If none arrives.
    pub fn request(&self) -> Held {
        self.requests.recv_timeout(PATIENCE).expect("a request was to arrive, and none did")
    }

    /// How many requests have arrived.
    #[must_use]
    pub fn arrived(&self) -> usize {
        self.arrived.load(SeqCst)
    }
}

impl Held {
    /// Answers with this status, or well.
    ///
    /// # Panics
    ///
    /// If the client has gone.
    pub fn answer(self, status: Option<Status>) {
        let answer = status.map_or_else(|| Ok(Response::new(HealthCheckResponse::default())), Err);
        self.0.send(answer).expect("the client waits for its answer");
    }
}

/// A channel that connects when it is first used.
///
/// # Panics
///
/// If the address cannot be read.
#[must_use]
pub fn channel(url: String) -> Channel {
    let _inside = RUNTIME.enter();
    Endpoint::from_shared(url).expect("an address").connect_lazy()
}

/// One call.
///
/// # Errors
///
/// What the server answers, or what the client makes of its silence.
pub async fn check(channel: Channel) -> Answer {
    HealthClient::new(channel).check(HealthCheckRequest::default()).await
}

struct Script {
    arrived: Arc<AtomicUsize>,
    requests: Mutex<Sender<Held>>,
}

#[tonic::async_trait]
impl Health for Script {
    type WatchStream = tokio_stream::Empty<Result<HealthCheckResponse, Status>>;

    async fn check(&self, _: Request<HealthCheckRequest>) -> Answer {
        self.arrived.fetch_add(1, SeqCst);
        let (sender, answer) = oneshot::channel();
        let held = Held(sender);
        // Fails only where the test is over.
        let _ = self.requests.lock().map(|requests| requests.send(held));
        answer.await.unwrap_or_else(|_| Err(Status::aborted("the test is over")))
    }

    async fn watch(
        &self,
        _: Request<HealthCheckRequest>,
    ) -> Result<Response<Self::WatchStream>, Status> {
        Err(Status::unimplemented("only single calls here"))
    }
}

impl fmt::Debug for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Script").finish_non_exhaustive()
    }
}
