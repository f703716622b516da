//! One breaker per key: one bad host does not open the rest, and no flood of keys grows the memory
//! or closes a tripped breaker.

use breakerbox::{Config, Keyed, Rejected, State, panel, testing::Clock};
use std::sync::Barrier;
use std::time::Duration;

const TRIPPING: Config = Config::new().consecutive(1).probes(1);

fn succeed<K: breakerbox::Key>(family: &Keyed<K>, key: &K) {
    family.get(key).acquire().expect("admitted").success();
}

fn fail<K: breakerbox::Key>(family: &Keyed<K>, key: &K) {
    family.get(key).acquire().expect("admitted").failure();
}

#[test]
fn one_bad_host_does_not_open_the_rest() {
    static HOSTS: Keyed<String> = Keyed::new("one_bad_host", TRIPPING);
    let clock = Clock::freeze();
    let call = |host: &str| HOSTS.get(host).call(|| Err::<(), _>(std::io::Error::other("down")));
    call("bad.example").unwrap_err();
    assert_eq!(HOSTS.get("bad.example").state(), State::Open);
    assert_eq!(HOSTS.get("good.example").state(), State::Closed);
    let rejected = HOSTS.get("bad.example").acquire().unwrap_err();
    assert_eq!(rejected.breaker(), "one_bad_host[bad.example]");

    clock.advance(Duration::from_secs(15));
    HOSTS.get("bad.example").acquire().expect("a probe").success();
    assert_eq!(HOSTS.get("bad.example").state(), State::Closed);
}

#[test]
fn the_same_key_from_many_threads_makes_one_breaker() {
    static HOSTS: Keyed<String> = Keyed::new("one_breaker", Config::new());
    let _clock = Clock::freeze();
    let barrier = Barrier::new(16);
    std::thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| {
                barrier.wait();
                for key in 0..200 {
                    HOSTS.get(&key.to_string()).acquire().expect("closed").success();
                }
            });
        }
    });
    assert_eq!(HOSTS.len(), 200);
    for key in 0..200 {
        assert_eq!(HOSTS.get(&key.to_string()).snapshot().totals.success, 16);
    }
}

#[test]
fn a_flood_of_keys_stays_within_capacity_and_leaves_a_tripped_breaker_tripped() {
    static TENANTS: Keyed<u64> = Keyed::new("flood", TRIPPING).capacity(100);
    let _clock = Clock::freeze();
    let tripped = u64::MAX;
    fail(&TENANTS, &tripped);
    for key in 0..1_000_000 {
        succeed(&TENANTS, &key);
        assert!(TENANTS.len() <= 100);
    }
    assert_eq!(TENANTS.get(&tripped).state(), State::Open);
    assert_eq!(TENANTS.totals().success, 1_000_000);
    assert_eq!(TENANTS.totals().failure, 1);
}

#[test]
fn open_and_half_open_ones_are_kept_as_long_as_any_closed_one_is_left() {
    for capacity in [1, 2, 3, 10, 33, 100, 1_000] {
        let family: Keyed<u64> = Keyed::new("kept", TRIPPING).capacity(capacity);
        let clock = Clock::freeze();
        let capacity = capacity as u64;
        for key in 0..capacity / 2 {
            fail(&family, &key);
        }
        clock.advance(Duration::from_secs(15));
        for key in (0..capacity / 2).step_by(2) {
            drop(family.get(&key).acquire().expect("a probe"));
        }
        for key in 1_000_000..1_000_000 + 3 * capacity {
            succeed(&family, &key);
        }
        for key in 0..capacity / 2 {
            let expected = if key % 2 == 0 { State::HalfOpen } else { State::Open };
            assert_eq!(family.get(&key).state(), expected, "{key} of {capacity}");
        }
        assert!(family.len() as u64 <= capacity);
    }
}

