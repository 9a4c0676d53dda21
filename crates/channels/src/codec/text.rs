//! Frames as text: `[join_ref, ref, topic, event, payload]`.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{DecodeError, FrameField};
use crate::frame::REPLY;
use crate::frame_limits::exceeds;
use crate::{Frame, FrameBody, FrameLimits, Json, ReplyStatus, ShortText};

#[derive(Deserialize)]
struct Elements<'a>(
    #[serde(borrow)] &'a RawValue,
    #[serde(borrow)] &'a RawValue,
    #[serde(borrow)] &'a RawValue,
    #[serde(borrow)] &'a RawValue,
    #[serde(borrow)] &'a RawValue,
);

#[derive(Deserialize)]
struct ReplyPayload<'a> {
    #[serde(borrow)]
    status: &'a RawValue,
    #[serde(borrow)]
    response: &'a RawValue,
}

impl Frame {
    /// Reads a text message; clients and servers write them alike.
    ///
    /// # Errors
    ///
    /// If the message is not a frame or exceeds the limits.
    pub fn decode(message: &str, limits: &FrameLimits) -> Result<Self, DecodeError> {
        decode(message, limits)
    }

    /// Writes a frame that is the same for all clients on a topic. `payload` appends its JSON, on one line.
    pub fn encode_broadcast(
        topic: &ShortText,
        event: &str,
        payload: impl FnOnce(&mut String),
    ) -> String {
        let mut text = String::with_capacity(384);
        text.push_str("[null,null,");
        push_string(&mut text, topic.as_str());
        text.push(',');
        push_string(&mut text, event);
        text.push(',');
        let start = text.len();
        payload(&mut text);
        debug_assert!(
            text.get(start..).is_some_and(|json| serde_json::from_str::<&RawValue>(json).is_ok()),
            "{text} has no payload"
        );
        debug_assert!(!text.contains(['\n', '\r']), "{text} is on several lines");
        text.push(']');
        text
    }

    /// Writes the frame as a text message, which holds no line break.
    pub fn encode(&self) -> String {
        match &self.body {
            FrameBody::Event { event, payload } => encode_event(self, event, payload),
            FrameBody::Reply { status, response } => encode_reply(self, *status, response),
        }
    }
}

fn decode(message: &str, limits: &FrameLimits) -> Result<Frame, DecodeError> {
    if exceeds(message.len(), limits.frame_bytes) {
        return Err(DecodeError::TooLong { limit: limits.frame_bytes });
    }
    decode_plain(message, limits).map_or_else(|| decode_any(message, limits), Ok)
}

fn decode_any(message: &str, limits: &FrameLimits) -> Result<Frame, DecodeError> {
    let Ok(Elements(join_ref, reference, topic, event, payload)) = serde_json::from_str(message)
    else {
        return Err(DecodeError::NotFiveElements);
    };
    let join_ref = label_or_null(join_ref, FrameField::JoinRef)?;
    let reference = label_or_null(reference, FrameField::Reference)?;
    let topic = label(topic, FrameField::Topic)?;
    let event = string(event, FrameField::Event)?;
    let body =
        if event == REPLY { reply(payload, limits)? } else { happened(&event, payload, limits)? };
    Ok(Frame { join_ref, reference, topic, body })
}

/// Reads an event whose head has no spaces and no escapes, as clients write it. Returns none for every other
/// message, which is then read as any JSON.
fn decode_plain(message: &str, limits: &FrameLimits) -> Option<Frame> {
    let rest = message.strip_prefix('[')?.strip_suffix(']')?;
    let (join_ref, rest) = split_plain_or_null(rest)?;
    let (reference, rest) = split_plain_or_null(rest)?;
    let (topic, rest) = split_plain(rest)?;
    let (event, payload) = split_plain(rest)?;
    if event == REPLY {
        return None;
    }
    let payload = serde_json::from_str(payload).ok()?;
    let body = happened(event, payload, limits).ok()?;
    let label = |text: &str| ShortText::new(text).ok();
    let (join_ref, reference) = match (join_ref.map(label), reference.map(label)) {
        (Some(None), _) | (_, Some(None)) => return None,
        (join_ref, reference) => (join_ref.flatten(), reference.flatten()),
    };
    Some(Frame { join_ref, reference, topic: label(topic)?, body })
}

/// A string without escapes or null, and the text after the comma that follows it.
fn split_plain_or_null(text: &str) -> Option<(Option<&str>, &str)> {
    match text.strip_prefix("null,") {
        Some(rest) => Some((None, rest)),
        None => split_plain(text).map(|(text, rest)| (Some(text), rest)),
    }
}

/// A string without escapes, and the text after the comma that follows it.
fn split_plain(text: &str) -> Option<(&str, &str)> {
    let (inside, rest) = text.strip_prefix('"')?.split_once('"')?;
    let rest = rest.strip_prefix(',')?;
    (!needs_escapes(inside)).then_some((inside, rest))
}

fn happened(
    event: &str,
    payload: &RawValue,
    limits: &FrameLimits,
) -> Result<FrameBody, DecodeError> {
    let event =
        ShortText::new(event).map_err(|error| DecodeError::ShortText(FrameField::Event, error))?;
    Ok(FrameBody::Event { event, payload: json(payload, limits)? })
}

fn reply(payload: &RawValue, limits: &FrameLimits) -> Result<FrameBody, DecodeError> {
    // A hostile reply may be nested deeply in a field beside its response, which nothing checks
    // later.
    json(payload, limits)?;
    let Ok(ReplyPayload { status, response }) = serde_json::from_str(payload.get()) else {
        return Err(DecodeError::NotAReply);
    };
    let word = string(status, FrameField::Status)?;
    let status = ReplyStatus::of(&word).ok_or(DecodeError::UnknownStatus)?;
    Ok(FrameBody::Reply { status, response: json(response, limits)? })
}

