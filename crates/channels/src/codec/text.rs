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
    if string.bytes().any(|byte| byte < 0x20 || byte == b'"' || byte == b'\\') {
        text.push_str(&serde_json::to_string(string).expect("a string serializes"));
    } else {
        text.push('"');
        text.push_str(string);
        text.push('"');
    }
}
