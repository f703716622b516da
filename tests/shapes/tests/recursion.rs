//! Recursion goes as deep as a thread's usual two megabytes should let it, unoptimised too.

use breakerbox::{Rejected, circuit_breaker};
use futures::executor::block_on;
use std::thread;

const DEPTH: u32 = 1_000;

#[circuit_breaker]
fn down(depth: u32) -> Result<u32, Rejected> {
    if depth == 0 { Ok(0) } else { Ok(down(depth - 1)? + 1) }
}

#[circuit_breaker]
async fn down_later(depth: u32) -> Result<u32, Rejected> {
    if depth == 0 { Ok(0) } else { Ok(Box::pin(down_later(depth - 1)).await? + 1) }
}

#[test]
fn deep() {
    let thread = thread::Builder::new().stack_size(2 << 20);
    let depths = thread.spawn(|| (down(DEPTH), block_on(down_later(DEPTH)))).expect("a thread");
    let (sync, later) = depths.join().expect("no overflow");
    assert_eq!((sync.unwrap(), later.unwrap()), (DEPTH, DEPTH));
}