fn json(raw: &RawValue, limits: &FrameLimits) -> Result<Json, DecodeError> {
    Json::from_raw(raw, limits).map_err(DecodeError::Payload)
}

fn label_or_null(raw: &RawValue, field: FrameField) -> Result<Option<ShortText>, DecodeError> {
    if raw.get() == "null" { Ok(None) } else { label(raw, field).map(Some) }
}

fn label(raw: &RawValue, field: FrameField) -> Result<ShortText, DecodeError> {
    ShortText::new(&string(raw, field)?).map_err(|error| DecodeError::ShortText(field, error))
}

// Most strings have no escapes and can be borrowed.
fn string(raw: &RawValue, field: FrameField) -> Result<Cow<'_, str>, DecodeError> {
    let inside = raw.get().strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let inside = inside.ok_or(DecodeError::NotText(field))?;
    if !inside.contains('\\') {
        return Ok(Cow::Borrowed(inside));
    }
    match serde_json::from_str(raw.get()) {
        Ok(text) => Ok(Cow::Owned(text)),
        Err(_half_of_a_surrogate_pair) => Err(DecodeError::NotText(field)),
    }
}

fn encode_event(frame: &Frame, event: &ShortText, json: &Json) -> String {
    let mut text = head(frame, event.as_str(), json);
    text.push_str(json.as_str());
    text.push(']');
    text
}

fn encode_reply(frame: &Frame, status: ReplyStatus, json: &Json) -> String {
    let mut text = head(frame, REPLY, json);
    text.push_str("{\"response\":");
    text.push_str(json.as_str());
    text.push_str(",\"status\":\"");
    text.push_str(status.as_str());
    text.push_str("\"}]");
    text
}

/// The text before the payload, in a string with capacity for the payload.
fn head(frame: &Frame, event: &str, json: &Json) -> String {
    let refs = [&frame.join_ref, &frame.reference];
    let labels = refs.map(|label| label.as_ref().map_or(4, |label| label.as_str().len()));
    let length = labels.iter().sum::<usize>() + frame.topic.as_str().len() + event.len();
    let mut text = String::with_capacity(length + json.as_str().len() + 48);
    text.push('[');
    for label in refs {
        match label {
            Some(label) => push_string(&mut text, label.as_str()),
            None => text.push_str("null"),
        }
        text.push(',');
    }
    for part in [frame.topic.as_str(), event] {
        push_string(&mut text, part);
        text.push(',');
    }
    text
}

fn push_string(text: &mut String, string: &str) {
    if needs_escapes(string) {
        text.push_str(&serde_json::to_string(string).expect("a string serializes"));
    } else {
        text.push('"');
        text.push_str(string);
        text.push('"');
    }
}

/// Whether a string of JSON cannot hold the text as it is.
fn needs_escapes(text: &str) -> bool {
    // Without an early end, several bytes are compared at once.
    let needs = |byte: u8| byte < 0x20 || byte == b'"' || byte == b'\\';
    text.bytes().fold(false, |found, byte| found | needs(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares a plain reading with that of any JSON; returns whether the message was read plainly.
    fn is_plain(message: &str) -> bool {
        let limits = FrameLimits::default();
        let plain = decode_plain(message, &limits);
        if let Some(frame) = &plain {
            assert_eq!(decode_any(message, &limits).as_ref(), Ok(frame), "{message}");
        }
        plain.is_some()
    }

    const PUSH: &str = r#"["1","12","table:x","act",{"id":"a:1","n":[1.5,null]}]"#;

    #[test]
    fn a_plain_message_is_read_as_any_json() {
        for (from, to) in [("\"1\"", "null"), ("\"12\"", "null"), ("table", "tä🦀"), ("{", " {")]
        {
            assert!(is_plain(&PUSH.replacen(from, to, 1)), "{to}");
        }
        let frame = Frame::decode(PUSH, &FrameLimits::default()).unwrap();
        assert!(is_plain(&frame.encode()), "clients write this form");
    }

    #[test]
    fn every_other_message_is_left_to_the_other_reader() {
        let others = [
            ("[\"1\"", "[ \"1\""),
            ("\"1\"", "1"),
            ("\"1\"", "\"\""),
            ("\"12\"", "\"1\\u0032\""),
            ("table", "ta\nble"),
            ("act", "phx_reply"),
            ("null]}", "null]},6"),
            ("null]}", "null]"),
            (",{\"id", ",\"more\",{\"id"),
        ];
        for (from, to) in others {
            assert!(!is_plain(&PUSH.replacen(from, to, 1)), "{to}");
        }
        // Whatever is cut off or changed, the two agree.
        for end in 0..PUSH.len() {
            let (head, tail) = PUSH.split_at(end);
            let rest = tail.get(1..).unwrap_or_default();
            assert!(!is_plain(head));
            for byte in ["\"", "\\", ",", "]", "[", "{", "\u{0}"] {
                is_plain(&format!("{head}{byte}{rest}"));
                is_plain(&format!("{head}{byte}{tail}"));
            }
        }
    }

    #[test]
    fn a_broadcast_is_written_like_its_frame() {
        for topic in ["table:x", "a\"b"] {
            let topic = ShortText::new(topic).unwrap();
            let event = ShortText::new("entries").unwrap();
            let payload = "{\"entries\":[]}";
            let json = Json::parse(payload, &FrameLimits::default()).unwrap();
            let frame = Frame::broadcast(topic.clone(), event, json);
            let text = Frame::encode_broadcast(&topic, "entries", |text| text.push_str(payload));
            assert_eq!(text, frame.encode());
        }
    }
}
