//! Starts the service and says what to try: `cargo run -p service`. An argument is the port to
//! listen on (3000 if there is none); the token is taken from `SERVICE_TOKEN`, or made up.

use service::{Mood, Service};
use std::error::Error;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    tracing_subscriber::fmt().with_writer(std::io::stderr).init();
    let port = std::env::args().nth(1).map_or(Ok(3000), |port| port.parse())?;
    let token = match std::env::var("SERVICE_TOKEN") {
        Ok(token) if !token.is_empty() => token,
        _ => made_up_token()?,
    };
    let service = Service::start(port, token.clone()).await?;
    for host in service.upstreams.hosts() {
        service.upstreams.set(host, Mood::Flaky);
    }
    print!("{}", what_to_try(&service, &token));
    std::future::pending().await
}

fn made_up_token() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    Ok(format!("{:032x}", u128::from_ne_bytes(bytes)))
}

fn what_to_try(service: &Service, token: &str) -> String {
    let url = format!("http://{}", service.address);
    format!(
        "The service listens on {url}
Its upstreams fail every fifth call. In another terminal:

  TOKEN='Authorization: Bearer {token}'
  curl -i '{url}/articles/7?warehouse=north'   # an article: price and stock
  curl -XPOST -H \"$TOKEN\" {url}/upstreams/prices.example/down   # also: well, flaky
  for i in 1 2 3 4 5 6 7 8; do curl -i {url}/articles/7; done   # errors, then the last known price
  curl {url}/breakers                          # as JSON; in a browser a table
  curl {url}/metrics                           # for Prometheus
  curl {url}/health                            # well, though a breaker is open
  curl -XPOST -H \"$TOKEN\" {url}/breakers/price/reset   # also: force-open, disable
"
    )
}
