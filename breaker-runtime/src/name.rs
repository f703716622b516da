//! The name of a breaker: borrowed for ever, or shared by all that speak of it.

use std::fmt;
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
    pub(crate) fn member(name: String, family: &'static str) -> Self {
        Self::Shared(Arc::new(SharedName { name: name.into(), family: Some(family) }))
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
}
