//! The keys that say which breaker and what counts.

use breakerbox::testing::Clock;
use breakerbox::{
    Breaker, Cancelled, Cause, Config, Outcome, Rejected, State, Transition, Window,
    circuit_breaker,
};
use futures::executor::block_on;
use shapes::calls;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[derive(Debug, thiserror::Error)]
enum Error {
    #[error("timed out")]
    Timeout,
    #[error("not found")]
    NotFound,
    #[error("throttled for {0:?}")]
    Throttled(Duration),
    #[error(transparent)]
    Rejected(#[from] Rejected),
}

fn outcome_of<T>(result: &Result<T, Error>) -> Outcome {
    match result {
        Ok(_) | Err(Error::NotFound) => Outcome::Success,
        Err(Error::Timeout) => Outcome::Failure,
        Err(Error::Throttled(after)) => Outcome::Throttled(*after),
        Err(Error::Rejected(_)) => Outcome::Ignored,
    }
}

mod settings {
    use super::*;

    const LIMIT: u32 = 30;
    const SHARE: f64 = 0.25;
    const PAUSE: Duration = Duration::from_millis(2500);

    #[circuit_breaker(handle = defaults_breaker)]
    fn defaults() -> Result<(), Rejected> {
        Ok(())
    }

    #[circuit_breaker(
        threshold = 0x1E,
        rate = 1,
        window = 1_000u32,
        consecutive = 5,
        max_failures = 50,
        slow_call = "1m 30s",
        slow_rate = 0.8f64,
        cooldown = "250ms",
        max_cooldown = "2h",
        jitter = 0,
        probes = 7,
        probe_concurrency = 2,
        probe_timeout = "1500us",
        cancelled = Failure,
        handle = literals_breaker,
    )]
    fn literals() -> Result<(), Rejected> {
        Ok(())
    }

    #[circuit_breaker(
        threshold = LIMIT,
        rate = SHARE,
        window = PAUSE,
        consecutive = LIMIT - 1,
        max_failures = u32::MAX,
        slow_call = Duration::from_secs(1),
        slow_rate = SHARE * 2.0,
        cooldown = PAUSE,
        max_cooldown = PAUSE.saturating_mul(2),
        jitter = 1.0 - SHARE,
        probes = std::cmp::Ordering::Greater as u32,
        probe_timeout = if LIMIT > 1 { PAUSE } else { Duration::MAX },
        cancelled = Cancelled::Failure,
        handle = constants_breaker
    )]
    async fn constants() -> Result<(), Rejected> {
        Ok(())
    }

    #[circuit_breaker(window = LIMIT * 2, handle = window_by_count_breaker)]
    fn window_by_count() -> Result<(), Rejected> {
        Ok(())
    }

    #[circuit_breaker(window = Window::Calls(LIMIT), handle = window_itself_breaker)]
    fn window_itself() -> Result<(), Rejected> {
        Ok(())
    }

    /// As a snapshot shows a config: with what it stands for in place of what was left unset.
    fn shown(config: Config) -> Config {
        Breaker::new("shown", config).snapshot().config
    }

    #[test]
    fn arrive_at_the_breaker() {
        let _clock = breakerbox::testing::Clock::freeze();
        defaults().unwrap();
        literals().unwrap();
        block_on(constants()).unwrap();
        window_by_count().unwrap();
        window_itself().unwrap();
        assert_eq!(defaults_breaker().snapshot().config, shown(Config::new()));
        let literal = Config::new()
            .threshold(30)
            .rate(1.0)
            .window(Window::Calls(1_000))
            .consecutive(5)
            .max_failures(50)
            .slow_call(Duration::from_secs(90))
            .slow_rate(0.8)
            .cooldown(Duration::from_millis(250))
            .max_cooldown(Duration::from_secs(7_200))
            .jitter(0.0)
            .probes(7)
            .probe_concurrency(2)
            .probe_timeout(Duration::from_micros(1_500))
            .cancelled(Cancelled::Failure);
        assert_eq!(literals_breaker().snapshot().config, shown(literal));
        let constant = Config::new()
            .threshold(30)
            .rate(0.25)
            .window(Window::Time(PAUSE))
            .consecutive(29)
            .max_failures(u32::MAX)
            .slow_call(Duration::from_secs(1))
            .slow_rate(0.5)
            .cooldown(PAUSE)
            .max_cooldown(Duration::from_secs(5))
            .jitter(0.75)
            .probes(1)
            .probe_timeout(PAUSE)
            .cancelled(Cancelled::Failure);
        assert_eq!(constants_breaker().snapshot().config, shown(constant));
        for (breaker, calls) in [(window_by_count_breaker(), 60), (window_itself_breaker(), 30)] {
            let expected = shown(Config::new().window(Window::Calls(calls)));
            assert_eq!(breaker.snapshot().config, expected);
        }
    }
}

