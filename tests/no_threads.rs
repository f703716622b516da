//! Nothing runs in the background. Alone in its file, so that no other test of the process starts a
//! thread meanwhile.

use breakerbox::{Breaker, Config, Keyed, State};

#[test]
fn ten_thousand_breakers_and_a_hundred_thousand_keys_start_no_thread() {
    let before = threads();
    let breakers: Vec<_> =
        (0..10_000).map(|_| Breaker::new("one_of_many", Config::new().consecutive(1))).collect();
    for breaker in &breakers {
        breaker.acquire().expect("closed").failure();
        breaker.acquire().unwrap_err();
        assert_eq!(breaker.state(), State::Open);
    }
    let family: Keyed<u64> = Keyed::new("many_keys", Config::new()).capacity(100_000);
    for key in 0..100_000 {
        family.get(&key).acquire().expect("closed").success();
    }
    assert_eq!(threads(), before);
}

fn threads() -> u32 {
    let status = std::fs::read_to_string("/proc/self/status").expect("the status of Linux");
    let line = status.lines().find(|line| line.starts_with("Threads:")).expect("a count");
    line.split_whitespace().nth(1).and_then(|count| count.parse().ok()).expect("a number")
}
