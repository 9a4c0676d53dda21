//! The short texts in a frame's head.

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

/// A ref, a topic or the name of an event: 1 to 255 bytes of text.
///
/// The bound is that of Phoenix's binary messages, which have one byte for a length.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShortText(Arc<str>);

/// Why a text is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShortTextError {
    /// It is empty.
    #[error("is empty")]
    Empty,
    /// It is longer than [`ShortText::MAX_BYTES`].
    #[error("is longer than {} bytes", ShortText::MAX_BYTES)]
    TooLong,
}

impl ShortText {
    /// The most bytes.
    pub const MAX_BYTES: usize = 255;

    /// Accepts a text.
    ///
    /// # Errors
    ///
    /// If the text is empty or longer than [`ShortText::MAX_BYTES`].
    pub fn new(text: &str) -> Result<Self, ShortTextError> {
        match text.len() {
            0 => Err(ShortTextError::Empty),
            1..=Self::MAX_BYTES => Ok(Self(Arc::from(text))),
            _ => Err(ShortTextError::TooLong),
        }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A number as text.
    pub(crate) fn number(number: u64) -> Self {
        Self(Arc::from(number.to_string()))
    }

    /// A word of the protocol.
    pub(crate) fn known(text: &'static str) -> Self {
        Self(Arc::from(text))
    }
}

impl TryFrom<&str> for ShortText {
    type Error = ShortTextError;

    fn try_from(text: &str) -> Result<Self, ShortTextError> {
        Self::new(text)
    }
}

impl Borrow<str> for ShortText {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl PartialEq<str> for ShortText {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for ShortText {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl fmt::Display for ShortText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl fmt::Debug for ShortText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_label_is_accepted() {
        let text = "x".repeat(ShortText::MAX_BYTES);
        assert_eq!(ShortText::new(&text).unwrap(), *text);
    }

    #[test]
    fn a_longer_label_is_refused() {
        assert_eq!(
            ShortText::new(&"x".repeat(ShortText::MAX_BYTES + 1)),
            Err(ShortTextError::TooLong)
        );
    }

    #[test]
    fn the_limit_counts_bytes_and_not_letters() {
        assert_eq!(ShortText::new(&"é".repeat(128)), Err(ShortTextError::TooLong));
    }

    #[test]
    fn an_empty_label_is_refused() {
        assert_eq!(ShortText::new(""), Err(ShortTextError::Empty));
    }
}