#[test]
fn where_all_are_open_memory_stays_bounded_all_the_same() {
    for capacity in [1, 5, 100] {
        let family: Keyed<u64> = Keyed::new("all_open", TRIPPING).capacity(capacity);
        let _clock = Clock::freeze();
        for key in 0..1_000 {
            fail(&family, &key);
            assert!(family.len() <= capacity, "{} of {capacity}", family.len());
            assert_eq!(family.get(&key).state(), State::Open);
        }
        assert_eq!(family.totals().failure, 1_000);
    }
}

#[test]
fn a_flood_of_failing_keys_from_many_threads_stays_within_capacity() {
    const THREADS: u64 = 8;
    let family: Keyed<u64> = Keyed::new("failing_flood", TRIPPING).capacity(16);
    let _clock = Clock::freeze();
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let family = &family;
            scope.spawn(move || {
                for key in 0..500 {
                    fail(family, &(key * THREADS + thread));
                    // Each thread may just be making room for one.
                    assert!(family.len() <= 16 + 8, "{} kept", family.len());
                }
            });
        }
    });
    assert!(family.len() <= 16, "{} kept", family.len());
    assert_eq!(family.totals().failure, 500 * THREADS);
}

#[test]
fn where_all_are_open_those_set_by_hand_stay_and_the_shortest_cooldown_goes() {
    let family: Keyed<u64> = Keyed::new("worth", TRIPPING).capacity(4);
    let clock = Clock::freeze();
    family.get(&0).force_open();
    family.get(&1).disable();
    fail(&family, &2);
    clock.advance(Duration::from_secs(1));
    fail(&family, &3);
    for key in 100..110 {
        fail(&family, &key);
        clock.advance(Duration::from_secs(1));
        assert_eq!(family.get(&0).state(), State::ForcedOpen);
        assert_eq!(family.get(&1).state(), State::Disabled);
        assert_eq!(family.get(&key).state(), State::Open);
        let is_kept = |key| !panel().find(&format!("worth[{key}]")).is_empty();
        assert!(!is_kept(2), "its cooldown ended first");
        assert_eq!(is_kept(3), key == 100);
    }
}

#[test]
fn a_permit_outlives_its_evicted_breaker_and_its_outcome_is_counted() {
    let family: Keyed<u64> = Keyed::new("outlived", Config::new()).capacity(1);
    let _clock = Clock::freeze();
    let breaker = family.get(&1);
    let permit = breaker.acquire().expect("closed");
    succeed(&family, &2);
    assert_eq!(family.totals().success, 1);
    permit.success();
    drop(breaker);
    assert_eq!(family.totals().success, 2);
}

#[test]
fn totals_never_fall_while_keys_come_and_go() {
    let family: Keyed<u64> = Keyed::new("never_fall", Config::new()).capacity(50);
    let _clock = Clock::freeze();
    let (calls, threads) = (20_000, 4);
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let family = &family;
            scope.spawn(move || {
                for call in 0..calls {
                    succeed(family, &(call * 7 % 1_000 + thread));
                }
            });
        }
        let mut before = 0;
        while before < calls * threads {
            let now = family.totals().success;
            assert!(now >= before, "{now} after {before}");
            before = now;
        }
    });
    assert_eq!(family.totals().success, calls * threads);
}

#[test]
fn the_panel_shows_the_members_and_resets_them() {
    static HOSTS: Keyed<String> = Keyed::new("in_view", TRIPPING);
    let _clock = Clock::freeze();
    fail(&HOSTS, &"a\nb".to_owned());
    let found = panel().find("in_view[a\\nb]");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].state(), State::Open);
    assert_eq!(found[0].location().file(), file!());
    panel().reset_all();
    assert_eq!(HOSTS.get("a\nb").state(), State::Closed);
}

#[test]
fn a_family_that_is_dropped_leaves_the_panel() {
    // No other test looks at the panel meanwhile, and holds what it sees.
    let _clock = Clock::freeze();
    let family: Keyed<u64> = Keyed::new("dropped", Config::new());
    family.get(&1);
    assert_eq!(panel().find("dropped[1]").len(), 1);
    drop(family);
    assert!(panel().find("dropped[1]").is_empty());
}

