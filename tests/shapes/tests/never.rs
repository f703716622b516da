//! Functions that never return.

use breakerbox::testing::Clock;
use breakerbox::{Rejected, circuit_breaker};
use futures::executor::block_on;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

#[circuit_breaker(fallback = |rejected| resume_unwind(Box::new(rejected)), handle = forever_breaker)]
fn forever(left: &mut u32) -> ! {
    loop {
        *left -= 1;
        if *left == 0 {
            resume_unwind(Box::new("done"));
        }
    }
}

fn give_up(rejected: Rejected, _: u32) -> ! {
    resume_unwind(Box::new(rejected))
}

#[circuit_breaker(fallback = give_up, handle = by_path_breaker)]
fn by_path(number: u32) -> ! {
    resume_unwind(Box::new(number))
}

#[circuit_breaker(fallback = async |rejected| resume_unwind(Box::new(rejected)), handle = later_breaker)]
async fn later() -> ! {
    std::future::ready(()).await;
    resume_unwind(Box::new("done"))
}

#[test]
fn a_panic_is_a_failure_and_a_rejection_diverges_too() {
    let _clock = Clock::freeze();
    let panic = catch_unwind(AssertUnwindSafe(|| forever(&mut 3))).unwrap_err();
    assert_eq!(panic.downcast_ref(), Some(&"done"));
    assert_eq!(forever_breaker().snapshot().totals.failure, 1);
    catch_unwind(|| by_path(1)).unwrap_err();
    catch_unwind(|| block_on(later())).unwrap_err();
    for breaker in [forever_breaker(), by_path_breaker(), later_breaker()] {
        breaker.force_open();
    }
    let panic = catch_unwind(|| forever(&mut 3)).unwrap_err();
    assert!(panic.is::<Rejected>());
    assert!(catch_unwind(|| by_path(1)).unwrap_err().is::<Rejected>());
    assert!(catch_unwind(|| block_on(later())).unwrap_err().is::<Rejected>());
    assert_eq!(forever_breaker().snapshot().totals.fallbacks, 1);
}
