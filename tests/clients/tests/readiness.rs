//! The middleware as `tower` sees it: readiness, cancellation, panics, keys. No sockets here.

use breakerbox::testing::{Clock, trip};
use breakerbox::tower::{BreakerLayer, BreakerService};
use breakerbox::{Breaker, Config, Keyed, Outcome, Rejected, RejectedKind, State};
use futures::FutureExt;
use std::borrow::Cow;
use std::error::Error;
use std::future::{Future, pending, ready};
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use tower::limit::ConcurrencyLimit;
use tower::{Layer, Service, ServiceBuilder, ServiceExt, service_fn};

type BoxError = Box<dyn Error + Send + Sync>;
type Call = Pin<Box<dyn Future<Output = Result<u32, BoxError>>>>;

const COOLDOWN: Duration = Duration::from_secs(15);

/// A breaker that one failure opens, and one good probe closes.
fn breaker() -> Arc<Breaker> {
    Breaker::shared("tower", Config::new().consecutive(1).probes(1)).expect("a good config")
}

/// Ready when it is told so, and never to be called otherwise.
#[derive(Debug, Clone, Default)]
struct Inner {
    is_ready: bool,
    promised: bool,
    calls: usize,
}

impl Service<u32> for Inner {
    type Response = u32;
    type Error = BoxError;
    type Future = Call;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.promised = self.is_ready;
        if self.is_ready { Poll::Ready(Ok(())) } else { Poll::Pending }
    }

    fn call(&mut self, request: u32) -> Call {
        assert!(std::mem::take(&mut self.promised), "called without being ready");
        self.calls += 1;
        match request {
            0 => Box::pin(pending()),
            1 => Box::pin(ready(Err("no answer".into()))),
            2 => panic!("no such request"),
            3 => Box::pin(async { panic!("no such answer") }),
            request => Box::pin(ready(Ok(request))),
        }
    }
}

fn guarded(breaker: &Arc<Breaker>, is_ready: bool) -> BreakerService<Inner> {
    let inner = Inner { is_ready, ..Inner::default() };
    BreakerLayer::new(Arc::clone(breaker)).layer(inner)
}

fn poll_ready<S: Service<u32>>(service: &mut S) -> Poll<Result<(), S::Error>> {
    service.poll_ready(&mut Context::from_waker(Waker::noop()))
}

fn assert_ready<S: Service<u32>>(service: &mut S) {
    assert!(matches!(poll_ready(service), Poll::Ready(Ok(()))));
}

fn call<S: Service<u32>>(service: &mut S, request: u32) -> Result<S::Response, S::Error> {
    assert_ready(service);
    service.call(request).now_or_never().expect("an answer at once")
}

fn kind<T: std::fmt::Debug>(result: Result<T, BoxError>) -> RejectedKind {
    Rejected::find_in(&result.unwrap_err()).expect("a rejection").kind()
}

#[test]
fn closed_it_is_ready_when_the_inner_service_is() {
    let _clock = Clock::freeze();
    let breaker = breaker();
    assert!(poll_ready(&mut guarded(&breaker, false)).is_pending());
    assert_eq!(call(&mut guarded(&breaker, true), 7).unwrap(), 7);
    assert_eq!(breaker.snapshot().totals.success, 1);
}

#[test]
fn while_it_rejects_it_waits_for_nobody() {
    let clock = Clock::freeze();
    let breaker = breaker();
    let mut service = guarded(&breaker, false);
    trip(&breaker);
    assert_eq!(kind(call(&mut service, 7)), RejectedKind::Open);
    breaker.force_open();
    assert_eq!(kind(call(&mut service, 7)), RejectedKind::ForcedOpen);

    breaker.reset();
    trip(&breaker);
    clock.advance(COOLDOWN);
    // A probe would be let through, so it takes the inner service.
    assert!(poll_ready(&mut service).is_pending());
    let probe = breaker.acquire().expect("a probe");
    assert_eq!(kind(call(&mut service, 7)), RejectedKind::ProbesBusy);
    probe.success();
    assert!(poll_ready(&mut service).is_pending());
}

#[test]
fn promised_a_rejection_a_call_never_reaches_an_inner_service_that_may_not_be_ready() {
    let clock = Clock::freeze();
    let breaker = breaker();
    let mut service = guarded(&breaker, false);
    trip(&breaker);
    assert_ready(&mut service);
    clock.advance(COOLDOWN);
    // By now a probe would be let through. `Inner` would panic.
    let rejected = service.call(7).now_or_never().expect("at once");
    assert_eq!(kind(rejected), RejectedKind::Open);
    assert_eq!(breaker.snapshot().probes_in_flight, 0);
}

#[test]
fn readiness_is_kept_while_calls_are_rejected_and_given_back_with_the_service() {
    let _clock = Clock::freeze();
    let breaker = breaker();
    let limit = Arc::new(tokio::sync::Semaphore::new(1));
    let inner = Inner { is_ready: true, ..Inner::default() };
    let inner = ConcurrencyLimit::with_semaphore(inner, Arc::clone(&limit));
    let mut service = BreakerLayer::new(Arc::clone(&breaker)).layer(inner);

    assert_ready(&mut service);
    assert_eq!(limit.available_permits(), 0);
    trip(&breaker);
    assert_eq!(kind(service.call(7).now_or_never().expect("at once")), RejectedKind::Open);
    breaker.reset();
    // Not lost: the place that it holds is enough.
    assert_eq!(call(&mut service, 7).unwrap(), 7);
    // Not leaked: a place that was not used goes with the service.
    assert_ready(&mut service);
    drop(service);
    assert_eq!(limit.available_permits(), 1);
}