#[test]
fn a_bad_configuration_is_an_error_that_names_the_field() {
    let fault = Keyed::<u64>::try_new("bad", Config::new().rate(0.0)).unwrap_err();
    assert_eq!(fault.to_string(), "`rate` is 0: it must be from 0.000001 to 1");
}

#[test]
fn a_listener_hears_of_every_member() {
    static HEARD: std::sync::Mutex<Vec<String>> = std::sync::Mutex::new(Vec::new());
    let family: Keyed<u64> = Keyed::new("heard", TRIPPING)
        .on_transition(|change| HEARD.lock().unwrap().push(change.breaker().to_owned()));
    let _clock = Clock::freeze();
    fail(&family, &1);
    fail(&family, &2);
    assert_eq!(*HEARD.lock().unwrap(), ["heard[1]", "heard[2]"]);
}

#[test]
fn a_rejected_call_of_an_evicted_member_still_names_it() {
    let family: Keyed<u64> = Keyed::new("named", TRIPPING).capacity(1);
    let _clock = Clock::freeze();
    fail(&family, &1);
    let rejected: Rejected = family.get(&1).acquire().unwrap_err();
    succeed(&family, &2);
    assert_eq!(rejected.breaker(), "named[1]");
}

/// The same through the attribute.
mod annotated {
    use super::{Clock, State, panel};
    use breakerbox::{Rejected, circuit_breaker};
    use std::borrow::Cow;
    use std::sync::Arc;
    use std::time::Duration;

    #[derive(Debug, PartialEq)]
    enum FetchError {
        Down,
        Rejected(String),
    }

    impl From<Rejected> for FetchError {
        fn from(rejected: Rejected) -> Self {
            Self::Rejected(rejected.breaker().to_owned())
        }
    }

    #[circuit_breaker(key = host, consecutive = 1, probes = 1, name = "fetch")]
    fn fetch(host: &str, up: bool) -> Result<usize, FetchError> {
        if up { Ok(host.len()) } else { Err(FetchError::Down) }
    }

    #[test]
    fn each_host_has_a_breaker_of_its_own() {
        let clock = Clock::freeze();
        assert_eq!(fetch("bad", false), Err(FetchError::Down));
        assert_eq!(fetch("bad", true), Err(FetchError::Rejected("fetch[bad]".into())));
        assert_eq!(fetch("good", true), Ok(4));
        clock.advance(Duration::from_secs(15));
        assert_eq!(fetch("bad", true), Ok(3));
        let found = panel().find("fetch[bad]");
        assert_eq!((found.len(), found[0].state()), (1, State::Closed));
        assert_eq!(found[0].snapshot().family(), "fetch");
    }

    #[circuit_breaker(key = (tenant, region.as_ref()).1, fallback = async |_| Ok(0), consecutive = 1)]
    async fn sum(tenant: u32, region: Cow<'_, str>, numbers: Vec<i64>) -> Result<i64, FetchError> {
        drop(region);
        if tenant == 0 { Err(FetchError::Down) } else { Ok(numbers.into_iter().sum()) }
    }

    #[test]
    fn a_key_is_any_expression_of_the_arguments_which_the_body_may_consume() {
        let _clock = Clock::freeze();
        let sum = |tenant, region| {
            futures::executor::block_on(sum(tenant, Cow::Owned(String::from(region)), vec![1, 2]))
        };
        assert_eq!(sum(0, "eu"), Err(FetchError::Down));
        assert_eq!(sum(1, "eu"), Ok(0));
        assert_eq!(sum(1, "us"), Ok(3));
        let name = concat!(module_path!(), "::sum[eu]");
        assert_eq!(panel().find(name)[0].snapshot().totals.fallbacks, 1);
    }

    mod integers {
        use super::{Clock, FetchError, circuit_breaker, panel};

        mod calls {
            use super::{FetchError, circuit_breaker};

            #[circuit_breaker(key = tenant, name = "small", capacity = 2)]
            pub(super) fn small(tenant: i8) -> Result<i8, FetchError> {
                Ok(tenant)
            }

