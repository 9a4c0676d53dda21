//! The tokens that hold seats.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::digest::Digest;

/// The token that holds a seat: 128 random bits, written as 32 hexadecimal digits. A client that
/// shows it is the player; the log holds only its digest.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(value_type = String, pattern = "^[0-9a-f]{32}$"))]
#[serde(into = "String", try_from = "String")]
pub struct Token([u8; 16]);

/// The text is not a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a token has 32 lowercase hexadecimal digits")]
pub struct NotAToken;

impl Token {
    /// A token from 16 unpredictable bytes.
    #[must_use]
    pub const fn new(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// The digest of the token, for the log.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of(&self.0)
    }

    /// The token as text, for its holder only.
    #[must_use]
    pub fn reveal(&self) -> String {
        format!("{:032x}", u128::from_be_bytes(self.0))
    }
}

impl FromStr for Token {
    type Err = NotAToken;

    fn from_str(text: &str) -> Result<Self, NotAToken> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if text.len() != 32 || !text.bytes().all(is_digit) {
            return Err(NotAToken);
        }
        let number = u128::from_str_radix(text, 16).map_err(|_error| NotAToken)?;
        Ok(Self(number.to_be_bytes()))
    }
}

impl TryFrom<String> for Token {
    type Error = NotAToken;

    fn try_from(text: String) -> Result<Self, NotAToken> {
        text.parse()
    }
}

impl From<Token> for String {
    fn from(token: Token) -> Self {
        token.reveal()
    }
}

/// Compares digests, so that the time reveals nothing about where two tokens differ.
impl PartialEq for Token {
    fn eq(&self, other: &Self) -> bool {
        self.digest() == other.digest()
    }
}

impl Eq for Token {}

/// Shows nothing of the token.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_survives_a_round_trip_and_debug_output_hides_it() {
        let token = Token::new([0x0a; 16]);
        assert_eq!(token.reveal(), "0a".repeat(16));
        assert_eq!(token.reveal().parse::<Token>().unwrap().digest(), token.digest());
        assert_eq!(format!("{token:?}"), "Token");
    }

    #[test]
    fn other_texts_are_refused() {
        let long = "0".repeat(33);
        for text in ["", "0", &long, &"0A".repeat(16), &"+".repeat(32), &"é".repeat(16)] {
            assert!(text.parse::<Token>().is_err(), "{text}");
        }
    }
}
