//! What happens to a permit: recorded, dropped, cancelled, or lost to a panic, in a call by hand, in
//! a closure and in a future. Each call ends in exactly one total, and no probe keeps its slot.

use breakerbox::{Breaker, Cancelled, Config, Outcome, Rejected, State, testing::Clock};
use futures::FutureExt;
use futures::future::{self, BoxFuture};
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

type Answer = Result<u32, Rejected>;

/// Success, failure, ignored, late.
fn totals(breaker: &Breaker) -> [u64; 4] {
    let totals = breaker.snapshot().totals;
    [totals.success, totals.failure, totals.ignored, totals.late]
}

fn quietly<T>(work: impl FnOnce() -> T) -> bool {
    catch_unwind(AssertUnwindSafe(work)).is_err()
}

fn poll_once<F: Future>(future: std::pin::Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

#[test]
fn each_way_to_give_a_permit_back_is_counted_once() {
    let breaker = Breaker::new("by_hand", Config::new());
    let permit = || breaker.acquire().expect("closed");
    permit().success();
    assert_eq!(totals(&breaker), [1, 0, 0, 0]);
    permit().failure();
    assert_eq!(totals(&breaker), [1, 1, 0, 0]);
    permit().record(Outcome::Ignored);
    assert_eq!(totals(&breaker), [1, 1, 1, 0]);
    permit().record(Outcome::Throttled(Duration::from_secs(1)));
    assert_eq!(totals(&breaker), [1, 2, 1, 0]);
    drop(permit());
    assert_eq!(totals(&breaker), [1, 2, 2, 0]);
    let late = permit();
    breaker.reset();
    late.success();
    assert_eq!(totals(&breaker), [1, 2, 2, 1]);
}

#[test]
fn a_permit_shows_whose_it_is() {
    let breaker = Breaker::new("shown", Config::new());
    let permit = breaker.acquire().expect("closed");
    assert_eq!(format!("{permit:?}"), r#"Permit { breaker: "shown", .. }"#);
}

#[test]
fn a_panic_with_a_permit_in_hand_is_a_failure() {
    let breaker = Breaker::new("panicking", Config::new());
    let panicked = quietly(|| {
        let _permit = breaker.acquire();
        panic!("by hand");
    });
    assert!(panicked);
    assert_eq!(totals(&breaker), [0, 1, 0, 0]);
}

#[test]
fn a_permit_acquired_and_dropped_while_unwinding_is_cancelled_not_failed() {
    struct CleanUp<'a>(&'a Breaker);
    impl Drop for CleanUp<'_> {
        fn drop(&mut self) {
            drop(self.0.acquire());
        }
    }
    let breaker = Breaker::new("clean_up", Config::new());
    assert!(quietly(|| {
        let _clean_up = CleanUp(&breaker);
        panic!("elsewhere");
    }));
    assert_eq!(totals(&breaker), [0, 0, 1, 0]);
}

#[test]
fn a_panic_in_the_body_unwinds_on_and_is_a_failure() {
    let breaker = Breaker::new("body", Config::new());
    assert!(quietly(|| breaker.call(|| -> Answer { panic!("sync") })));
    let future = breaker.call_async(async { panic!("async") });
    assert!(quietly(|| FutureExt::now_or_never(async {
        let _: Answer = future.await;
    })));
    assert_eq!(totals(&breaker), [0, 2, 0, 0]);
}

#[test]
fn a_future_that_panicked_is_counted_at_the_panic_and_only_once() {
    let breaker = Breaker::new("kept", Config::new());
    let mut future = pin!(breaker.call_async(async {
        future::ready(()).await;
        panic!("in a poll");
        #[expect(unreachable_code, reason = "it gives the block its type")]
        Answer::Ok(0)
    }));
    assert!(quietly(|| poll_once(future.as_mut())));
    assert_eq!(totals(&breaker), [0, 1, 0, 0]);
    assert!(quietly(|| poll_once(future.as_mut())));
    assert_eq!(totals(&breaker), [0, 1, 0, 0]);
}

#[test]
fn a_future_dropped_before_its_first_poll_counts_nothing() {
    let breaker = Breaker::new("unpolled", Config::new());
    drop(breaker.call_async(async { Answer::Ok(1) }));
    assert_eq!(totals(&breaker), [0, 0, 0, 0]);
}

