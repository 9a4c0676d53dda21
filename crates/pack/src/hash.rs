//! A short text that changes with the contents of a file.

use sha2::{Digest as _, Sha256};

/// The first 64 bits of SHA-256: enough for the few files of a page.
pub(crate) fn hash(bytes: &[u8]) -> String {
    hash_of(&[bytes])
}

/// The hash of several parts; where one ends and the next begins counts.
pub(crate) fn hash_of(parts: &[&[u8]]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        if parts.len() > 1 {
            hasher.update(part.len().to_le_bytes());
        }
        hasher.update(part);
    }
    let digest = hasher.finalize();
    let beginning = digest.first_chunk().expect("a digest has 32 bytes");
    format!("{:016x}", u64::from_be_bytes(*beginning))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_the_beginning_of_sha_256() {
        assert_eq!(hash(b""), "e3b0c44298fc1c14");
        assert_eq!(hash(b"abc"), "ba7816bf8f01cfea");
    }

    #[test]
    fn the_boundary_between_parts_counts() {
        assert_ne!(hash_of(&[b"ab", b"c"]), hash_of(&[b"a", b"bc"]));
    }
}
