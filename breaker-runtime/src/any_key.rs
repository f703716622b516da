//! The keys of the attribute's `key`: the expansion cannot know their type, so text and integers of
//! all kinds are one.
#![expect(missing_docs, reason = "hidden; the variants are what their names say")]

use quick_cache::Equivalent;
use std::fmt;
use std::hash::{Hash, Hasher};

/// A key that is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnyKey {
    Text(Box<str>),
    Unsigned(u128),
    /// Below zero.
    Negative(i128),
}

/// A key that is looked up: it borrows its text, so that a hit allocates nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyRef<'a> {
    Text(&'a str),
    Unsigned(u128),
    Negative(i128),
}

/// What can be a key. `Kind` is inferred: no type is of both kinds.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the key of a breaker",
    label = "neither text nor an integer",
    note = "a key is anything that is `AsRef<str>`, or an integer: make one of it, as in `key = host.to_string()`"
)]
pub trait BreakerKey<Kind> {
    fn breaker_key(&self) -> KeyRef<'_>;
}

/// The kind of keys that are `AsRef<str>`.
pub struct Text;

/// The kind of keys that are integers.
pub struct Integer;

/// Reads the key that the attribute's `key` gives.
#[inline]
pub fn key<K: BreakerKey<Kind> + ?Sized, Kind>(key: &K) -> KeyRef<'_> {
    key.breaker_key()
}

impl<T: AsRef<str> + ?Sized> BreakerKey<Text> for T {
    #[inline]
    fn breaker_key(&self) -> KeyRef<'_> {
        KeyRef::Text(self.as_ref())
    }
}

macro_rules! integer_keys {
    ($($integer:ty)*) => {$(
        impl BreakerKey<Integer> for $integer {
            #[inline]
            #[allow(
                unused_comparisons,
                clippy::cast_lossless,
                clippy::cast_sign_loss,
                clippy::cast_possible_wrap,
                reason = "one body for all integers; each cast is to the widest, by sign"
            )]
            fn breaker_key(&self) -> KeyRef<'_> {
                if *self < 0 { KeyRef::Negative(*self as i128) } else { KeyRef::Unsigned(*self as u128) }
            }
        }

        impl BreakerKey<Integer> for &$integer {
            #[inline]
            fn breaker_key(&self) -> KeyRef<'_> {
                (**self).breaker_key()
            }
        }
    )*};
}

integer_keys!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

impl AnyKey {
    #[inline]
    fn as_ref(&self) -> KeyRef<'_> {
        match self {
            Self::Text(text) => KeyRef::Text(text),
            Self::Unsigned(number) => KeyRef::Unsigned(*number),
            Self::Negative(number) => KeyRef::Negative(*number),
        }
    }
}

impl KeyRef<'_> {
    pub(crate) fn to_owned(self) -> AnyKey {
        match self {
            Self::Text(text) => AnyKey::Text(text.into()),
            Self::Unsigned(number) => AnyKey::Unsigned(number),
            Self::Negative(number) => AnyKey::Negative(number),
        }
    }
}

impl Equivalent<AnyKey> for KeyRef<'_> {
    #[inline]
    fn equivalent(&self, key: &AnyKey) -> bool {
        *self == key.as_ref()
    }
}

/// As its [`KeyRef`], or a look-up would miss it.
impl Hash for AnyKey {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_ref().hash(state);
    }
}

impl fmt::Display for AnyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Unsigned(number) => number.fmt(f),
            Self::Negative(number) => number.fmt(f),
        }
    }
}
