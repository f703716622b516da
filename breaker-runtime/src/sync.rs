//! The locks and atomics that the breaker is built on: the one switch between the real ones and
//! those of the model checker (`--cfg loom`), which runs through every order of their operations.

#[cfg(not(loom))]
pub(crate) use parking_lot::{Mutex, MutexGuard};
#[cfg(not(loom))]
pub(crate) use std::sync::atomic::AtomicU64;
pub(crate) use std::sync::atomic::Ordering;

#[cfg(loom)]
pub(crate) use checked::{AtomicU64, Mutex};
#[cfg(loom)]
pub(crate) use loom::sync::MutexGuard;

/// The checker's own are made at run time only. These are made by `const fn`, as a breaker is, and
/// set up at first use, inside the model.
#[cfg(loom)]
mod checked {
    use super::Ordering;
    use std::sync::OnceLock;

    pub(crate) struct AtomicU64 {
        first: u64,
        checked: OnceLock<loom::sync::atomic::AtomicU64>,
    }

    impl AtomicU64 {
        pub(crate) const fn new(first: u64) -> Self {
            Self { first, checked: OnceLock::new() }
        }

        fn checked(&self) -> &loom::sync::atomic::AtomicU64 {
            self.checked.get_or_init(|| loom::sync::atomic::AtomicU64::new(self.first))
        }

        pub(crate) fn load(&self, order: Ordering) -> u64 {
            self.checked().load(order)
        }

        pub(crate) fn store(&self, value: u64, order: Ordering) {
            self.checked().store(value, order);
        }

        pub(crate) fn fetch_add(&self, value: u64, order: Ordering) -> u64 {
            self.checked().fetch_add(value, order)
        }

        pub(crate) fn fetch_and(&self, value: u64, order: Ordering) -> u64 {
            self.checked().fetch_and(value, order)
        }

        pub(crate) fn compare_exchange(
            &self,
            current: u64,
            new: u64,
            success: Ordering,
            failure: Ordering,
        ) -> Result<u64, u64> {
            self.checked().compare_exchange(current, new, success, failure)
        }

        pub(crate) fn fetch_or(&self, value: u64, order: Ordering) -> u64 {
            self.checked().fetch_or(value, order)
        }
    }

    pub(crate) struct Mutex<T> {
        first: std::sync::Mutex<Option<T>>,
        checked: OnceLock<loom::sync::Mutex<T>>,
    }

    impl<T> Mutex<T> {
        pub(crate) const fn new(first: T) -> Self {
            Self { first: std::sync::Mutex::new(Some(first)), checked: OnceLock::new() }
        }

        pub(crate) fn lock(&self) -> loom::sync::MutexGuard<'_, T> {
            let checked = self.checked.get_or_init(|| {
                let first = self.first.lock().ok().and_then(|mut first| first.take());
                loom::sync::Mutex::new(first.expect("taken here only"))
            });
            checked.lock().expect("nothing panics under the lock")
        }
    }
}
