//! The locks and atomics that the breaker is built on: the one switch between the real ones and
//! those of the model checker.

pub(crate) use parking_lot::Mutex;
pub(crate) use std::sync::atomic::{AtomicU64, Ordering};
