//! The digests under which texts of rules are kept.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest as _, Sha256};
use table::{Entry, EntryBody};

/// The first half of the SHA-256 of a text of rules: nobody finds two texts with the same one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RulesDigest([u8; 16]);

/// The text is not the digest of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a digest of rules has 32 lowercase hexadecimal digits")]
pub struct InvalidRulesDigest;

impl RulesDigest {
    /// The digest of a text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let whole: [u8; 32] = Sha256::digest(text.as_bytes()).into();
        let (half, _) = whole.split_first_chunk().expect("a hash has 32 bytes");
        Self(*half)
    }

    /// The name of a game that is played by the text with this digest: `nim` becomes `nim@0f3a…`.
    #[must_use]
    pub fn name(self, game: &str) -> String {
        format!("{game}@{self}")
    }

    /// The digest that the name of a game ends with.
    #[must_use]
    pub fn named_by(game: &str) -> Option<Self> {
        game.rsplit_once('@')?.1.parse().ok()
    }

    /// The digest that the first entry of a log names.
    pub(super) fn named_in(first: &Entry) -> Option<Self> {
        let EntryBody::Created { game, .. } = &first.body else { return None };
        Self::named_by(game)
    }

    /// Its bytes.
    pub(super) const fn bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

impl From<[u8; 16]> for RulesDigest {
    fn from(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }
}

impl fmt::Display for RulesDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", u128::from_be_bytes(self.0))
    }
}

impl FromStr for RulesDigest {
    type Err = InvalidRulesDigest;

    fn from_str(text: &str) -> Result<Self, InvalidRulesDigest> {
        let is_digit = |digit: u8| matches!(digit, b'0'..=b'9' | b'a'..=b'f');
        if text.len() != 32 || !text.bytes().all(is_digit) {
            return Err(InvalidRulesDigest);
        }
        let number = u128::from_str_radix(text, 16).map_err(|_number| InvalidRulesDigest)?;
        Ok(Self(number.to_be_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_names_the_first_half_of_the_published_hash() {
        let digest = RulesDigest::of("abc");
        let name = digest.name("nim");
        assert_eq!(name, "nim@ba7816bf8f01cfea414140de5dae2223");
        assert_eq!(RulesDigest::named_by(&name), Some(digest));
    }

    #[test]
    fn other_names_name_no_text() {
        let name = RulesDigest::of("abc").name("nim");
        let (short, long) = (name.strip_suffix('3').expect("it ends so"), format!("{name}0"));
        let (capital, odd) = (name.to_uppercase(), name.replace('b', "g"));
        for name in
            ["nim", "nim@", short, &long, &capital, &odd, "nim@+a7816bf8f01cfea414140de5dae2223"]
        {
            assert_eq!(RulesDigest::named_by(name), None, "{name}");
        }
    }
}
