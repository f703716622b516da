//! A bounded retry inside the breaker: how much reaches a server that is down. However many calls are
//! made, it is no more than the bound that each test computes.

use breakerbox::testing::Clock;
use breakerbox::{Breaker, Config, State, circuit_breaker};
use real_server::{FetchError, Server};
use std::thread;
use std::time::Duration;

const ATTEMPTS: usize = 3;
const THRESHOLD: usize = 4;
const PROBES: usize = 2;
const CALLERS: usize = 8;
const CALLS_OF_EACH: usize = 100;
const COOLDOWN: Duration = Duration::from_secs(15);

struct Client {
    breaker: Breaker,
    url: String,
}

impl Client {
    fn of(server: &Server) -> Self {
        let config = Config::new().threshold(4).rate(0.5).cooldown(COOLDOWN).probes(2);
        Self { breaker: Breaker::new("remote", config), url: server.url() }
    }

    #[circuit_breaker(breaker = &self.breaker)]
    fn fetch(&self) -> Result<(), FetchError> {
        let mut attempts = 0;
        loop {
            attempts += 1;
            match ureq::get(&self.url).config().proxy(None).build().call() {
                Err(_) if attempts < ATTEMPTS => {}
                answer => return Ok(answer.map(drop)?),
            }
        }
    }

    /// Callers at once, each with calls one after the other, none of which succeeds. Says how many
    /// were rejected.
    fn storm(&self) -> usize {
        let call = || match self.fetch() {
            Err(FetchError::Rejected(rejected)) => {
                assert_eq!(rejected.breaker(), "remote");
                true
            }
            Err(FetchError::Http(ureq::Error::StatusCode(503))) => false,
            other => panic!("the server is down: {other:?}"),
        };
        let calls = || (0..CALLS_OF_EACH).filter(|_| call()).count();
        thread::scope(|scope| {
            let callers: Vec<_> = (0..CALLERS).map(|_| scope.spawn(calls)).collect();
            callers.into_iter().map(|caller| caller.join().expect("no panic")).sum()
        })
    }
}

#[test]
fn a_call_counts_once_however_often_it_tries() {
    // (f f s) (f f f) (f f f) (f f f)   x
    // closed                            open
    let _clock = Clock::freeze();
    let server = Server::start();
    let client = Client::of(&server);
    thread::scope(|scope| {
        let call = scope.spawn(|| client.fetch());
        server.request().answer(503);
        server.request().answer(503);
        server.request().answer(200);
        call.join().expect("no panic").expect("the third attempt succeeds");
    });
    let totals = client.breaker.snapshot().totals;
    assert_eq!((totals.success, totals.failure), (1, 0));

    for failures in 1..THRESHOLD {
        assert_eq!(client.breaker.state(), State::Closed);
        assert!(server.answering(503, || client.fetch()).is_err());
        assert_eq!(client.breaker.snapshot().totals.failure, failures as u64);
    }
    assert_eq!(client.breaker.state(), State::Open);
    assert!(matches!(client.fetch(), Err(FetchError::Rejected(_))));
    assert_eq!(server.finish(), THRESHOLD * ATTEMPTS);
}

#[test]
fn a_storm_on_a_server_that_is_down_stays_within_its_bound() {
    // 8 callers, 100 calls each   …15 s…   the same   …15 s…   the same
    // open after 4                one failed probe is enough to open again
    let clock = Clock::freeze();
    let server = Server::start();
    let client = Client::of(&server);
    let mut admitted = 0;
    // What is under way when it opens goes on, one call of each other caller.
    let mut bound = THRESHOLD + CALLERS - 1;
    for recovery in 0..3 {
        if recovery > 0 {
            clock.advance(COOLDOWN);
            bound += PROBES;
        }
        let rejected = server.answering(503, || client.storm());
        admitted += CALLERS * CALLS_OF_EACH - rejected;
        assert_eq!(client.breaker.state(), State::Open);
        assert!(admitted <= bound, "{admitted} of at most {bound}");
    }
    assert_eq!(client.breaker.snapshot().totals.calls(), admitted as u64);
    let attempts = server.finish();
    println!(
        "of {} calls {admitted} were let through, in {attempts} attempts of at most {}",
        3 * CALLERS * CALLS_OF_EACH,
        bound * ATTEMPTS
    );
    assert_eq!(attempts, admitted * ATTEMPTS);
    assert!(attempts <= bound * ATTEMPTS);
}
