//! The seed of a table, once it is public.

use serde::{Deserialize, Serialize};

use crate::automatic::TableSecret;
use crate::digest::{Digest, NotADigest};

/// The seed of an ended table, written as 64 hexadecimal digits. Everybody may know it: nothing is drawn
/// from it any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(value_type = String, pattern = "^[0-9a-f]{64}$"))]
#[serde(into = "String", try_from = "String")]
pub struct RevealedSeed([u8; 32]);

impl RevealedSeed {
    /// The seed with these bytes.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The secret that it was.
    #[must_use]
    pub const fn secret(self) -> TableSecret {
        TableSecret::new(self.0)
    }
}

impl From<RevealedSeed> for String {
    fn from(seed: RevealedSeed) -> Self {
        Digest::from_bytes(seed.0).to_string()
    }
}

impl TryFrom<String> for RevealedSeed {
    type Error = NotADigest;

    fn try_from(text: String) -> Result<Self, NotADigest> {
        Digest::try_from(text).map(|digits| Self(*digits.bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_survives_a_round_trip_and_its_digest_is_the_commitment() {
        let seed = RevealedSeed::new([0xa0; 32]);
        assert_eq!(String::from(seed), "a0".repeat(32));
        assert_eq!(RevealedSeed::try_from("a0".repeat(32)), Ok(seed));
        assert_eq!(seed.secret().commitment(), Digest::of(&[0xa0; 32]));
        assert!(RevealedSeed::try_from("a0".repeat(31)).is_err());
    }
}
