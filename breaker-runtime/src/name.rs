//! The name of a breaker: borrowed for ever, or shared by all that speak of it.

use std::fmt;
#[cfg(feature = "keyed")]
use std::fmt::{Display, Write};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A breaker's name, cloned without allocating. Both forms fit in sixteen bytes.
#[derive(Clone)]
pub(crate) enum Name {
    Static(&'static str),
    Shared(Arc<SharedName>),
}

pub(crate) struct SharedName {
    name: Box<str>,
    /// For a member of a family: the family's name.
    family: Option<&'static str>,
}

impl Name {
    pub(crate) fn shared(name: &str) -> Self {
        Self::Shared(Arc::new(SharedName { name: name.into(), family: None }))
    }

    #[cfg(feature = "keyed")]
    pub(crate) fn member(family: &'static str, key: &impl Display) -> Self {
        let name = member_name(family, key).into();
        Self::Shared(Arc::new(SharedName { name, family: Some(family) }))
    }

    #[inline]
    pub(crate) fn as_str(&self) -> &str {
        match self {
            Self::Static(name) => name,
            Self::Shared(shared) => &shared.name,
        }
    }

    pub(crate) fn family(&self) -> &str {
        match self {
            Self::Shared(shared) => shared.family.unwrap_or(&shared.name),
            Self::Static(name) => name,
        }
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Name {}

impl Hash for Name {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

/// Characters of a key that are shown.
#[cfg(feature = "keyed")]
const SHOWN: usize = 64;

/// `family[key]`, with the key escaped and cut: it comes from outside, and must not be able to forge
/// a line of a log or a label of a metric.
#[cfg(feature = "keyed")]
fn member_name(family: &str, key: &impl Display) -> String {
    struct Escaped<'a> {
        name: &'a mut String,
        left: usize,
    }
    impl Write for Escaped<'_> {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            for character in text.chars() {
                if self.left == 0 {
                    return Err(fmt::Error);
                }
                self.left -= 1;
                match character {
                    '[' | ']' | '{' | '}' | '=' | ',' | '`' => self.name.extend(['\\', character]),
                    _ => self.name.extend(character.escape_debug()),
                }
            }
            Ok(())
        }
    }
    let mut name = format!("{family}[");
    let cut = write!(Escaped { name: &mut name, left: SHOWN }, "{key}").is_err();
    name.push_str(if cut { "…]" } else { "]" });
    name
}

#[cfg(test)]
mod tests {
    use super::Name;

    #[test]
    fn a_name_takes_no_more_room_than_a_string_slice() {
        assert_eq!(size_of::<Name>(), size_of::<&str>());
    }

    #[test]
    fn names_are_equal_when_they_read_the_same() {
        assert_eq!(Name::Static("a"), Name::shared("a"));
        assert_ne!(Name::Static("a"), Name::shared("b"));
    }

    #[cfg(feature = "keyed")]
    #[test]
    fn a_member_knows_its_family() {
        let member = Name::member("fetch", &"eu.example");
        assert_eq!((member.as_str(), member.family()), ("fetch[eu.example]", "fetch"));
        assert_eq!(Name::Static("fetch").family(), "fetch");
        assert_eq!(Name::shared("fetch").family(), "fetch");
    }

    #[cfg(feature = "keyed")]
    #[test]
    fn a_hostile_key_forges_nothing_in_its_name() {
        for (key, name) in [
            ("eu.example:443", "fetch[eu.example:443]"),
            ("", "fetch[]"),
            ("a\nb\r\t\0", "fetch[a\\nb\\r\\t\\0]"),
            ("x] {a=\"b\"}", "fetch[x\\] \\{a\\=\\\"b\\\"\\}]"),
            ("\u{202e}\u{1b}[31m", "fetch[\\u{202e}\\u{1b}\\[31m]"),
            ("Zürich", "fetch[Zürich]"),
        ] {
            assert_eq!(super::member_name("fetch", &key), name);
        }
        assert_eq!(super::member_name("f", &"k".repeat(64)), format!("f[{}]", "k".repeat(64)));
        assert_eq!(super::member_name("f", &"k".repeat(65)), format!("f[{}…]", "k".repeat(64)));
    }
}
