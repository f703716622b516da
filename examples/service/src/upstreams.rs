//! The services that the shop depends on: real servers on loopback that are as well as they are told
//! to be.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::SeqCst};
use tokio::net::TcpListener;

/// One service for prices, and one for the stock of each warehouse.
#[derive(Debug)]
pub struct Upstreams(Vec<Upstream>);

/// How well an upstream is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    /// It answers.
    Well,
    /// Every fifth answer is an error: less than opens a breaker.
    Flaky,
    /// Every answer is an error.
    Down,
}

/// The hosts of the warehouses.
pub(crate) const WAREHOUSES: [&str; 2] = ["north.warehouse.example", "south.warehouse.example"];
pub(crate) const PRICES: &str = "prices.example";

/// Articles with a higher number do not exist.
const ARTICLES: u32 = 100;

#[derive(Debug)]
struct Upstream {
    host: &'static str,
    address: SocketAddr,
    temper: Arc<Temper>,
}

#[derive(Debug, Default)]
struct Temper {
    mood: AtomicU8,
    calls: AtomicU64,
}

impl Upstreams {
    pub(crate) async fn start() -> io::Result<Self> {
        let mut started = Vec::new();
        for host in [PRICES].into_iter().chain(WAREHOUSES) {
            started.push(Upstream::start(host).await?);
        }
        Ok(Self(started))
    }

    /// The hosts.
    pub fn hosts(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|upstream| upstream.host)
    }

    /// Makes the upstream of this host as well as it is to be; false if there is none.
    #[expect(clippy::must_use_candidate, reason = "who takes a host from `hosts` knows the answer")]
    pub fn set(&self, host: &str, mood: Mood) -> bool {
        let found = self.0.iter().find(|upstream| upstream.host == host);
        if let Some(upstream) = found {
            upstream.temper.mood.store(mood as u8, SeqCst);
        }
        found.is_some()
    }

    /// How many calls have reached the upstream of this host.
    #[must_use]
    pub fn calls(&self, host: &str) -> u64 {
        let found = self.0.iter().find(|upstream| upstream.host == host);
        found.map_or(0, |upstream| upstream.temper.calls.load(SeqCst))
    }

    /// Where each host is to be found.
    pub(crate) fn addresses(&self) -> impl Iterator<Item = (&'static str, SocketAddr)> {
        self.0.iter().map(|upstream| (upstream.host, upstream.address))
    }
}

impl Mood {
    /// By the name of it.
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            "well" => Some(Self::Well),
            "flaky" => Some(Self::Flaky),
            "down" => Some(Self::Down),
            _ => None,
        }
    }
}

impl Upstream {
    async fn start(host: &'static str) -> io::Result<Self> {
        let temper = Arc::<Temper>::default();
        let server =
            Router::new().route("/articles/{article}", get(answer)).with_state(Arc::clone(&temper));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        tokio::spawn(async move { axum::serve(listener, server).await });
        Ok(Self { host, address, temper })
    }
}

impl Temper {
    fn is_bad_today(&self) -> bool {
        let call = self.calls.fetch_add(1, SeqCst);
        let mood = self.mood.load(SeqCst);
        mood == Mood::Down as u8 || mood == Mood::Flaky as u8 && call % 5 == 4
    }
}

/// A number that is asked for: a price in cents, or how many are in stock.
async fn answer(
    State(temper): State<Arc<Temper>>,
    Path(article): Path<u32>,
) -> Result<Json<u32>, StatusCode> {
    if temper.is_bad_today() {
        return Err(StatusCode::SERVICE_UNAVAILABLE);
    }
    if article > ARTICLES {
        return Err(StatusCode::NOT_FOUND);
    }
    Ok(Json(article * 100))
}
