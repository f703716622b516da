//! A metrics page, as Prometheus sees it.

use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusRecorder};
use std::collections::BTreeMap;
use std::fmt;
use std::net::{Ipv4Addr, TcpListener};
use tokio::runtime::{Builder, Runtime};

/// The exporter with its own HTTP server. What is published from this thread through the page goes
/// there and nowhere else.
pub struct Page {
    url: String,
    recorder: PrometheusRecorder,
    #[expect(dead_code, reason = "the server lives as long")]
    runtime: Runtime,
}

impl Page {
    /// A page of its own.
    ///
    /// # Panics
    ///
    /// Where no server can be had.
    #[must_use]
    pub fn open() -> Self {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let context = runtime.enter();
        // Another process may take the free port first; then another is tried.
        let (address, recorder, server) = loop {
            let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
            let address = free.local_addr().unwrap();
            drop(free);
            let exporter = PrometheusBuilder::new().with_http_listener(address);
            if let Ok((recorder, server)) = exporter.build() {
                break (address, recorder, server);
            }
        };
        runtime.spawn(server);
        drop(context);
        Self { url: format!("http://{address}/metrics"), recorder, runtime }
    }

    /// All of it, brought up to date.
    ///
    /// # Panics
    ///
    /// If the page gives no answer.
    #[must_use]
    pub fn scrape(&self) -> String {
        metrics::with_local_recorder(&self.recorder, breakerbox::metrics::publish);
        let answer = ureq::get(&self.url).config().proxy(None).build().call();
        answer.expect("an answer").body_mut().read_to_string().expect("text")
    }

    /// Every value by its series, without the prefix that all have.
    ///
    /// # Panics
    ///
    /// If the page is no page of Prometheus'.
    #[must_use]
    pub fn values(&self) -> BTreeMap<String, f64> {
        let page = self.scrape();
        let series = page.lines().filter_map(|line| line.strip_prefix("breakerbox_"));
        series
            .map(|line| {
                let (series, value) = line.rsplit_once(' ').expect("a series and its value");
                (series.to_owned(), value.parse().expect("a number"))
            })
            .collect()
    }

    /// One value by its series, without the prefix.
    #[must_use]
    pub fn value(&self, series: &str) -> Option<f64> {
        self.values().get(series).copied()
    }

    /// The lines of one breaker, sorted.
    #[must_use]
    pub fn lines_of(&self, breaker: &str) -> Vec<String> {
        let label = format!("{{breaker=\"{breaker}\"");
        let page = self.scrape();
        let mut lines: Vec<_> = page.lines().filter(|line| line.contains(&label)).collect();
        lines.sort_unstable();
        lines.into_iter().map(str::to_owned).collect()
    }
}

impl fmt::Debug for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Page").field("url", &self.url).finish_non_exhaustive()
    }
}
