//! Protected futures on executors that move them between threads, and their cancellation.

use breakerbox::testing::Clock;
use breakerbox::{State, circuit_breaker};
use errors::{Remote, on_futures};
use futures::task::SpawnExt;
use std::future::pending;
use std::io;
use std::sync::Arc;

#[circuit_breaker(threshold = 8, handle = charge_breaker)]
async fn charge(remote: Arc<Remote>) -> io::Result<u32> {
    remote.ask_async().await
}

#[circuit_breaker(handle = hang_breaker)]
async fn hang() -> io::Result<()> {
    pending().await
}

#[test]
fn tasks_of_tokio_share_the_breaker() {
    let _clock = Clock::freeze();
    let remote = Arc::new(Remote::default());
    remote.set_down(true);
    let tokio = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
    let tasks: Vec<_> = (0..8).map(|_| tokio.spawn(charge(Arc::clone(&remote)))).collect();
    for task in tasks {
        tokio.block_on(task).unwrap().unwrap_err();
    }
    assert_eq!(charge_breaker().state(), State::Open);
    assert_eq!(remote.calls(), 8);
}

#[test]
fn tasks_of_futures_share_the_breaker() {
    let _clock = Clock::freeze();
    let remote = Arc::new(Remote::default());
    remote.set_down(true);
    let pool = futures::executor::ThreadPool::builder().pool_size(2).create().unwrap();
    let tasks: Vec<_> =
        (0..8).map(|_| pool.spawn_with_handle(charge(Arc::clone(&remote))).unwrap()).collect();
    for task in tasks {
        on_futures(task).unwrap_err();
    }
    assert_eq!(charge_breaker().state(), State::Open);
    assert_eq!(remote.calls(), 8);
}

#[test]
fn an_aborted_task_says_nothing_about_the_remote() {
    let _clock = Clock::freeze();
    let tokio = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let ignored = || hang_breaker().snapshot().totals.ignored;
    let before = ignored();
    let task = tokio.spawn(hang());
    tokio.block_on(tokio::task::yield_now()); // the task is polled once, and hangs
    task.abort();
    assert!(tokio.block_on(task).unwrap_err().is_cancelled());
    assert_eq!(ignored(), before + 1);
    assert_eq!(hang_breaker().snapshot().window.calls, 0);
}