mod verdicts {
    use super::*;

    #[circuit_breaker(classify = outcome_of, handle = by_path_breaker)]
    fn by_path(result: Result<u32, Error>) -> Result<u32, Error> {
        result
    }

    #[circuit_breaker(classify = |result| match result { Ok(5) => Outcome::Failure, _ => Outcome::Success }, handle = by_closure_breaker)]
    async fn by_closure(number: u32) -> Result<u32, Error> {
        Ok(number)
    }

    #[circuit_breaker(failure_if = |error| matches!(error, Error::Timeout), handle = by_error_breaker)]
    fn by_error(result: Result<u32, Error>) -> Result<u32, Error> {
        result
    }

    #[circuit_breaker(classify = outcome_of, handle = hidden_breaker)]
    fn hidden(result: Result<u32, Error>) -> Result<impl std::fmt::Display, Error> {
        result
    }

    #[test]
    fn count() {
        let _clock = breakerbox::testing::Clock::freeze();
        by_path(Ok(1)).unwrap();
        by_path(Err(Error::NotFound)).unwrap_err();
        by_path(Err(Error::Timeout)).unwrap_err();
        by_path(Err(Error::Throttled(Duration::from_secs(1)))).unwrap_err();
        let totals = by_path_breaker().snapshot().totals;
        assert_eq!((totals.success, totals.failure), (2, 2));
        block_on(by_closure(5)).unwrap();
        assert_eq!(by_closure_breaker().snapshot().totals.failure, 1);
        by_error(Ok(1)).unwrap();
        by_error(Err(Error::Timeout)).unwrap_err();
        by_error(Err(Error::NotFound)).unwrap_err();
        let totals = by_error_breaker().snapshot().totals;
        assert_eq!((totals.success, totals.failure, totals.ignored), (1, 1, 1));
        hidden(Err(Error::NotFound)).err().unwrap();
        assert_eq!(hidden_breaker().snapshot().totals.success, 1);
    }
}

mod cancelled {
    use super::*;

    #[circuit_breaker(handle = ignored_breaker)]
    async fn ignored() -> Result<(), Rejected> {
        std::future::pending().await
    }

    #[circuit_breaker(cancelled = Failure, handle = failed_breaker)]
    async fn failed() -> Result<(), Rejected> {
        std::future::pending().await
    }

    #[test]
    fn futures_count_once_they_were_polled() {
        let _clock = breakerbox::testing::Clock::freeze();
        drop((ignored(), failed()));
        assert_eq!((calls(ignored_breaker()), calls(failed_breaker())), (0, 0));
        for _ in 0..2 {
            assert!(futures::FutureExt::now_or_never(ignored()).is_none());
            assert!(futures::FutureExt::now_or_never(failed()).is_none());
        }
        assert_eq!(ignored_breaker().snapshot().totals.ignored, 2);
        assert_eq!(failed_breaker().snapshot().totals.failure, 2);
    }
}

mod lent {
    use super::*;

    static PAYMENTS: Breaker = Breaker::new("payments", Config::new());

    #[circuit_breaker(breaker = &PAYMENTS)]
    fn charge() -> Result<(), Rejected> {
        Ok(())
    }

    #[circuit_breaker(breaker = &self::PAYMENTS)]
    async fn refund() -> Result<(), Rejected> {
        Ok(())
    }

    struct Client {
        own: Breaker,
        shared: Arc<Breaker>,
    }

    impl Client {
        #[circuit_breaker(breaker = &PAYMENTS)]
        fn void(&self) -> Result<(), Rejected> {
            Ok(())
        }

        #[circuit_breaker(breaker = &self.own)]
        fn by_reference(&self) -> Result<(), Rejected> {
            Ok(())
        }

        #[allow(non_snake_case)]
        #[circuit_breaker(breaker = &BREAKER)]
        fn by_argument(&self, BREAKER: &Breaker) -> Result<(), Rejected> {
            Ok(())
        }

        #[circuit_breaker(breaker = self.own)]
        fn by_place(&self) -> Result<(), Rejected> {
            Ok(())
        }

