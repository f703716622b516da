//! What the tests of this package share: a runtime to call clients on while the test plays the server.

pub mod grpc;

use std::future::Future;
use std::sync::LazyLock;
use std::thread::JoinHandle;
use tokio::runtime::{Builder, Runtime};

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime")
});

/// Begins a call, which goes on while the test does something else.
pub fn begin<F>(call: F) -> JoinHandle<F::Output>
where
    F: Future<Output: Send + 'static> + Send + 'static,
{
    std::thread::spawn(|| RUNTIME.block_on(call))
}

/// Makes a call and waits for it.
pub fn run<F: Future>(call: F) -> F::Output {
    RUNTIME.block_on(call)
}
