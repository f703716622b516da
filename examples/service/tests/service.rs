//! The whole service, over HTTP: traffic, an outage of an upstream, and what operators see and do. The
//! breakers' time stands still, so each cooldown is exactly as long as it says.

use breakerbox::testing::Clock;
use breakerbox::{Breaker, Config};
use serde_json::{Value, json};
use service::{Mood, Service};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Duration;
use tokio::runtime::Runtime;

const TOKEN: &str = "open sesame";
const PRICES: &str = "prices.example";
const NORTH: &str = "north.warehouse.example";

#[test]
fn an_outage_is_degraded_service_and_ends_by_itself() {
    // s f f f f   x x   …5 s…  s s
    // closed      open         half-open, closed
    let shop = Shop::open();
    let well = shop.get("/articles/7");
    assert_eq!((well.status, well.header("x-degraded")), (200, None));
    assert_eq!(well.body, r#"{"article":7,"price_cents":700,"in_stock":700,"degraded":[]}"#);

    shop.service.upstreams.set(PRICES, Mood::Down);
    let mut failed = 0;
    while shop.get("/articles/7").status == 502 {
        failed += 1;
    }
    assert_eq!(failed, 4, "four failures of five calls open");
    let reached = shop.service.upstreams.calls(PRICES);
    let degraded = shop.get("/articles/7");
    assert_eq!((degraded.status, degraded.header("x-degraded")), (200, Some("price")));
    assert_eq!(
        degraded.body,
        r#"{"article":7,"price_cents":700,"in_stock":700,"degraded":["price"]}"#
    );
    let unknown = shop.get("/articles/8");
    assert_eq!((unknown.status, unknown.header("retry-after")), (503, Some("5")));
    assert_eq!(shop.service.upstreams.calls(PRICES), reached, "nobody asked");

    let health = shop.get("/health");
    assert_eq!(health.status, 200);
    assert_eq!(health.json(), json!({ "status": "ok", "breakers_not_closed": ["price"] }));
    let seen = shop.breaker("price");
    assert_eq!(seen["state"], "open");
    assert_eq!(seen["remaining_cooldown_seconds"], 5.0);
    assert_eq!(shop.metric(r#"breakerbox_state{breaker="price",state="open"}"#), 1);

    shop.service.upstreams.set(PRICES, Mood::Well);
    shop.clock.advance(Duration::from_secs(5));
    for _probe in 0..2 {
        assert_eq!(shop.get("/articles/7").header("x-degraded"), None);
    }
    assert_eq!(shop.breaker("price")["state"], "closed");
    let health = shop.get("/health").json();
    assert_eq!(health, json!({ "status": "ok", "breakers_not_closed": [] }));
}

#[test]
fn one_warehouse_that_is_down_leaves_the_others_alone() {
    let shop = Shop::open();
    shop.service.upstreams.set(NORTH, Mood::Down);
    for _ in 0..5 {
        let north = shop.get("/articles/7?warehouse=north");
        assert_eq!((north.status, north.header("x-degraded")), (200, Some("stock")));
        assert_eq!(north.json()["in_stock"], Value::Null);
        assert_eq!(shop.get("/articles/7?warehouse=south").json()["in_stock"], 700);
    }
    assert_eq!(shop.service.upstreams.calls(NORTH), 3, "then its breaker was open");
    assert_eq!(shop.breaker("stock[north.warehouse.example]")["state"], "open");
    assert_eq!(shop.breaker("stock[south.warehouse.example]")["state"], "closed");
    assert_eq!(shop.metric(r#"breakerbox_state{breaker="stock",state="open"}"#), 1);
    assert!(!shop.get("/metrics").body.contains("warehouse"), "keys are summed");
    let reset = shop.post("/breakers/stock%5Bnorth.warehouse.example%5D/reset", Some(TOKEN));
    assert_eq!(reset.status, 200);
    assert_eq!(shop.breaker("stock[north.warehouse.example]")["state"], "closed");
}

#[test]
fn metrics_count_what_customers_got() {
    let shop = Shop::open();
    for article in [1, 2, 3, 1_000] {
        shop.get(&format!("/articles/{article}"));
    }
    shop.post("/breakers/price/force-open", Some(TOKEN));
    shop.get("/articles/1");
    shop.get("/articles/99");
    assert_eq!(shop.counts(), [4, 0, 2, 2], "success, failure, rejected, fallbacks");
    let page = shop.get("/metrics");
    assert_eq!(page.header("content-type"), Some("text/plain; version=0.0.4; charset=utf-8"));
    assert!(page.body.contains("# TYPE breakerbox_calls_total counter\n"), "{}", page.body);
}

#[test]
fn a_breaker_is_steered_by_hand() {
    let shop = Shop::open();
    for (action, state) in
        [("force-open", "forced_open"), ("disable", "disabled"), ("reset", "closed")]
    {
        let answer = shop.post(&format!("/breakers/price/{action}"), Some(TOKEN));
        assert_eq!(answer.status, 200);
        let said = json!({ "breaker": "price", "changed": 1, "states": [state] });
        assert_eq!(answer.json(), said);
        assert_eq!(shop.breaker("price")["state"], state);
    }
}

#[test]
fn all_breakers_of_one_name_are_changed() {
    let shop = Shop::open();
    let twins = [(); 2].map(|()| Breaker::shared("twins", Config::new()).expect("a valid config"));
    let answer = shop.post("/breakers/twins/force-open", Some(TOKEN));
    assert_eq!(answer.json()["changed"], 2);
    assert!(twins.iter().all(|twin| twin.acquire().is_err()));
}

#[test]
fn without_the_token_nothing_is_changed() {
    let shop = Shop::open();
    for token in [None, Some(""), Some("open"), Some("open sesame!"), Some("OPEN SESAME")] {
        for path in [
            "/breakers/price/force-open",
            "/breakers/nobody/reset",
            "/upstreams/prices.example/down",
        ] {
            let answer = shop.post(path, token);
            assert_eq!((answer.status, answer.header("www-authenticate")), (401, Some("Bearer")));
        }
    }
    assert_eq!(shop.breaker("price")["state"], "closed");
    assert_eq!(shop.get("/articles/7").status, 200);
}

#[test]
fn what_does_not_exist_is_not_found() {
    let shop = Shop::open();
    for path in [
        "/breakers/nobody/reset",
        "/breakers/price/explode",
        "/upstreams/nobody/down",
        "/upstreams/prices.example/tired",
    ] {
        assert_eq!(shop.post(path, Some(TOKEN)).status, 404, "{path}");
    }
    assert_eq!(shop.breaker("price")["state"], "closed");
    assert_eq!(shop.get("/articles/1000").status, 404);
    assert_eq!(shop.get("/articles/7?warehouse=west").status, 404);
    assert_eq!(shop.post("/upstreams/prices.example/down", Some(TOKEN)).status, 204);
    assert_eq!(shop.get("/articles/7").status, 502);
}

#[test]
fn a_browser_gets_a_table_with_all_names_escaped() {
    let shop = Shop::open();
    let name = "<script>alert('&\"')</script>";
    let _hostile = Breaker::shared(name, Config::new()).expect("a valid config");
    let accept = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8";
    let page = shop.get_as("/breakers", accept);
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    assert!(page.header("content-security-policy").is_some());
    assert!(page.body.contains("<tr><td>price</td>"), "{}", page.body);
    assert!(
        page.body
            .contains("<tr><td>&lt;script&gt;alert(&#39;&amp;&quot;&#39;)&lt;/script&gt;</td>")
    );
    assert!(!page.body.contains("<script"));
    assert_eq!(shop.breaker(name)["state"], "closed", "JSON says it as it is");
}

#[test]
fn the_program_says_where_it_listens_and_what_to_try() {
    let mut program = Command::new(env!("CARGO_BIN_EXE_service"))
        .arg("0")
        .env("SERVICE_TOKEN", TOKEN)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program");
    let mut said = BufReader::new(program.stdout.take().expect("its output")).lines();
    let first = said.next().expect("a line").expect("text");
    let url = first.strip_prefix("The service listens on ").expect(&first).to_owned();
    let answer = get(&format!("{url}/health"), "*/*");
    program.kill().expect("it runs");
    program.wait().expect("it ends");
    assert_eq!(answer.status, 200);
    assert!(said.any(|line| line.is_ok_and(|line| line.contains("/articles/7?warehouse=north"))));
}

/// A service of its own, with the turn of the tests and the breakers' time in its hand.
struct Shop {
    service: Service,
    clock: Clock,
    #[expect(dead_code, reason = "the servers live as long")]
    runtime: Runtime,
}

impl Shop {
    fn open() -> Self {
        let clock = Clock::freeze();
        let runtime = Runtime::new().expect("a runtime");
        let service = runtime.block_on(Service::start(0, TOKEN.to_owned())).expect("a free port");
        Self { service, clock, runtime }
    }

    fn get(&self, path: &str) -> Answer {
        self.get_as(path, "*/*")
    }

    fn get_as(&self, path: &str, accept: &str) -> Answer {
        get(&format!("http://{}{path}", self.service.address), accept)
    }

    fn post(&self, path: &str, token: Option<&str>) -> Answer {
        let mut request = ureq::post(format!("http://{}{path}", self.service.address));
        if let Some(token) = token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let request = request.config().proxy(None).http_status_as_error(false).build();
        Answer::from(request.send_empty().expect("an answer"))
    }

    /// The one breaker of this name, as JSON.
    fn breaker(&self, name: &str) -> Value {
        let all = self.get("/breakers").json();
        let all = all["breakers"].as_array().expect("a list");
        let found: Vec<_> = all.iter().filter(|breaker| breaker["name"] == name).collect();
        assert_eq!(found.len(), 1, "{name}");
        found[0].clone()
    }

    fn metric(&self, series: &str) -> u64 {
        let page = self.get("/metrics").body;
        let value = page.lines().find_map(|line| line.strip_prefix(series)).expect(series);
        value.trim().parse().expect("a whole number")
    }

    /// Calls for prices that succeeded, failed, were rejected by hand, and were answered by the
    /// last known price.
    fn counts(&self) -> [u64; 4] {
        [
            r#"breakerbox_calls_total{breaker="price",outcome="success"}"#,
            r#"breakerbox_calls_total{breaker="price",outcome="failure"}"#,
            r#"breakerbox_rejected_calls_total{breaker="price",kind="forced_open"}"#,
            r#"breakerbox_fallbacks_total{breaker="price"}"#,
        ]
        .map(|series| self.metric(series))
    }
}

fn get(url: &str, accept: &str) -> Answer {
    let request = ureq::get(url).header("accept", accept).config().proxy(None);
    let request = request.http_status_as_error(false).build();
    Answer::from(request.call().expect("an answer"))
}

struct Answer {
    status: u16,
    head: ureq::http::HeaderMap,
    body: String,
}

impl Answer {
    fn header(&self, name: &str) -> Option<&str> {
        self.head.get(name).map(|value| value.to_str().expect("text"))
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect("JSON")
    }
}

impl From<ureq::http::Response<ureq::Body>> for Answer {
    fn from(answer: ureq::http::Response<ureq::Body>) -> Self {
        let (head, mut body) = answer.into_parts();
        let body = body.read_to_string().expect("text");
        Self { status: head.status.as_u16(), head: head.headers, body }
    }
}
