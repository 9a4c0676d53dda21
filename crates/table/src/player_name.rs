//! The names of players.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The name of a player: 1 to 24 characters, at least one of them visible, none of them a control
/// character or one that changes the direction of text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(value_type = String))]
#[serde(into = "String", try_from = "String")]
pub struct PlayerName(String);

/// The text is not a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a name has 1 to {most} visible characters", most = PlayerName::LONGEST)]
pub struct NotAName;

impl PlayerName {
    /// The most characters that a name has.
    pub const LONGEST: usize = 24;

    /// Makes a name of a text: invisible characters and spaces at the ends are removed.
    ///
    /// # Errors
    /// If nothing visible is left, or more than 24 characters.
    pub fn new(text: &str) -> Result<Self, NotAName> {
        // A longer text is not even scanned.
        if text.len() > 16 * Self::LONGEST {
            return Err(NotAName);
        }
        let cleaned = without_invisible(text);
        let cleaned = cleaned.trim();
        if cleaned.chars().count() > Self::LONGEST || !cleaned.chars().any(is_visible_alone) {
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

/// The text without characters that nobody sees, except those that make one emoji of several characters.
fn without_invisible(text: &str) -> String {
    let mut cleaned = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    let mut is_flag = false;
    while let Some(each) = rest.next() {
        let before = cleaned.chars().next_back();
        let joins = each == JOINER
            && before.is_some_and(|before| before == EMOJI_STYLE || is_emoji(before))
            && rest.peek().is_some_and(|next| is_emoji(*next));
        // The flag of a region is a black flag followed by invisible letters.
        is_flag = each == BLACK_FLAG || is_flag && is_tag(each);
        if joins || is_flag || !is_invisible(each) {
            cleaned.push(each);
        }
    }
    cleaned
}

/// Joins two emoji to one.
const JOINER: char = '\u{200d}';
/// Draws the character before it as an emoji.
const EMOJI_STYLE: char = '\u{fe0f}';
const BLACK_FLAG: char = '\u{1f3f4}';

/// Whether a character can be part of an emoji: symbols, pictographs and colours of skin.
fn is_emoji(each: char) -> bool {
    matches!(each, '\u{2190}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}')
}

/// Whether a character is an invisible letter, digit or end of a flag.
fn is_tag(each: char) -> bool {
    matches!(each, '\u{e0030}'..='\u{e0039}' | '\u{e0061}'..='\u{e007a}' | '\u{e007f}')
}

/// Whether a character controls a screen, or turns or hides text.
fn is_invisible(each: char) -> bool {
    each.is_control()
        || matches!(each, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}

/// Whether a character is visible on its own. Blanks and combining marks are not, though they may
/// be part of a name: an accent, the style of an emoji.
fn is_visible_alone(each: char) -> bool {
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
    fn emoji_of_several_characters_stay_whole() {
        let scotland = "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}";
        for text in
            ["👩\u{200d}👩\u{200d}👧", "❤\u{fe0f}\u{200d}🔥", "👍🏽", "🧑🏿\u{200d}🚀", "🇯🇵", scotland]
        {
            assert_eq!(PlayerName::new(text).unwrap().as_str(), text);
        }
        for (text, expected) in [
            ("A\u{200d}da", "Ada"),
            ("👩\u{200d}", "👩"),
            ("\u{200d}👩\u{200d}\u{200d}a", "👩a"),
            ("A\u{e0067}\u{e007f}", "A"),
        ] {
            assert_eq!(
                PlayerName::new(text).unwrap().as_str(),
                expected,
                "{}",
                text.escape_unicode()
            );
        }
    }

    #[test]
    fn an_invisible_or_too_long_name_is_refused() {
        let long = "a".repeat(25);
        let huge = "\u{200b}".repeat(1_000) + "a";
        for text in ["", "   ", "\u{202e}\n", &long, &huge] {
            assert_eq!(PlayerName::new(text), Err(NotAName));
        }
        assert!(PlayerName::new(&"a".repeat(24)).is_ok());
    }

    #[test]
    fn a_name_has_a_visible_character() {
        // Fillers, the blank pattern of Braille, variation selectors and combining marks.
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
