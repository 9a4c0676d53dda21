//! A text in a link: compressed, in the part of the address that is never sent to a server.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::deflate::{NotUnpacked, pack, unpack};

/// What stands before the text in a link.
const PREFIX: &str = "text=";

/// The most bytes of a text in a link.
const MOST_BYTES: usize = 64 * 1024;

/// Why a link holds no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkError {
    /// It is damaged, or of another kind.
    Unreadable,
    /// Its text is too long.
    TooLong,
}

/// The fragment of a link with this text, without `#`.
#[must_use]
pub fn to_link(text: &str) -> String {
    format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(pack(text.as_bytes())))
}

/// The text in the fragment of a link; `None` if there is none.
///
/// # Errors
/// If the link is damaged or its text is too long. Unpacking stops at the bound.
pub fn from_link(fragment: &str) -> Option<Result<String, LinkError>> {
    let packed = fragment.trim_start_matches('#').strip_prefix(PREFIX)?;
    Some(unpacked(packed))
}

fn unpacked(packed: &str) -> Result<String, LinkError> {
    let packed = URL_SAFE_NO_PAD.decode(packed).map_err(|_error| LinkError::Unreadable)?;
    let text = unpack(&packed, MOST_BYTES).map_err(|error| match error {
        NotUnpacked::Damaged => LinkError::Unreadable,
        NotUnpacked::TooLong => LinkError::TooLong,
    })?;
    String::from_utf8(text).map_err(|_error| LinkError::Unreadable)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::DeflateEncoder;

    use super::super::EXAMPLES;
    use super::*;

    #[test]
    fn a_link_gives_back_every_text() {
        for example in EXAMPLES {
            let link = to_link(example.text);
            assert!(link.len() < 2_000, "{} takes {}", example.name, link.len());
            assert_eq!(from_link(&format!("#{link}")), Some(Ok(example.text.to_owned())));
        }
        assert_eq!(from_link("#moon"), None);
    }

    #[test]
    fn a_damaged_link_is_refused() {
        for damaged in ["text=%%", "text=abc", "text=", "text=AAAA"] {
            let read = from_link(damaged).unwrap();
            assert!(read == Err(LinkError::Unreadable) || read == Ok(String::new()), "{damaged}");
        }
    }

    #[test]
    fn a_link_that_unpacks_to_too_much_is_refused_at_the_bound() {
        assert!(from_link(&to_link(&"a".repeat(MOST_BYTES))).unwrap().is_ok());
        let too_long = to_link(&"a".repeat(MOST_BYTES + 1));
        assert_eq!(from_link(&too_long), Some(Err(LinkError::TooLong)));
        let mut bomb = DeflateEncoder::new(Vec::new(), Compression::best());
        bomb.write_all(&vec![b'a'; 50_000_000]).unwrap();
        let bomb = format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(bomb.finish().unwrap()));
        assert!(bomb.len() < 100_000);
        assert_eq!(from_link(&bomb), Some(Err(LinkError::TooLong)));
    }
}
