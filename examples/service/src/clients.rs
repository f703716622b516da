//! The calls to other services, each through a breaker.

use crate::upstreams::{PRICES, Upstreams};
use breakerbox::{Outcome, Rejected, circuit_breaker, panel};
use reqwest::{Client, StatusCode};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What the calls need: a client, and the prices that it has seen.
#[derive(Debug)]
pub(crate) struct Clients {
    http: Client,
    last_prices: Mutex<HashMap<u32, u32>>,
}

/// A price, and whether it is only the last one known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Price {
    pub(crate) cents: u32,
    pub(crate) is_stale: bool,
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum CallError {
    /// The upstream was not asked.
    Rejected(Rejected),
    /// It was not reached, or its answer made no sense.
    Http(reqwest::Error),
    /// It answered with an error.
    Status(StatusCode),
}

/// The price of an article; while the price service is left alone, the last one known.
#[circuit_breaker(
    name = "price",
    threshold = 5,
    window = "10s",
    cooldown = "5s",
    probes = 2,
    classify = outcome_of,
    fallback = last_price,
    handle = price_breaker
)]
pub(crate) async fn price(clients: &Clients, article: u32) -> Result<Price, CallError> {
    let cents = clients.ask(PRICES, article).await?;
    clients.last_prices().insert(article, cents);
    Ok(Price { cents, is_stale: false })
}

/// How many of an article a warehouse has. One breaker for each: a warehouse that is down must not
/// close off the others.
#[circuit_breaker(
    name = "stock",
    key = host,
    capacity = 100,
    consecutive = 3,
    cooldown = "5s",
    probes = 1,
    classify = outcome_of
)]
pub(crate) async fn stock(clients: &Clients, host: &str, article: u32) -> Result<u32, CallError> {
    clients.ask(host, article).await
}

/// Shows the breakers to operators from the start, not only from the first call on.
pub(crate) fn show_in_panel() {
    panel().add(price_breaker());
}

#[expect(clippy::unused_async, reason = "an async function awaits its fallback")]
async fn last_price(
    rejected: Rejected,
    clients: &Clients,
    article: u32,
) -> Result<Price, CallError> {
    let known = clients.last_prices().get(&article).copied();
    known.map(|cents| Price { cents, is_stale: true }).ok_or(CallError::Rejected(rejected))
}

/// That there is no such article is an answer like any other.
fn outcome_of<T>(answer: &Result<T, CallError>) -> Outcome {
    match answer {
        Ok(_) | Err(CallError::Status(StatusCode::NOT_FOUND)) => Outcome::Success,
        Err(_) => Outcome::Failure,
    }
}

impl Clients {
    /// Finds the upstreams by their hosts' names, without asking the network's name service.
    pub(crate) fn of(upstreams: &Upstreams) -> Self {
        let client = Client::builder().no_proxy().timeout(Duration::from_secs(2));
        let http = upstreams
            .addresses()
            .fold(client, |client, (host, address)| client.resolve(host, address))
            .build()
            .unwrap_or_else(|fault| unreachable!("a client without TLS has no cause: {fault}"));
        Self { http, last_prices: Mutex::default() }
    }

    async fn ask(&self, host: &str, article: u32) -> Result<u32, CallError> {
        let answer = self.http.get(format!("http://{host}/articles/{article}")).send().await?;
        match answer.status() {
            StatusCode::OK => Ok(answer.json().await?),
            status => Err(CallError::Status(status)),
        }
    }

    fn last_prices(&self) -> MutexGuard<'_, HashMap<u32, u32>> {
        self.last_prices.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl From<Rejected> for CallError {
    fn from(rejected: Rejected) -> Self {
        Self::Rejected(rejected)
    }
}

impl From<reqwest::Error> for CallError {
    fn from(error: reqwest::Error) -> Self {
        Self::Http(error)
    }
}