#[test]
fn a_future_dropped_at_any_await_point_is_cancelled() {
    for (cancelled, expected) in
        [(Cancelled::Ignored, [0, 0, 1, 0]), (Cancelled::Failure, [0, 1, 0, 0])]
    {
        for polls in 1..=5 {
            let breaker = Breaker::new("dropped", Config::new().cancelled(cancelled));
            {
                let mut future = pin!(breaker.call_async(async {
                    for _ in 0..5 {
                        yield_once().await;
                    }
                    Answer::Ok(1)
                }));
                for _ in 0..polls {
                    assert!(poll_once(future.as_mut()).is_pending());
                }
            }
            assert_eq!(totals(&breaker), expected, "dropped after {polls} polls");
        }
    }
}

#[test]
fn a_future_dropped_by_a_panic_elsewhere_is_not_blamed() {
    let breaker = Breaker::new("bystander", Config::new());
    assert!(quietly(|| {
        let mut future = pin!(breaker.call_async(async {
            future::pending::<()>().await;
            Answer::Ok(1)
        }));
        assert!(poll_once(future.as_mut()).is_pending());
        panic!("elsewhere");
    }));
    assert_eq!(totals(&breaker), [0, 0, 1, 0]);
}

#[test]
fn a_panic_in_the_drop_of_the_body_leaves_the_call_counted_once() {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("in drop");
        }
    }
    let breaker = Breaker::new("bomb", Config::new());
    assert!(quietly(|| {
        let mut future = pin!(breaker.call_async(async {
            let _bomb = Bomb;
            future::pending::<()>().await;
            Answer::Ok(1)
        }));
        let _ = poll_once(future.as_mut());
    }));
    assert_eq!(totals(&breaker).iter().sum::<u64>(), 1);
}

#[test]
fn a_dropped_or_panicked_probe_gives_its_slot_back() {
    let clock = Clock::freeze();
    let breaker = Breaker::new("probes", Config::new().consecutive(1).probes(1));
    breaker.acquire().expect("closed").failure();
    clock.advance(Duration::from_secs(15));

    // Cancelled: before the answer, by hand and in a future.
    drop(breaker.acquire().expect("a probe"));
    {
        let mut future = pin!(breaker.call_async(async {
            future::pending::<()>().await;
            Answer::Ok(1)
        }));
        assert!(poll_once(future.as_mut()).is_pending());
        assert_eq!(breaker.snapshot().probes_in_flight, 1);
        assert!(breaker.acquire().is_err());
    }
    assert_eq!((breaker.state(), breaker.snapshot().probes_in_flight), (State::HalfOpen, 0));

    // Panicked: that is a verdict.
    assert!(quietly(|| breaker.call(|| -> Answer { panic!("a probe") })));
    assert_eq!(breaker.state(), State::Open);

    clock.advance(Duration::from_secs(15));
    breaker.acquire().expect("a probe").success();
    assert_eq!(breaker.state(), State::Closed);
}

#[test]
fn a_breaker_may_be_called_from_within_its_own_call() {
    let breaker = Breaker::new("recursive", Config::new());
    let answer = breaker.call(|| breaker.call(|| Answer::Ok(breaker.snapshot().window.calls)));
    assert_eq!(answer.expect("closed"), 0);
    assert_eq!(totals(&breaker), [2, 0, 0, 0]);
}

#[test]
fn a_guarded_future_may_be_unwound_through() {
    fn unwinds<T: std::panic::UnwindSafe>(value: T) -> T {
        value
    }
    let breaker = Breaker::new("unwound", Config::new());
    let future = unwinds(breaker.call_async(future::ready(Answer::Ok(1))));
    assert_eq!(
        futures::executor::block_on(future.catch_unwind()).expect("no panic"),
        Answer::Ok(1)
    );
}

#[test]
fn a_guarded_future_may_be_boxed_and_sent() {
    let breaker: &'static Breaker = Box::leak(Box::new(Breaker::new("sent", Config::new())));
    let boxed: BoxFuture<'static, Answer> = breaker.call_async(async { Answer::Ok(3) }).boxed();
    let answer = std::thread::spawn(|| futures::executor::block_on(boxed)).join();
    assert_eq!(answer.expect("no panic").expect("closed"), 3);
}

async fn yield_once() {
    let mut yielded = false;
    future::poll_fn(|_| {
        if std::mem::replace(&mut yielded, true) { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}