        #[circuit_breaker(breaker = if number > 0 { &self.own } else { &self.shared })]
        fn by_condition(&self, number: u32) -> Result<u32, Rejected> {
            Ok(number)
        }

        #[circuit_breaker(breaker = self.choose(name))]
        fn by_call(&self, name: &str) -> Result<String, Rejected> {
            Ok(name.to_owned())
        }

        #[circuit_breaker(breaker = self.shared.clone())]
        fn consumed(self) -> Result<Self, Rejected> {
            Ok(self)
        }

        #[circuit_breaker(breaker = self.shared.clone(), fallback = async |rejected| Err(rejected))]
        async fn consumed_later(self) -> Result<Self, Rejected> {
            std::future::ready(()).await;
            Ok(self)
        }

        #[circuit_breaker(breaker = self.shared.clone())]
        fn consumed_boxed(
            self: Box<Self>,
        ) -> futures::future::BoxFuture<'static, Result<Box<Self>, Rejected>> {
            Box::pin(async move { Ok(self) })
        }

        fn choose(&self, name: &str) -> &Breaker {
            if name.is_empty() { &self.own } else { &self.shared }
        }
    }

    #[test]
    fn breakers_are_used_in_place_of_an_own_one() {
        let _clock = breakerbox::testing::Clock::freeze();
        let shared = Arc::new(Breaker::new("shared", Config::new()));
        let client = Client { own: Breaker::new("own", Config::new()), shared: shared.clone() };
        charge().unwrap();
        block_on(refund()).unwrap();
        client.void().unwrap();
        assert_eq!(calls(&PAYMENTS), 3);
        client.by_reference().unwrap();
        client.by_place().unwrap();
        client.by_argument(&client.own).unwrap();
        client.by_call("").unwrap();
        client.by_condition(1).unwrap();
        assert_eq!(calls(&client.own), 5);
        client.by_call("x").unwrap();
        let client = client.consumed().unwrap();
        let client = block_on(client.consumed_later()).ok().unwrap();
        let client = block_on(Box::new(client).consumed_boxed()).ok().unwrap();
        assert_eq!(calls(&shared), 4);
        shared.force_open();
        assert!(block_on(client.consumed_later()).is_err());
        assert_eq!(shared.snapshot().totals.fallbacks, 1);
    }
}

mod handles {
    use super::*;

    /// Charges.
    #[circuit_breaker(handle = charge_breaker, name = "charges")]
    pub(crate) fn charge() -> Result<(), Rejected> {
        Ok(())
    }

    pub(crate) struct Client<T>(pub(crate) T);

    impl<T: Copy> Client<T> {
        #[circuit_breaker(handle = fetch_breaker)]
        pub(crate) fn fetch(&self) -> Result<T, Rejected> {
            Ok(self.0)
        }
    }

    #[test]
    fn give_the_breaker_out() {
        let _clock = breakerbox::testing::Clock::freeze();
        assert_eq!(crate::handles::charge_breaker().name(), "charges");
        charge().unwrap();
        assert_eq!(calls(charge_breaker()), 1);
        Client(1_u8).fetch().unwrap();
        Client("one").fetch().unwrap();
        let one = Client::<u8>::fetch_breaker();
        assert!(std::ptr::eq(one, Client::<&str>::fetch_breaker()), "one for all types");
        assert_eq!(calls(one), 2);
    }
}

mod listeners {
    use super::*;

    static SEEN: Mutex<Vec<(State, State, Cause)>> = Mutex::new(Vec::new());
    static OTHERS: AtomicU32 = AtomicU32::new(0);

    fn listen(transition: &Transition) {
        let seen = (transition.from, transition.to, transition.cause);
        SEEN.lock().unwrap().push(seen);
    }

    #[circuit_breaker(consecutive = 2, on_transition = listen)]
    fn heard(result: Result<(), Error>) -> Result<(), Error> {
        result
    }

    #[circuit_breaker(consecutive = 1, on_transition = |_| { OTHERS.fetch_add(1, Ordering::Relaxed); })]
    async fn counted(result: Result<(), Error>) -> Result<(), Error> {
        result
    }

    #[test]
    fn hear_every_change() {
        let _clock = Clock::freeze();
        for _ in 0..3 {
            heard(Err(Error::Timeout)).unwrap_err();
        }
        assert_eq!(*SEEN.lock().unwrap(), [(State::Closed, State::Open, Cause::Consecutive)]);
        block_on(counted(Err(Error::Timeout))).unwrap_err();
        assert_eq!(OTHERS.load(Ordering::Relaxed), 1);
    }
}
