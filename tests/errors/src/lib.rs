//! What the tests of error types and executors have in common: a dependency that does what the test
//! says, an outage of it, and the executors.

use breakerbox::testing::Clock;
use breakerbox::{Rejected, RejectedKind};
use std::fmt::Debug;
use std::future::{Future, poll_fn};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};
use std::task::Poll;
use std::time::Duration;

/// A dependency that counts the calls that reach it.
#[derive(Debug, Default)]
pub struct Remote {
    down: AtomicBool,
    calls: AtomicU32,
}

impl Remote {
    /// Makes it fail, or recover.
    pub fn set_down(&self, down: bool) {
        self.down.store(down, SeqCst);
    }

    /// How many calls have reached it.
    #[must_use]
    pub fn calls(&self) -> u32 {
        self.calls.load(SeqCst)
    }

    /// A call.
    ///
    /// # Errors
    ///
    /// While it is down.
    pub fn ask(&self) -> io::Result<u32> {
        self.calls.fetch_add(1, SeqCst);
        if self.down.load(SeqCst) { Err(io::ErrorKind::ConnectionRefused.into()) } else { Ok(42) }
    }

    /// A call that is not ready at once.
    ///
    /// # Errors
    ///
    /// While it is down.
    pub async fn ask_async(&self) -> io::Result<u32> {
        once_pending().await;
        self.ask()
    }
}

/// Takes `call`, which is to be protected with `threshold = 3` and else the defaults, through an
/// outage and back. `rejected` finds the rejection in its error.
///
/// # Panics
///
/// If a call reaches the remote that should not, or the caller gets another answer than it should.
pub fn outage<E: Debug>(
    call: impl Fn(&Remote) -> Result<u32, E>,
    rejected: impl Fn(&E) -> Option<&Rejected>,
) {
    // s f f   x   …15 s…  s s s
    // closed  open        half-open, closed
    let clock = Clock::freeze();
    let remote = Remote::default();
    assert_eq!(call(&remote).unwrap(), 42);
    remote.set_down(true);
    for _ in 0..2 {
        let failed = call(&remote).unwrap_err();
        assert!(rejected(&failed).is_none(), "{failed:?}");
    }

    let refused = call(&remote).unwrap_err();
    let found = rejected(&refused).expect("the error holds the rejection");
    assert_eq!(found.kind(), RejectedKind::Open);
    assert_eq!(found.retry_after(), Some(Duration::from_secs(15)));
    assert_eq!(remote.calls(), 3);

    clock.advance(Duration::from_secs(15));
    remote.set_down(false);
    for _ in 0..3 {
        assert_eq!(call(&remote).unwrap(), 42);
    }
    assert_eq!(call(&remote).unwrap(), 42);
    assert_eq!(remote.calls(), 7);
}

/// Runs a future to its end on the executor of `futures`.
pub fn on_futures<F: Future>(future: F) -> F::Output {
    futures::executor::block_on(future)
}

/// Runs a future to its end on the executor of tokio.
///
/// # Panics
///
/// If tokio cannot start.
pub fn on_tokio<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime without drivers needs nothing")
        .block_on(future)
}

/// Lets the executor poll once more.
async fn once_pending() {
    let mut polled = false;
    poll_fn(|context| {
        if polled {
            return Poll::Ready(());
        }
        polled = true;
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