            #[circuit_breaker(key = tenant, name = "large", capacity = 2)]
            pub(super) fn large(tenant: &u128) -> Result<u128, FetchError> {
                Ok(*tenant)
            }
        }

        #[test]
        fn of_every_size_and_sign_are_keys() {
            let _clock = Clock::freeze();
            assert_eq!((calls::small(-128), calls::small(127)), (Ok(-128), Ok(127)));
            assert_eq!(calls::large(&u128::MAX), Ok(u128::MAX));
            for name in
                ["small[-128]", "small[127]", "large[340282366920938463463374607431768211455]"]
            {
                assert_eq!(panel().find(name).len(), 1, "{name}");
            }
            for tenant in 0..100 {
                assert_eq!(calls::large(&tenant), Ok(tenant));
            }
            assert!(panel().find("large[0]").is_empty(), "at most two are kept");
        }
    }

    #[test]
    fn text_of_every_kind_is_a_key() {
        macro_rules! call {
            ($kind:ty, $value:expr) => {{
                #[circuit_breaker(key = host, name = "text")]
                fn call(host: $kind) -> Result<(), FetchError> {
                    drop(host);
                    Ok(())
                }
                call($value)
            }};
        }
        let _clock = Clock::freeze();
        assert_eq!(call!(String, "a".into()), Ok(()));
        assert_eq!(call!(Box<str>, "a".into()), Ok(()));
        assert_eq!(call!(Arc<str>, "a".into()), Ok(()));
        assert_eq!(call!(Cow<'static, str>, "a".into()), Ok(()));
        assert_eq!(panel().find("text[a]").len(), 4, "a family for each function");
    }
}

#[test]
fn as_many_keys_as_the_capacity_are_all_kept() {
    const KEYS: u64 = 1_024;
    let _clock = Clock::freeze();
    let hosts: Keyed<u64> = Keyed::new("all_kept", Config::new());
    for _ in 0..3 {
        for key in 0..KEYS {
            succeed(&hosts, &key);
        }
    }
    assert_eq!(hosts.len() as u64, KEYS);
    for key in 0..KEYS {
        assert_eq!(hosts.get(&key).snapshot().window.calls, 3, "key {key}");
    }
}

#[test]
fn new_keys_from_many_threads_evict_no_open_breaker_while_a_closed_one_is_left() {
    const OPEN: u64 = 63;
    let _clock = Clock::freeze();
    let config = Config::new().consecutive(1);
    let hosts: Keyed<u64> = Keyed::new("crowded", config).capacity(64);
    for key in 0..OPEN {
        fail(&hosts, &key);
    }
    std::thread::scope(|scope| {
        for thread in 1..=8 {
            let hosts = &hosts;
            scope.spawn(move || {
                for key in 0..500 {
                    succeed(hosts, &(thread * 1_000 + key));
                }
            });
        }
    });
    let open = (0..OPEN).filter(|key| hosts.get(key).state() == State::Open).count();
    assert_eq!(open as u64, OPEN);
}

/// A key whose text takes as long as the test wants.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Written(u8);

static BEING_WRITTEN: Barrier = Barrier::new(2);
static WRITTEN: Barrier = Barrier::new(2);

impl std::fmt::Display for Written {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0 == 0 {
            BEING_WRITTEN.wait();
            WRITTEN.wait();
        }
        self.0.fmt(f)
    }
}

#[test]
fn a_key_whose_text_is_slow_holds_up_no_other() {
    let _clock = Clock::freeze();
    let family: Keyed<Written> = Keyed::new("slow_text", TRIPPING);
    std::thread::scope(|scope| {
        let slow = scope.spawn(|| succeed(&family, &Written(0)));
        BEING_WRITTEN.wait();
        succeed(&family, &Written(1));
        WRITTEN.wait();
        slow.join().expect("no panic");
    });
    assert_eq!((family.len(), family.totals().success), (2, 2));
}
