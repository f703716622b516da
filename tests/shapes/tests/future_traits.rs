//! The future of a protected function has the auto traits that it would have without the attribute,
//! and little more in it.

#![allow(
    clippy::await_holding_lock,
    clippy::manual_async_fn,
    reason = "unusual shapes are the point"
)]

use breakerbox::{Rejected, circuit_breaker};
use std::cell::Cell;
use std::future::{Future, ready};
use std::marker::PhantomPinned;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

/// Asks which auto traits a value has: inherent methods win over those of traits, and exist only for
/// types that have the auto trait.
struct Asked<'a, T: ?Sized>(&'a T);

impl<T: Send + ?Sized> Asked<'_, T> {
    fn is_send(&self) -> bool {
        true
    }
}

impl<T: Sync + ?Sized> Asked<'_, T> {
    fn is_sync(&self) -> bool {
        true
    }
}

impl<T: Unpin + ?Sized> Asked<'_, T> {
    fn is_unpin(&self) -> bool {
        true
    }
}

trait Otherwise {
    fn is_send(&self) -> bool {
        false
    }

    fn is_sync(&self) -> bool {
        false
    }

    fn is_unpin(&self) -> bool {
        false
    }
}

impl<T: ?Sized> Otherwise for Asked<'_, T> {}

macro_rules! auto_traits {
    ($value:expr) => {{
        let value = $value;
        let asked = Asked(&value);
        [asked.is_send(), asked.is_sync(), asked.is_unpin()]
    }};
}

macro_rules! twins {
    ($($item:item)*) => {
        mod plain {
            use super::*;
            $($item)*
        }
        mod protected {
            use super::*;
            $(#[circuit_breaker] $item)*
        }
    };
}

type Large = [u8; 4096];

async fn later<T>(kept: T) -> Result<u8, Rejected> {
    ready(()).await;
    drop(kept);
    Ok(1)
}

twins! {
    pub(super) async fn nothing() -> Result<(), Rejected> {
        Ok(())
    }

    pub(super) async fn number(number: u32) -> Result<u32, Rejected> {
        ready(()).await;
        Ok(number)
    }

    pub(super) async fn cell_across_no_await(cell: Cell<u32>) -> Result<u32, Rejected> {
        Ok(cell.get())
    }

    pub(super) async fn cell_across_await(cell: Cell<u32>) -> Result<u32, Rejected> {
        ready(()).await;
        Ok(cell.get())
    }

    pub(super) async fn borrowed_cell(cell: &Cell<u32>) -> Result<u32, Rejected> {
        ready(()).await;
        Ok(cell.get())
    }

    pub(super) async fn counted(text: Rc<str>) -> Result<usize, Rejected> {
        ready(()).await;
        Ok(text.len())
    }

    pub(super) async fn counted_inside() -> Result<usize, Rejected> {
        let text: Rc<str> = "text".into();
        ready(()).await;
        Ok(text.len())
    }

    pub(super) async fn counted_before() -> Result<usize, Rejected> {
        let length = {
            let text: Rc<str> = "text".into();
            text.len()
        };
        ready(()).await;
        Ok(length)
    }

    pub(super) async fn locked(text: Arc<Mutex<String>>) -> Result<usize, Rejected> {
        let length = text.lock().map(|text| text.len()).unwrap_or_default();
        ready(()).await;
        Ok(length)
    }

    pub(super) async fn guarded(text: Arc<Mutex<String>>) -> Result<usize, Rejected> {
        let Ok(text) = text.lock() else { return Ok(0) };
        ready(()).await;
        Ok(text.len())
    }

    pub(super) async fn unsendable_result() -> Result<Rc<str>, Rejected> {
        ready(()).await;
        Ok("text".into())
    }

    pub(super) async fn pinned(pinned: PhantomPinned) -> Result<PhantomPinned, Rejected> {
        ready(()).await;
        Ok(pinned)
    }

    pub(super) async fn generic<T>(value: T) -> Result<T, Rejected> {
        ready(()).await;
        Ok(value)
    }

    pub(super) async fn large(large: Large) -> Result<u8, Rejected> {
        ready(()).await;
        Ok(large[7])
    }

    pub(super) async fn large_unused(_large: Large, other: Large) -> Result<u8, Rejected> {
        ready(()).await;
        Ok(other[7])
    }

    pub(super) fn opaque(number: u32) -> impl Future<Output = Result<u32, Rejected>> {
        async move {
            ready(()).await;
            Ok(number)
        }
    }

    pub(super) fn opaque_local(text: Rc<str>) -> impl Future<Output = Result<usize, Rejected>> {
        async move {
            ready(()).await;
            Ok(text.len())
        }
    }

    pub(super) fn opaque_elsewhere(large: Large) -> impl Future<Output = Result<u8, Rejected>> {
        later(large)
    }

    pub(super) fn opaque_elsewhere_local(text: Rc<str>) -> impl Future<Output = Result<u8, Rejected>> {
        let text = Rc::clone(&text);
        later(text)
    }

    pub(super) fn boxed(number: u32) -> Pin<Box<dyn Future<Output = Result<u32, Rejected>> + Send>> {
        Box::pin(async move { Ok(number) })
    }
}

macro_rules! compare {
    ($($name:ident($($argument:expr),*)),* $(,)?) => {$(
        assert_eq!(
            auto_traits!(plain::$name($($argument),*)),
            auto_traits!(protected::$name($($argument),*)),
            stringify!($name),
        );
        let arguments = size_of_val(&($($argument,)*));
        let plain = size_of_val(&plain::$name($($argument),*));
        let protected = size_of_val(&protected::$name($($argument),*));
        assert!(
            protected <= plain + arguments + 48,
            "{}: {plain} bytes, protected {protected}, arguments {arguments}",
            stringify!($name),
        );
    )*};
}

#[test]
fn auto_traits_and_sizes() {
    let cell = Cell::new(1);
    compare! {
        nothing(),
        number(1),
        cell_across_no_await(Cell::new(1)),
        cell_across_await(Cell::new(1)),
        borrowed_cell(&cell),
        counted(text()),
        counted_inside(),
        counted_before(),
        locked(Arc::<Mutex<String>>::default()),
        guarded(Arc::<Mutex<String>>::default()),
        unsendable_result(),
        pinned(PhantomPinned),
        generic(1),
        generic(Rc::new(1)),
        large([0; 4096]),
        large_unused([0; 4096], [0; 4096]),
        opaque(1),
        opaque_local(text()),
        opaque_elsewhere([0; 4096]),
        boxed(1),
    }
}

/// Its size is another matter: what was made elsewhere is held once more.
#[test]
fn auto_traits_of_futures_made_elsewhere() {
    assert_eq!(
        auto_traits!(plain::opaque_elsewhere_local(text())),
        auto_traits!(protected::opaque_elsewhere_local(text())),
    );
}

fn text() -> Rc<str> {
    Rc::from("")
}
