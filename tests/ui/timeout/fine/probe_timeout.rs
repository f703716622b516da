use resilience::{Breaker, Config, Rejected, circuit_breaker};
use std::time::Duration;

const LONG: Duration = Duration::from_secs(90);
const SHORT: Duration = Duration::from_secs(1);

#[circuit_breaker(crate = resilience, timeout = "60s")]
async fn as_long_as_by_default() -> Result<(), Rejected> {
    Ok(())
}

#[circuit_breaker(crate = resilience, timeout = SHORT, probe_timeout = LONG)]
async fn shorter() -> Result<(), Rejected> {
    Ok(())
}

static SHARED: Breaker = Breaker::new("shared", Config::new().probe_timeout(LONG));

#[circuit_breaker(crate = resilience, timeout = LONG, breaker = &SHARED)]
async fn of_a_borrowed_breaker() -> Result<(), Rejected> {
    Ok(())
}

struct Client;

impl Client {
    const LIMIT: Duration = SHORT;

    #[circuit_breaker(crate = resilience, timeout = Self::LIMIT)]
    async fn of_its_type(&self) -> Result<(), Rejected> {
        Ok(())
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    as_long_as_by_default().await.unwrap();
    shorter().await.unwrap();
    of_a_borrowed_breaker().await.unwrap();
    Client.of_its_type().await.unwrap();
}
