//! What goes to the heap, counted: nothing per call. (A change of state may, where someone listens.)
//!
//! In a file of its own, as the counting allocator is one for the whole program.

use breaker_runtime::{Breaker, Config, Outcome, Rejected, State, Window, panel};
use std::time::Duration;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn allocations(work: impl FnOnce()) -> u64 {
    allocation_counter::measure(work).count_total
}

fn answer(breaker: &Breaker) -> Result<u32, Rejected> {
    breaker.call(|| Ok(7))
}

#[test]
fn a_time_window_takes_nothing_from_the_first_call_on() {
    let breaker = Breaker::new("by time", Config::new());
    let taken = allocations(|| {
        for _ in 0..1_000 {
            assert!(answer(&breaker).is_ok());
            breaker.acquire().expect("closed").record(Outcome::Ignored);
        }
    });
    assert_eq!(taken, 0);
}

#[test]
fn a_count_window_takes_its_ring_once_on_the_first_call() {
    let breaker = Breaker::new("by count", Config::new().window(Window::Calls(10_000)));
    assert_eq!(allocations(|| assert!(answer(&breaker).is_ok())), 1);
    let taken = allocations(|| {
        for _ in 0..30_000 {
            assert!(answer(&breaker).is_ok());
        }
    });
    assert_eq!(taken, 0);
}

#[test]
fn neither_a_rejection_nor_its_error_nor_a_clone_of_it_takes_anything() {
    let breaker = Breaker::new("open", Config::new().threshold(1).cooldown(DAY));
    breaker.acquire().expect("closed").failure();
    let taken = allocations(|| {
        for _ in 0..1_000 {
            let rejected = breaker.acquire().expect_err("open");
            assert_eq!(rejected.clone(), rejected);
        }
    });
    assert_eq!(taken, 0);
}

#[test]
fn a_rejection_by_a_breaker_with_a_name_of_its_own_takes_nothing() {
    let breaker = Breaker::try_new("made at run time", Config::new()).expect("valid");
    breaker.force_open();
    let taken = allocations(|| {
        let rejected = breaker.acquire().expect_err("forced open");
        assert_eq!(rejected.clone().breaker(), "made at run time");
    });
    assert_eq!(taken, 0);
}

#[test]
fn half_open_takes_nothing() {
    let config = Config::new().threshold(1).cooldown(Duration::from_millis(1)).probes(2);
    let breaker = Breaker::new("half-open", config);
    breaker.acquire().expect("closed").failure();
    // However long the machine takes: the cooldown ends by itself.
    let first = loop {
        if let Ok(permit) = breaker.acquire() {
            break permit;
        }
    };
    let taken = allocations(|| {
        let second = breaker.acquire().expect("two probes");
        assert!(breaker.acquire().is_err(), "both are under way");
        second.success();
    });
    first.success();
    assert_eq!((taken, breaker.state()), (0, State::Closed));
}

#[test]
fn a_static_breaker_is_listed_once() {
    static LISTED: Breaker = Breaker::new("listed", Config::new());
    // The panel's list may grow.
    breaker_runtime::__private::enter(&LISTED).expect("closed").success();
    let taken = allocations(|| {
        for _ in 0..1_000 {
            breaker_runtime::__private::enter(&LISTED).expect("closed").success();
        }
    });
    assert_eq!((taken, panel().find("listed").len()), (0, 1));
}

#[cfg(feature = "keyed")]
#[test]
fn a_key_that_is_there_takes_nothing() {
    static HOSTS: breaker_runtime::Keyed<String> =
        breaker_runtime::Keyed::new("hosts", Config::new());
    for key in ["a.example", "b.example"] {
        assert!(answer(&HOSTS.get(key)).is_ok());
    }
    let taken = allocations(|| {
        for _ in 0..1_000 {
            assert!(answer(&HOSTS.get("a.example")).is_ok());
            assert!(answer(&HOSTS.get("b.example")).is_ok());
        }
    });
    assert_eq!(taken, 0);
}

#[cfg(feature = "keyed")]
#[test]
fn a_breaker_of_a_key_takes_at_most_640_bytes() {
    static KEYS: breaker_runtime::Keyed<u64> =
        breaker_runtime::Keyed::new("keys", Config::new()).capacity(20_000);
    const MANY: u64 = 16_000;
    KEYS.get(&0);
    let grown = allocation_counter::measure(|| {
        for key in 1..=MANY {
            KEYS.get(&key);
        }
    });
    let each = grown.bytes_current / i64::try_from(MANY).expect("small");
    assert!(each <= 640, "{each} bytes for each key");
}
