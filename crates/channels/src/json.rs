//! The payload of a frame: JSON kept as text.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::FrameLimits;
use crate::frame_limits::exceeds;

/// A well-formed JSON value as text on one line; copies share the text.
///
/// Two values are equal if their texts are.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Json(Arc<str>);

/// Why a text is not accepted as a JSON value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JsonError {
    /// It is longer than a frame may be.
    #[error("the JSON text is longer than {limit} bytes")]
    TooLong {
        /// The limit that it exceeds.
        limit: u32,
    },
    /// Arrays and objects are nested too deeply.
    #[error("the JSON text is nested deeper than {limit} levels")]
    TooDeep {
        /// The limit that it exceeds.
        limit: u32,
    },
    /// It is not JSON.
    #[error("the text is not JSON")]
    Malformed,
}

impl Json {
    /// The object without members.
    pub fn empty() -> Self {
        Self(Arc::from("{}"))
    }

    /// Accepts a text that is one JSON value.
    ///
    /// # Errors
    ///
    /// If the text is not JSON or exceeds the limits.
    pub fn parse(text: &str, limits: &FrameLimits) -> Result<Self, JsonError> {
        if exceeds(text.len(), limits.frame_bytes) {
            return Err(JsonError::TooLong { limit: limits.frame_bytes });
        }
        let Ok(raw) = serde_json::from_str(text) else {
            return Err(JsonError::Malformed);
        };
        Self::from_raw(raw, limits)
    }

    /// Writes a value as JSON.
    ///
    /// # Errors
    ///
    /// If the value has no form in JSON.
    pub fn of<T: Serialize + ?Sized>(value: &T) -> Result<Self, serde_json::Error> {
        Ok(Self::on_one_line(&serde_json::to_string(value)?))
    }

    /// Reads the value as a `T`.
    ///
    /// # Errors
    ///
    /// If it is not a `T`.
    pub fn read<'a, T: Deserialize<'a>>(&'a self) -> Result<T, serde_json::Error> {
        serde_json::from_str(&self.0)
    }

    /// The value as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Accepts a value that serde has parsed, unless it is nested too deeply.
    pub(crate) fn from_raw(raw: &RawValue, limits: &FrameLimits) -> Result<Self, JsonError> {
        if !is_shallow(raw.get(), limits.depth) && depth(raw.get()) > limits.depth {
            return Err(JsonError::TooDeep { limit: limits.depth });
        }
        Ok(Self::on_one_line(raw.get()))
    }

    // In the body of a long poll each line is a frame. JSON strings hold no raw line breaks, so any
    // line break is between tokens.
    fn on_one_line(text: &str) -> Self {
        // Without an early end, several bytes are compared at once.
        let is_break = |byte: u8| byte == b'\n' || byte == b'\r';
        if text.bytes().fold(false, |found, byte| found | is_break(byte)) {
            Self(Arc::from(text.replace(['\n', '\r'], " ")))
        } else {
            Self(Arc::from(text))
        }
    }
}

impl fmt::Display for Json {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl fmt::Debug for Json {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Whether a text has so few brackets that it cannot be nested too deeply.
fn is_shallow(json: &str, depth: u32) -> bool {
    let opening = json.bytes().filter(|byte| matches!(byte, b'[' | b'{')).count();
    opening <= depth as usize
}

/// The depth to which arrays and objects are nested in a well-formed text.
fn depth(json: &str) -> u32 {
    let (mut now, mut most) = (0, 0);
    let mut bytes = json.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => skip_string(&mut bytes),
            b'[' | b'{' => {
                now += 1;
                most = most.max(now);
            }
            b']' | b'}' => now -= 1,
            _ => {}
        }
    }
    most
}

fn skip_string(bytes: &mut std::str::Bytes<'_>) {
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => return,
            b'\\' => {
                bytes.next();
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Result<&str, JsonError>) {
        let limits = FrameLimits::default().with_frame_bytes(64).with_depth(2);
        let parsed = Json::parse(text, &limits);
        assert_eq!(parsed.as_ref().map(Json::as_str), expected.as_ref().copied());
    }

    #[test]
    fn a_value_keeps_its_text() {
        check(r#" {"a" : [1.50]} "#, Ok(r#"{"a" : [1.50]}"#));
    }

    #[test]
    fn line_breaks_between_tokens_become_spaces() {
        for (text, expected) in [("[1,\n2]", "[1, 2]"), ("[1\r,2]", "[1 ,2]"), ("[\r\n1]", "[  1]")]
        {
            check(text, Ok(expected));
        }
    }

    #[test]
    fn a_text_that_is_not_json_is_refused() {
        for text in ["", "{", "[1,]", "nul", "{} {}", "\"\n\""] {
            check(text, Err(JsonError::Malformed));
        }
    }

    #[test]
    fn brackets_in_strings_do_not_count_as_depth() {
        check(r#"["[[[\"[[[\\"]"#, Ok(r#"["[[[\"[[[\\"]"#));
    }

    #[test]
    fn a_text_with_too_many_levels_is_refused() {
        check("[[1],[2]]", Ok("[[1],[2]]"));
        check("[[1],[[2]]]", Err(JsonError::TooDeep { limit: 2 }));
    }

    #[test]
    fn a_text_with_too_many_bytes_is_refused() {
        check(&"1".repeat(64), Ok(&"1".repeat(64)));
        check(&"1".repeat(65), Err(JsonError::TooLong { limit: 64 }));
    }

    #[test]
    fn a_value_is_read_as_its_type() {
        let json = Json::of(&[1, 2]).unwrap();
        assert_eq!(json.read::<[u8; 2]>().unwrap(), [1, 2]);
        assert!(json.read::<String>().is_err());
    }
}