#[test]
fn a_probe_that_is_cancelled_gives_its_slot_back() {
    let clock = Clock::freeze();
    let breaker = breaker();
    let mut service = guarded(&breaker, true);
    trip(&breaker);
    clock.advance(COOLDOWN);
    for polls in 0..2 {
        assert_ready(&mut service);
        let mut hanging = service.call(0);
        for _ in 0..polls {
            assert!((&mut hanging).now_or_never().is_none());
        }
        assert_eq!(breaker.snapshot().probes_in_flight, 1);
        drop(hanging);
        assert_eq!(breaker.snapshot().probes_in_flight, 0);
    }
    assert_eq!(call(&mut service, 7).unwrap(), 7);
    assert_eq!((breaker.state(), breaker.snapshot().totals.ignored), (State::Closed, 2));
}

#[test]
fn a_panic_is_a_failure_where_the_call_begins_and_within() {
    let _clock = Clock::freeze();
    for request in [2, 3] {
        let breaker = breaker();
        let mut service = guarded(&breaker, true);
        assert_ready(&mut service);
        let call = AssertUnwindSafe(|| service.call(request).now_or_never());
        assert!(std::panic::catch_unwind(call).is_err());
        assert_eq!(breaker.snapshot().totals.failure, 1);
        assert_eq!(breaker.state(), State::Open);
    }
}

#[test]
fn an_error_of_readiness_is_passed_on_and_counts_for_nothing() {
    #[derive(Debug)]
    struct Dead;
    impl Service<u32> for Dead {
        type Response = u32;
        type Error = BoxError;
        type Future = Call;
        fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
            Poll::Ready(Err("the worker has ended".into()))
        }
        fn call(&mut self, _: u32) -> Call {
            unreachable!("it is never ready")
        }
    }
    let _clock = Clock::freeze();
    let breaker = breaker();
    let mut service = BreakerLayer::new(Arc::clone(&breaker)).layer(Dead);
    assert!(matches!(poll_ready(&mut service), Poll::Ready(Err(_))));
    assert_eq!(breaker.snapshot().totals.calls(), 0);
}

#[test]
fn a_function_says_what_counts() {
    let _clock = Clock::freeze();
    let breaker = breaker();
    let judge = |result: &Result<u32, BoxError>| match result {
        Ok(13) => Outcome::Failure,
        Ok(_) => Outcome::Success,
        Err(_) => Outcome::Ignored,
    };
    let inner = Inner { is_ready: true, ..Inner::default() };
    let mut service = BreakerLayer::new(Arc::clone(&breaker)).classify(judge).layer(inner);
    assert!(call(&mut service, 1).is_err());
    assert_eq!(breaker.state(), State::Closed);
    assert_eq!(call(&mut service, 13).unwrap(), 13);
    assert_eq!(breaker.state(), State::Open);
}

#[test]
fn each_key_has_a_breaker_of_its_own() {
    static TENANTS: Keyed<String> = Keyed::new("tenants", Config::new().consecutive(1));
    let _clock = Clock::freeze();
    let inner = ServiceBuilder::new()
        .map_request(|(_, request): (&'static str, u32)| request)
        .service(Inner { is_ready: true, ..Inner::default() });
    let layer =
        BreakerLayer::keyed(&TENANTS, |(tenant, _): &(&'static str, u32)| Cow::Borrowed(*tenant));
    let mut service = layer.layer(inner);
    let mut ask = |tenant, request| {
        let ready = service.ready().now_or_never().expect("at once").expect("it never fails");
        ready.call((tenant, request)).now_or_never().expect("at once")
    };
    assert!(ask("a", 1).is_err());
    assert_eq!(kind(ask("a", 7)), RejectedKind::Open);
    assert_eq!(ask("b", 7).unwrap(), 7);
    assert_eq!(TENANTS.get("a").snapshot().totals.rejected(RejectedKind::Open), 1);
}

#[test]
fn services_of_one_layer_and_their_clones_share_its_breaker() {
    let _clock = Clock::freeze();
    let layer = BreakerLayer::new(Breaker::new("own", Config::new().consecutive(1)));
    let failing = service_fn(|_: u32| ready(Err::<u32, BoxError>("no answer".into())));
    let mut one = layer.layer(failing);
    let mut other = layer.clone().layer(failing);
    let mut clone = one.clone();
    assert!(Rejected::find_in(&call(&mut one, 7).unwrap_err()).is_none());
    assert_eq!(kind(call(&mut other, 7)), RejectedKind::Open);
    assert_eq!(kind(call(&mut clone, 7)), RejectedKind::Open);
}

#[test]
fn it_is_sent_between_threads_where_the_inner_service_is() {
    fn sendable<T: Send + Sync + Clone + 'static>(_: &T) {}
    fn sent<T: Send>(_: T) {}
    let inner = service_fn(|_: u32| ready(Ok::<u32, BoxError>(7)));
    let mut service = BreakerLayer::new(breaker()).layer(inner);
    sendable(&service);
    sent(service.call(7));
}
