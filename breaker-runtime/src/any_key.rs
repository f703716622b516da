//! The keys of the attribute's `key`: the expansion cannot know their type, so text and integers of
//! all kinds are one.
#![expect(missing_docs, reason = "hidden; the variants are what their names say")]

use quick_cache::Equivalent;
use std::fmt;
use std::hash::{Hash, Hasher};

/// A key that is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnyKey {
    Short(Short),
    Long(Box<str>),
    Unsigned(Halves),
    /// Below zero.
    Negative(Halves),
}

/// Text as long as fits in the room of the other kinds: so most keys are compared without going to
/// another place in memory. What is behind its end is zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Short {
    length: u8,
    bytes: [u8; SHORT],
}

const SHORT: usize = 22;

/// A key that is looked up: it borrows its text, so that a hit allocates nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyRef<'a> {
    Text(&'a str),
    Unsigned(Halves),
    Negative(Halves),
}

/// The bits of the widest integer, the upper half first. As one integer they would ask for an
/// alignment that makes each kept key a third larger.
type Halves = [u64; 2];

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
                reason = "one body for all integers; the widest keeps sign and all bits"
            )]
            fn breaker_key(&self) -> KeyRef<'_> {
                let halves = halves(*self as u128);
                if *self < 0 { KeyRef::Negative(halves) } else { KeyRef::Unsigned(halves) }
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

impl KeyRef<'_> {
    pub(crate) fn keep(self) -> AnyKey {
        match self {
            Self::Text(text) => Short::new(text).map_or(AnyKey::Long(text.into()), AnyKey::Short),
            Self::Unsigned(halves) => AnyKey::Unsigned(halves),
            Self::Negative(halves) => AnyKey::Negative(halves),
        }
    }
}

impl Short {
    fn new(text: &str) -> Option<Self> {
        let mut bytes = [0; SHORT];
        bytes.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
        Some(Self { length: u8::try_from(text.len()).ok()?, bytes })
    }

    #[inline]
    fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.length.into()).unwrap_or_default()
    }
}

#[expect(clippy::cast_possible_truncation, reason = "that is the lower half")]
#[inline]
fn halves(bits: u128) -> Halves {
    [(bits >> 64) as u64, bits as u64]
}

fn bits([upper, lower]: Halves) -> u128 {
    u128::from(upper) << 64 | u128::from(lower)
}

impl Equivalent<AnyKey> for KeyRef<'_> {
    #[inline]
    fn equivalent(&self, key: &AnyKey) -> bool {
        match (self, key) {
            (Self::Text(text), AnyKey::Short(short)) => text.as_bytes() == short.bytes(),
            (Self::Text(text), AnyKey::Long(long)) => *text == &**long,
            (Self::Unsigned(one), AnyKey::Unsigned(other))
            | (Self::Negative(one), AnyKey::Negative(other)) => one == other,
            _ => false,
        }
    }
}

// Without the kind: the keys of one function are of one kind, and equality tells kinds apart.

impl Hash for KeyRef<'_> {
    // A cache hashes in one place, where the state of the hasher can stay in registers.
    #[expect(clippy::inline_always, reason = "called, it costs a third of a look-up more")]
    #[inline(always)]
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Self::Text(text) => state.write(text.as_bytes()),
            Self::Unsigned(halves) | Self::Negative(halves) => halves.hash(state),
        }
    }
}

/// As its [`KeyRef`], or a look-up would miss it.
impl Hash for AnyKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Self::Short(short) => state.write(short.bytes()),
            Self::Long(long) => state.write(long.as_bytes()),
            Self::Unsigned(halves) | Self::Negative(halves) => halves.hash(state),
        }
    }
}

impl fmt::Display for AnyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Short(short) => f.write_str(&String::from_utf8_lossy(short.bytes())),
            Self::Long(long) => f.write_str(long),
            Self::Unsigned(halves) => bits(*halves).fmt(f),
            #[expect(clippy::cast_possible_wrap, reason = "these are the bits of a negative one")]
            Self::Negative(halves) => (bits(*halves) as i128).fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hash::{BuildHasher, RandomState};

    #[test]
    fn a_key_is_found_by_what_it_was_made_of_and_by_nothing_else() {
        let texts =
            ["", "a", "b", "0123456789012345678901", "01234567890123456789012", "ab\0", "ab"];
        let texts = texts.map(KeyRef::Text).into_iter();
        let numbers =
            [0_u128, 1, 1 << 64, u128::MAX].map(|number| KeyRef::Unsigned(halves(number)));
        let negative = KeyRef::Negative(halves(u128::MAX));
        let all: Vec<_> = texts.chain(numbers).chain([negative]).collect();
        let hasher = RandomState::new();
        for (place, one) in all.iter().enumerate() {
            let kept = one.keep();
            assert_eq!(hasher.hash_one(one), hasher.hash_one(&kept), "{kept}");
            for (other_place, other) in all.iter().enumerate() {
                assert_eq!(other.equivalent(&kept), place == other_place, "{other:?} {kept:?}");
            }
        }
    }

    #[test]
    fn a_key_reads_as_what_it_was_made_of() {
        let long = "a-host-of-more-than-22-bytes.example";
        let read = |key: KeyRef<'_>| key.keep().to_string();
        for text in ["", "eu.example", "Zürich", long] {
            assert_eq!(read(key(text)), text);
        }
        assert_eq!(
            [0, 7, u64::MAX].map(|number| read(key(&number))),
            ["0", "7", "18446744073709551615"]
        );
        assert_eq!([-1, i64::MIN].map(|number| read(key(&number))), ["-1", "-9223372036854775808"]);
        assert_eq!(read(key(&u128::MAX)), u128::MAX.to_string());
        assert_eq!(read(key(&i128::MIN)), i128::MIN.to_string());
        assert_eq!(read(key(&(1_u128 << 64 | 5))), "18446744073709551621");
    }

    #[test]
    fn it_is_small() {
        assert_eq!(size_of::<AnyKey>(), 24);
    }
}
