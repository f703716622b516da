//! A shop whose calls to other services go through circuit breakers, and what its operators see of
//! it. `cargo run -p service` starts it and says what to try.
//!
//! Read on in the order in which a request passes: `shop` answers customers, `clients` calls the
//! `upstreams` through breakers, and `operators` shows the breakers and steers them.

mod clients;
mod operators;
mod page;
mod shop;
mod upstreams;

pub use upstreams::{Mood, Upstreams};

use axum::Router;
use clients::Clients;
use operators::Token;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use tokio::net::TcpListener;

/// The service, running.
#[derive(Debug)]
pub struct Service {
    /// Where it listens.
    pub address: SocketAddr,
    /// What it calls.
    pub upstreams: Arc<Upstreams>,
}

impl Service {
    /// Starts the upstreams and the service on loopback; at port 0 a free one is taken. Whoever
    /// knows the token may steer the breakers.
    ///
    /// # Errors
    ///
    /// If there is no port to listen on.
    pub async fn start(port: u16, token: String) -> io::Result<Self> {
        clients::show_in_panel();
        let upstreams = Arc::new(Upstreams::start().await?);
        let clients = Arc::new(Clients::of(&upstreams));
        let service = Router::new()
            .merge(shop::routes(clients))
            .merge(operators::routes(Token::new(token), Arc::clone(&upstreams)));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let address = listener.local_addr()?;
        tokio::spawn(async move { axum::serve(listener, service).await });
        Ok(Self { address, upstreams })
    }
}
