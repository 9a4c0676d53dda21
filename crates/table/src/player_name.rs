//! What players are called.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a player is called: 1 to 24 characters, none of which steers a screen or the direction of
/// writing, and one of which at least can be seen.
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
    /// If nothing that can be seen is left of it, or too much.
    pub fn new(text: &str) -> Result<Self, NotAName> {
        // More is not even looked at.
        if text.len() > 16 * Self::LONGEST {
            return Err(NotAName);
        }
        let cleaned: String = text.chars().filter(|each| !is_invisible(*each)).collect();
        let cleaned = cleaned.trim();
        if cleaned.chars().count() > Self::LONGEST || !cleaned.chars().any(shows_by_itself) {
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

/// Neither a blank nor a mark on the character before it. Both may be parts of a name: an emoji with its
/// style, an accent.
fn shows_by_itself(each: char) -> bool {
    let is_filler = matches!(
        each,
        '\u{115f}'
            | '\u{1160}'
            | '\u{17b4}'
            | '\u{17b5}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{ffa0}'
            | '\u{fffc}'
            | '\u{1d159}'
            | '\u{1d173}'..='\u{1d17a}'
    );
    let is_mark = matches!(each, '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}'
        | '\u{180b}'..='\u{180f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}' | '\u{fe00}'..='\u{fe0f}' | '\u{fe20}'..='\u{fe2f}'
        | '\u{e0100}'..='\u{e01ef}');
    !each.is_whitespace() && !is_filler && !is_mark
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

    #[test]
    fn a_name_shows_something() {
        // Fillers, a blank pattern of Braille, what only varies or marks what comes before it.
        let blanks = ["\u{3164}", "\u{ffa0}", "\u{115f}\u{1160}", "\u{2800}", "\u{17b4}"];
        let marks = ["\u{fe0f}", "\u{301}", "\u{34f}", "\u{20dd}", "\u{e0100}", "\u{180b}"];
        for text in blanks.into_iter().chain(marks) {
            assert_eq!(PlayerName::new(text), Err(NotAName), "{}", text.escape_unicode());
            assert_eq!(PlayerName::new(&text.repeat(3)), Err(NotAName));
            assert!(PlayerName::new(&format!("A{text}")).is_ok(), "{}", text.escape_unicode());
        }
        for text in ["❤\u{fe0f}", "e\u{301}", "🦊", "!", "⠁", "ㅋ", "ش", "कि", "한"] {
            assert_eq!(PlayerName::new(text).unwrap().as_str(), text);
        }
    }
}
