//! Looking for the cause of an error: along its chain of sources, whatever type holds the chain.

use std::error::Error;
use std::io;
use std::ops::Deref;

/// A value that is an error or points to one: every type that implements [`Error`], and boxes of
/// `dyn Error`, among them `anyhow::Error` and `eyre::Report`, which do not implement it themselves.
///
/// The parameter only tells the two kinds apart, and is inferred.
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::AsError;
///
/// fn message<K>(error: &impl AsError<K>) -> String {
///     error.as_error().to_string()
/// }
/// assert_eq!(message(&std::fmt::Error), std::fmt::Error.to_string());
/// assert_eq!(message(&Box::<dyn std::error::Error + Send + Sync>::from("no answer")), "no answer");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an error, so its cause cannot be looked for",
    label = "neither `std::error::Error` nor a box of one",
    note = "implement `std::error::Error` for `{Self}`, whose `source()` leads to the cause; or match \
            on it in a function of your own"
)]
pub trait AsError<Kind> {
    /// The error.
    fn as_error(&self) -> &(dyn Error + 'static);
}

/// Of [`AsError`]: the type is an error.
#[derive(Debug)]
pub struct Itself;

/// Of [`AsError`]: the type points to an error, a `dyn Error` with the auto traits `D`.
#[derive(Debug)]
pub struct Pointer<D: ?Sized>(std::marker::PhantomData<D>);

impl<E: Error + 'static> AsError<Itself> for E {
    fn as_error(&self) -> &(dyn Error + 'static) {
        self
    }
}

macro_rules! pointers_to {
    ($($target:ty),*) => {$(
        impl<P: Deref<Target = $target>> AsError<Pointer<$target>> for P {
            fn as_error(&self) -> &(dyn Error + 'static) {
                &**self
            }
        }
    )*};
}

pointers_to!(dyn Error, dyn Error + Send, dyn Error + Send + Sync);

/// The first error of type `T`, or boxed `T`, in the chain that begins with `error`.
pub(crate) fn find<'e, T: Error + 'static>(error: &'e (dyn Error + 'static)) -> Option<&'e T> {
    let mut link = Some(error);
    while let Some(error) = link {
        let boxed = || error.downcast_ref::<Box<T>>().map(|found| &**found);
        let found: Option<&'e T> = error.downcast_ref().or_else(boxed);
        if found.is_some() {
            return found;
        }
        link = next(error);
    }
    None
}

/// An `io::Error` skips the error that it holds and names that one's source; the chain here does not
/// skip it.
fn next<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e (dyn Error + 'static)> {
    let held = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
    held.map(|held| held as _).or_else(|| error.source())
}

#[cfg(test)]
mod tests {
    use super::{AsError, find};
    use std::error::Error;
    use std::fmt;
    use std::io;

    #[derive(Debug)]
    struct Because<E>(E);

    impl<E> fmt::Display for Because<E> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("because")
        }
    }

    impl<E: Error + 'static> Error for Because<E> {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            Some(&self.0)
        }
    }

    fn holds<K>(error: &impl AsError<K>) -> bool {
        find::<fmt::Error>(error.as_error()).is_some()
    }

    #[test]
    fn the_cause_is_found_at_any_depth() {
        assert!(holds(&fmt::Error));
        assert!(holds(&Because(Because(fmt::Error))));
        assert!(holds(&Because(Box::new(fmt::Error))));
        assert!(!holds(&Because(Because(io::Error::other("no answer")))));
    }

    #[test]
    fn it_is_found_in_an_io_error() {
        assert!(holds(&io::Error::other(fmt::Error)));
        assert!(holds(&Because(io::Error::other(Because(fmt::Error)))));
        assert!(!holds(&io::Error::from(io::ErrorKind::TimedOut)));
    }

    #[test]
    fn it_is_found_in_boxes_of_all_kinds() {
        assert!(holds(&Box::<dyn Error>::from(Because(fmt::Error))));
        assert!(holds(&(Box::new(fmt::Error) as Box<dyn Error + Send>)));
        assert!(holds(&Box::<dyn Error + Send + Sync>::from(Because(fmt::Error))));
    }
}
