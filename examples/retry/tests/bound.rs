//! How many attempts reach the server, over real sockets, in each order.

use breakerbox::testing::Clock;
use breakerbox::{Breaker, RejectedKind, State};
use retry::client::{ATTEMPTS, FetchError, Target};
use retry::orders::{
    limit_outside, limit_outside_breaker, no_breaker, retry_outside, retry_outside_breaker, right,
    right_breaker,
};
use retry::service::{Service, Trouble};
use std::time::Duration;

const OPERATIONS: u32 = 10;
/// Outcomes that the breakers want before they judge.
const THRESHOLD: u32 = 4;
const COOLDOWN: Duration = Duration::from_secs(15);

/// Starts a service, and gives its clients a limit that they meet only where it never answers. In the
/// latter case a request has that long to arrive.
async fn start(trouble: Trouble) -> (Service, Target) {
    let service = Service::start(trouble).await;
    let millis = if trouble == Trouble::Hanging { 200 } else { 10_000 };
    let target = service.target(Duration::from_millis(millis));
    (service, target)
}

/// Operations, one after the other: how many succeeded, failed, were rejected.
async fn run(
    operation: impl AsyncFn(&Target) -> Result<String, FetchError>,
    target: &Target,
) -> (u32, u32, u32) {
    let (mut succeeded, mut failed, mut rejected) = (0, 0, 0);
    for _ in 0..OPERATIONS {
        match operation(target).await {
            Ok(_) => succeeded += 1,
            Err(FetchError::Rejected(_)) => rejected += 1,
            Err(_) => failed += 1,
        }
    }
    (succeeded, failed, rejected)
}

fn rejections(breaker: &Breaker) -> u64 {
    breaker.snapshot().totals.rejected(RejectedKind::Open)
}

#[tokio::test]
async fn an_operation_that_a_retry_saves_is_one_success() {
    let _clock = Clock::freeze();
    let (service, target) = start(Trouble::Flaky).await;
    assert_eq!(run(right, &target).await, (OPERATIONS, 0, 0));
    assert_eq!(service.arrived(), 2 * OPERATIONS);
    let window = right_breaker().snapshot().window;
    assert_eq!((window.calls, window.failures), (10, 0));
}

#[tokio::test]
async fn an_outage_gets_the_attempts_of_as_many_operations_as_open_the_breaker() {
    for trouble in [Trouble::Failing, Trouble::Hanging] {
        let clock = Clock::freeze();
        let (service, target) = start(trouble).await;
        assert_eq!(run(right, &target).await, (0, THRESHOLD, OPERATIONS - THRESHOLD));
        assert_eq!(service.arrived(), THRESHOLD * ATTEMPTS, "{trouble:?}");
        // None of the others was tried again.
        assert_eq!(rejections(right_breaker()), 10 - 4);

        // The first probe has its attempts too, and then it is open again.
        clock.advance(COOLDOWN);
        assert_eq!(run(right, &target).await, (0, 1, OPERATIONS - 1));
        assert_eq!(service.arrived(), (THRESHOLD + 1) * ATTEMPTS, "{trouble:?}");
    }
}

#[tokio::test]
async fn with_the_retry_outside_faults_that_a_retry_hides_open_the_breaker() {
    let _clock = Clock::freeze();
    let (service, target) = start(Trouble::Flaky).await;
    // Two operations, four attempts, half of them failed.
    assert_eq!(run(retry_outside, &target).await, (2, 0, OPERATIONS - 2));
    assert_eq!(service.arrived(), THRESHOLD);
}

#[tokio::test]
async fn with_the_retry_outside_an_open_breaker_is_asked_three_times_over() {
    let _clock = Clock::freeze();
    let (service, target) = start(Trouble::Failing).await;
    // f f f   f x x   x x x   …
    assert_eq!(run(retry_outside, &target).await, (0, 1, OPERATIONS - 1));
    assert_eq!(service.arrived(), THRESHOLD);
    // Each of them after a pause, but for the first of an operation.
    assert_eq!(rejections(retry_outside_breaker()), 10 * 3 - 4);
}

#[tokio::test]
async fn with_the_limit_outside_the_breaker_learns_nothing_of_a_service_that_hangs() {
    let _clock = Clock::freeze();
    let (service, target) = start(Trouble::Hanging).await;
    assert_eq!(run(limit_outside, &target).await, (0, OPERATIONS, 0));
    assert_eq!(service.arrived(), OPERATIONS);
    assert_eq!(limit_outside_breaker().state(), State::Closed);
    assert_eq!(limit_outside_breaker().snapshot().totals.ignored, 10);
}

#[tokio::test]
async fn without_a_breaker_an_outage_gets_every_attempt() {
    let (service, target) = start(Trouble::Failing).await;
    assert_eq!(run(no_breaker, &target).await, (0, OPERATIONS, 0));
    assert_eq!(service.arrived(), OPERATIONS * ATTEMPTS);
}
