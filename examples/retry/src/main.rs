//! Runs each order through each trouble and prints what it cost.

use retry::client::{FetchError, Target};
use retry::orders::{limit_outside, no_breaker, retry_outside, right};
use retry::service::{Service, Trouble};
use std::time::{Duration, Instant};

const OPERATIONS: u32 = 40;
/// The service here answers at once or not at all.
const LIMIT: Duration = Duration::from_millis(30);

/// What became of the operations of one run.
#[derive(Debug, Default)]
struct Results {
    succeeded: u32,
    failed: u32,
    rejected: u32,
    slowest: Duration,
    waited: Duration,
}

impl Results {
    fn add(&mut self, result: &Result<String, FetchError>, took: Duration) {
        match result {
            Ok(_) => self.succeeded += 1,
            Err(FetchError::Rejected(_)) => self.rejected += 1,
            Err(_) => self.failed += 1,
        }
        self.slowest = self.slowest.max(took);
        self.waited += took;
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let troubles = [
        (Trouble::Flaky, "Every second request fails"),
        (Trouble::Failing, "Every request fails"),
        (Trouble::Hanging, "No request is answered"),
    ];
    for (trouble, title) in troubles {
        println!("{title}: {OPERATIONS} operations, one after the other\n");
        println!(
            "{:<16}{:>10}{:>11}{:>8}{:>10}{:>11}{:>11}",
            "order", "arrived", "succeeded", "failed", "rejected", "slowest", "all waited"
        );
        measure("right", trouble, right).await;
        measure("retry outside", trouble, retry_outside).await;
        measure("limit outside", trouble, limit_outside).await;
        measure("no breaker", trouble, no_breaker).await;
        println!();
        breakerbox::panel().reset_all();
    }
}

async fn measure(
    order: &str,
    trouble: Trouble,
    operation: impl AsyncFn(&Target) -> Result<String, FetchError>,
) {
    let service = Service::start(trouble).await;
    let target = service.target(LIMIT);
    let mut results = Results::default();
    for _ in 0..OPERATIONS {
        let start = Instant::now();
        let result = operation(&target).await;
        results.add(&result, start.elapsed());
    }
    let Results { succeeded, failed, rejected, slowest, waited } = results;
    println!(
        "{order:<16}{:>10}{succeeded:>11}{failed:>8}{rejected:>10}{:>8} ms{:>8} ms",
        service.arrived(),
        slowest.as_millis(),
        waited.as_millis()
    );
}
