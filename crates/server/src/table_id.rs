//! The id of a table.

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The id of a table: 128 random bits, written as 22 letters, digits, `-` and `_`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableId([u8; 16]);

/// The text is not the id of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the id of a table has 22 letters, digits, - and _")]
pub struct InvalidTableId;

impl TableId {
    /// The id of these bits. They must be random, because every client that knows an id may watch its
    /// table.
    #[must_use]
    pub const fn new(bits: [u8; 16]) -> Self {
        Self(bits)
    }

    /// A new id.
    ///
    /// # Errors
    /// If the system has no random source.
    pub fn random() -> Result<Self, getrandom::Error> {
        let mut bits = [0; 16];
        getrandom::fill(&mut bits)?;
        Ok(Self(bits))
    }

    /// Its first characters: enough to tell tables apart in a log, too few to watch one.
    #[must_use]
    pub fn short(&self) -> String {
        self.to_string().chars().take(6).collect()
    }

    /// Its bits.
    #[must_use]
    pub const fn bits(&self) -> &[u8; 16] {
        &self.0
    }
}

impl FromStr for TableId {
    type Err = InvalidTableId;

    fn from_str(text: &str) -> Result<Self, InvalidTableId> {
        let bits = URL_SAFE_NO_PAD.decode(text).ok().and_then(|bits| bits.try_into().ok());
        bits.map(Self).ok_or(InvalidTableId)
    }
}

impl Serialize for TableId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TableId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&URL_SAFE_NO_PAD.encode(self.0))
    }
}

impl fmt::Debug for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_has_22_characters_and_is_parsed_again() {
        for bits in [[0; 16], [255; 16], *b"0123456789abcdef"] {
            let written = TableId::new(bits).to_string();
            assert_eq!((written.len(), written.parse()), (22, Ok(TableId::new(bits))));
        }
    }

    #[test]
    fn other_texts_are_refused() {
        let other_bits_at_the_end = "AAAAAAAAAAAAAAAAAAAAAB";
        let padded = "AAAAAAAAAAAAAAAAAAAAAA==";
        for text in ["", "A", "AAAAAAAAAAAAAAAAAAAAA", "+AAAAAAAAAAAAAAAAAAAAA", padded] {
            assert_eq!(text.parse::<TableId>(), Err(InvalidTableId));
        }
        assert_eq!(other_bits_at_the_end.parse::<TableId>(), Err(InvalidTableId));
    }

    #[test]
    fn random_ids_differ() {
        assert_ne!(TableId::random().unwrap(), TableId::random().unwrap());
    }
}
