//! The names of b-threads.

use std::fmt;
use std::sync::Arc;

/// The name of a b-thread: a family and, where there are many, a parameter.
///
/// ```
/// use bthread::Name;
///
/// let name = Name::of("SquareTaken", "b2");
/// assert_eq!(name.to_string(), "SquareTaken(b2)");
/// assert_eq!(name.family(), "SquareTaken");
/// assert_eq!(name.parameter(), Some("b2"));
/// assert!(name.is("SquareTaken") && name.is("SquareTaken(b2)"));
/// assert_eq!(Name::from("EnforceTurns").parameter(), None);
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(Arc<str>);

impl Name {
    /// The name of one member of a family.
    pub fn of(family: impl fmt::Display, parameter: impl fmt::Display) -> Self {
        Self(format!("{family}({parameter})").into())
    }

    /// The whole name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The part before the parameter.
    #[must_use]
    pub fn family(&self) -> &str {
        self.split().map_or(&*self.0, |(family, _)| family)
    }

    /// The part that tells the members of a family apart, if there is one.
    #[must_use]
    pub fn parameter(&self) -> Option<&str> {
        self.split().map(|(_, parameter)| parameter)
    }

    /// Whether the words are this name or its family.
    #[must_use]
    pub fn is(&self, words: &str) -> bool {
        self.as_str() == words || self.family() == words
    }

    fn split(&self) -> Option<(&str, &str)> {
        self.0.strip_suffix(')')?.split_once('(')
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl From<String> for Name {
    fn from(text: String) -> Self {
        Self(text.into())
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
