//! What the machine asks for by itself: a clock read, a lock, a look-up, of which the rows' baselines
//! are sums.

use crate::candidates::{Broken, floor, now, succeed};
use crate::measure::{Candidate, Row};
use dashmap::DashMap;
use parking_lot::Mutex;
use rustix::time::{ClockId, clock_gettime};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

pub(crate) const WHO: &str = "floor";
pub(crate) const DASHMAP: &str = "dashmap";
/// Keys of the keyed rows.
pub(crate) const KEYS: u32 = 10_000;

pub(crate) fn all() -> Vec<Candidate> {
    static LOADED: AtomicU64 = AtomicU64::new(0);
    static LOCKED: Mutex<u64> = Mutex::new(0);
    static CONTENDED: Mutex<u64> = Mutex::new(0);
    static ADDED: AtomicU64 = AtomicU64::new(0);
    static COUNTED: AtomicU64 = AtomicU64::new(0);

    let coarse = || clock_gettime(ClockId::MonotonicCoarse);
    let names = names();
    let map: Arc<DashMap<String, u32>> = Arc::new(names.iter().cloned().zip(0..).collect());
    let look_up = move |number: u32| map.get(&names[(number % KEYS) as usize]).map(|found| *found);
    vec![
        floor(Row::Empty, WHO, call),
        floor(Row::EmptyAsync, WHO, |number| now!(async move { succeed(number) })),
        floor(Row::Load, WHO, |_| LOADED.load(Ordering::Acquire)),
        floor(Row::Coarse, WHO, move |_| coarse()),
        floor(Row::Precise, WHO, |_| Instant::now()),
        floor(Row::Lock, WHO, |_| *LOCKED.lock() += 1),
        floor(Row::KeyLookUp, DASHMAP, look_up.clone()),
        floor(Row::KeyLookUpTwo, DASHMAP, look_up),
        floor(Row::LockTwo, WHO, |_| *CONTENDED.lock() += 1),
        floor(Row::FetchAddTwo, WHO, |_| ADDED.fetch_add(1, Ordering::Relaxed)),
        floor(Row::CoarseFetchAddTwo, WHO, move |_| {
            (coarse(), COUNTED.fetch_add(1, Ordering::Relaxed))
        }),
    ]
}

/// A function that is called, as one under the attribute is.
#[inline(never)]
fn call(number: u32) -> Result<u32, Broken> {
    succeed(number)
}

pub(crate) fn names() -> Vec<String> {
    (0..KEYS).map(|key| format!("host-{key}.example")).collect()
}
