//! What callers get from a fallback while the server is down: their own data, marked for what it is,
//! and never a failure that looks like a success.

use breakerbox::testing::Clock;
use breakerbox::{Breaker, Config, Rejected, RejectedKind, State, circuit_breaker};
use real_server::{FetchError, Request, Server};
use std::collections::HashMap;
use std::sync::{Barrier, Mutex};
use std::thread;
use std::time::Duration;

const USERS: [&str; 8] = ["ann", "ben", "cat", "dan", "eve", "fay", "gus", "hal"];
const COOLDOWN: Duration = Duration::from_secs(15);

/// An account and whether it is as the server has it now, or as it was.
#[derive(Debug, Clone, PartialEq)]
struct Account {
    text: String,
    is_fresh: bool,
}

struct Accounts {
    breaker: Breaker,
    url: String,
    last: Mutex<HashMap<String, String>>,
}

impl Accounts {
    #[circuit_breaker(breaker = &self.breaker, fallback = Self::last_known)]
    fn of(&self, user: &str) -> Result<Account, FetchError> {
        let request = ureq::get(format!("{}{user}", self.url)).config().proxy(None).build();
        let text = request.call()?.body_mut().read_to_string()?;
        self.last.lock().unwrap().insert(user.to_owned(), text.clone());
        Ok(Account { text, is_fresh: true })
    }

    fn last_known(&self, rejected: Rejected, user: &str) -> Result<Account, FetchError> {
        let last = self.last.lock().unwrap().get(user).cloned();
        let text = last.ok_or(FetchError::Rejected(rejected))?;
        Ok(Account { text, is_fresh: false })
    }
}

#[test]
fn each_caller_gets_its_own_last_data_and_can_tell_it_from_fresh() {
    // s × 8   f f f f f f f f   8 users at once: fallback × 8   …15 s…   s s s   s
    // closed                    open                             half-open        closed
    let clock = Clock::freeze();
    let server = Server::start();
    let config = Config::new().threshold(16).rate(0.5).cooldown(COOLDOWN);
    let accounts = Accounts {
        breaker: Breaker::new("accounts", config),
        url: server.url(),
        last: Mutex::default(),
    };
    let breaker = &accounts.breaker;
    for user in USERS {
        let account = answered(&server, &accounts, user).expect("an answer");
        assert_eq!(account, Account { text: format!("account of /{user}"), is_fresh: true });
    }
    for user in USERS {
        assert_eq!(breaker.state(), State::Closed);
        let failed = call(&server, &accounts, user, |request| request.answer(503));
        let is_told = matches!(failed, Err(FetchError::Http(ureq::Error::StatusCode(503))));
        assert!(is_told, "a real failure is never hidden");
    }
    assert_eq!(breaker.state(), State::Open);

    let before = breaker.snapshot();
    let start = Barrier::new(USERS.len());
    thread::scope(|scope| {
        for user in USERS {
            let (accounts, start) = (&accounts, &start);
            scope.spawn(move || {
                start.wait();
                let account = accounts.of(user).expect("the last that is known");
                let expected = Account { text: format!("account of /{user}"), is_fresh: false };
                assert_eq!(account, expected);
            });
        }
    });
    match accounts.of("ida") {
        Err(FetchError::Rejected(rejected)) => assert_eq!(rejected.kind(), RejectedKind::Open),
        other => panic!("nothing is known of her: {other:?}"),
    }

    let after = breaker.snapshot();
    assert_eq!(after.totals.fallbacks, 9);
    assert_eq!(after.totals.rejected(RejectedKind::Open), 9);
    assert_eq!(after.totals.calls(), before.totals.calls(), "an answer in place is no call");
    assert_eq!(after.generation, before.generation);

    clock.advance(COOLDOWN);
    for user in &USERS[..4] {
        assert!(answered(&server, &accounts, user).expect("an answer").is_fresh);
    }
    assert_eq!((breaker.state(), breaker.snapshot().window.calls), (State::Closed, 1));
    assert_eq!(server.finish(), 8 + 8 + 4, "none for the callers that a fallback answered");
}

fn answered(server: &Server, accounts: &Accounts, user: &str) -> Result<Account, FetchError> {
    call(server, accounts, user, |request| {
        let page = format!("account of {}", request.path());
        request.answer_page(&page);
    })
}

/// One call that arrives and that the server ends so.
fn call(
    server: &Server,
    accounts: &Accounts,
    user: &str,
    end: impl FnOnce(Request),
) -> Result<Account, FetchError> {
    thread::scope(|scope| {
        let call = scope.spawn(|| accounts.of(user));
        end(server.request());
        call.join().expect("a client does not panic")
    })
}
