//! Methods.

use breakerbox::{Breaker, Rejected, circuit_breaker};
use std::future::ready;
use std::pin::Pin;
use std::sync::Arc;

/// A client with a breaker of its own.
#[derive(Debug)]
pub struct Client<T> {
    breaker: Arc<Breaker>,
    value: T,
}

/// A trait with async methods.
pub trait Fetch {
    /// Fetches.
    fn fetch(&self) -> impl Future<Output = Result<usize, Rejected>>;

    /// Fetches and changes.
    ///
    /// # Errors
    ///
    /// When rejected.
    fn fetch_mut(&mut self) -> Result<&mut usize, Rejected>;
}

impl<T: Clone + Into<usize> + Sync> Client<T> {
    /// By reference.
    ///
    /// # Errors
    ///
    /// When rejected.
    #[circuit_breaker(handle = by_reference_breaker)]
    pub fn by_reference(&self) -> Result<&T, Rejected> {
        Ok(&self.value)
    }

    /// By mutable reference.
    ///
    /// # Errors
    ///
    /// When rejected.
    #[circuit_breaker(breaker = self.breaker.clone())]
    pub fn by_mutable_reference(&mut self, value: T) -> Result<&mut T, Rejected> {
        self.value = value;
        Ok(&mut self.value)
    }

    /// By value.
    ///
    /// # Errors
    ///
    /// When rejected.
    #[circuit_breaker(breaker = self.breaker.clone())]
    pub fn by_value(self) -> Result<T, Rejected> {
        Ok(self.value)
    }

    /// Pinned.
    ///
    /// # Errors
    ///
    /// When rejected.
    #[circuit_breaker(breaker = &self.breaker)]
    pub fn pinned(self: Pin<&Self>) -> Result<T, Rejected> {
        Ok(self.value.clone())
    }

    /// Later.
    ///
    /// # Errors
    ///
    /// When rejected.
    #[circuit_breaker(breaker = &self.breaker, fallback = Self::cached)]
    pub async fn later(&self, number: usize) -> Result<usize, Rejected> {
        Ok(ready(number).await)
    }

    #[expect(clippy::unused_async, reason = "a fallback of an async function")]
    async fn cached(&self, rejected: Rejected, number: usize) -> Result<usize, Rejected> {
        if number == 0 { Err(rejected) } else { Ok(number + self.value.clone().into()) }
    }
}

impl Fetch for Client<usize> {
    #[circuit_breaker(breaker = &self.breaker)]
    async fn fetch(&self) -> Result<usize, Rejected> {
        Ok(ready(self.value).await)
    }

    #[circuit_breaker(breaker = self.breaker.clone())]
    fn fetch_mut(&mut self) -> Result<&mut usize, Rejected> {
        Ok(&mut self.value)
    }
}

/// What must be used, and drops something.
#[derive(Debug)]
#[must_use]
pub struct Guard {
    armed: bool,
    held: Option<String>,
}

impl Drop for Guard {
    fn drop(&mut self) {
        drop(self.held.take());
    }
}

impl Guard {
    /// Only changed, by value.
    ///
    /// # Errors
    ///
    /// When rejected.
    #[circuit_breaker]
    pub fn disarm(mut self) -> Result<(), Rejected> {
        self.armed = false;
        Ok(())
    }

    /// Only changed, later.
    ///
    /// # Errors
    ///
    /// When rejected.
    #[circuit_breaker]
    pub async fn disarm_later(mut self) -> Result<(), Rejected> {
        ready(()).await;
        self.armed = false;
        Ok(())
    }
}

/// Only changed, beside what is read.
///
/// # Errors
///
/// When rejected.
#[circuit_breaker]
pub fn commit(
    mut guard: Guard,
    text: &str,
    (mut other, _): (Guard, u8),
) -> Result<usize, Rejected> {
    other.held = None;
    guard.armed |= text.is_empty();
    Ok(text.len())
}

/// Only changed, later.
///
/// # Errors
///
/// When rejected.
#[circuit_breaker]
pub async fn commit_later(mut guard: Guard, text: &str) -> Result<usize, Rejected> {
    ready(()).await;
    guard.armed = false;
    Ok(text.len())
}
