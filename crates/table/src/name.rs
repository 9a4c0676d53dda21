//! What players are called.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a player is called: 1 to 24 characters, none of which steers a screen or the direction of
/// writing.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct PlayerName(String);

/// Nobody can be called this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a name has 1 to {most} visible characters", most = PlayerName::LONGEST)]
pub struct NotAName;

impl PlayerName {
    /// How many characters a name has at most.
    pub const LONGEST: usize = 24;

    /// The name, without what cannot be seen and without spaces at its ends.
    ///
    /// # Errors
    /// If nothing is left of it, or too much.
    pub fn new(text: &str) -> Result<Self, NotAName> {
        // More is not even looked at.
        if text.len() > 16 * Self::LONGEST {
            return Err(NotAName);
        }
        let cleaned: String = text.chars().filter(|each| !is_invisible(*each)).collect();
        let cleaned = cleaned.trim();
        if !(1..=Self::LONGEST).contains(&cleaned.chars().count()) {
            return Err(NotAName);
        }
        Ok(Self(cleaned.to_owned()))
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Control characters, and those that turn or hide text.
fn is_invisible(each: char) -> bool {
    each.is_control()
        || matches!(each, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}

impl TryFrom<String> for PlayerName {
    type Error = NotAName;

    fn try_from(text: String) -> Result<Self, NotAName> {
        Self::new(&text)
    }
}

impl From<PlayerName> for String {
    fn from(name: PlayerName) -> Self {
        name.0
    }
}

impl fmt::Display for PlayerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cleaned() {
        for (text, expected) in [
            ("Ada", "Ada"),
            ("  Ada  L.\t", "Ada  L."),
            ("A\u{202e}da\u{0}", "Ada"),
            ("Zoë 李", "Zoë 李"),
            ("\u{feff}x\u{200b}", "x"),
        ] {
            assert_eq!(PlayerName::new(text).unwrap().as_str(), expected);
        }
    }

    #[test]
    fn who_has_no_visible_name_or_too_much_of_it_is_refused() {
        let long = "a".repeat(25);
        let huge = "\u{200b}".repeat(1_000) + "a";
        for text in ["", "   ", "\u{202e}\n", &long, &huge] {
            assert_eq!(PlayerName::new(text), Err(NotAName));
        }
        assert!(PlayerName::new(&"a".repeat(24)).is_ok());
    }
}
