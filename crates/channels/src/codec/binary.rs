//! The binary form: a kind, the lengths of the labels, the labels, and the rest is the payload.
//!
//! | kind | sender | labels |
//! |---|---|---|
//! | 0, push | client | join ref, ref, topic, event |
//! | 0, push | server | join ref, topic, event |
//! | 1, reply | server | join ref, ref, topic, status |
//! | 2, broadcast | server | topic, event |

use std::sync::Arc;

use super::{DecodeError, EncodeError, Field, Sender};
use crate::frame::REPLY;
use crate::limits::exceeds;
use crate::{Frame, FrameBody, Label, Limits, Payload, Status};

const PUSH: u8 = 0;
const REPLIED: u8 = 1;
const BROADCAST: u8 = 2;

pub(super) fn decode(
    message: &[u8],
    sender: Sender,
    limits: &Limits,
) -> Result<Frame, DecodeError> {
    if exceeds(message.len(), limits.frame_bytes) {
        return Err(DecodeError::TooLong { limit: limits.frame_bytes });
    }
    let (&kind, rest) = message.split_first().ok_or(DecodeError::CutOff)?;
    match (kind, sender) {
        (PUSH, Sender::Client) => client_push(rest),
        (PUSH, Sender::Server) => server_push(rest),
        (REPLIED, Sender::Server) => reply(rest),
        (BROADCAST, Sender::Server) => broadcast(rest),
        _ => Err(DecodeError::UnknownKind(kind)),
    }
}

fn client_push(rest: &[u8]) -> Result<Frame, DecodeError> {
    let ([join_ref, reference, topic, event], payload) = split(rest)?;
    let body = happened(event, payload)?;
    head(join_ref, reference, topic, body)
}

fn server_push(rest: &[u8]) -> Result<Frame, DecodeError> {
    let ([join_ref, topic, event], payload) = split(rest)?;
    let body = happened(event, payload)?;
    head(join_ref, &[], topic, body)
}

fn reply(rest: &[u8]) -> Result<Frame, DecodeError> {
    let ([join_ref, reference, topic, status], response) = split(rest)?;
    let word = text(status, Field::Status)?;
    let status = Status::of(word).ok_or(DecodeError::UnknownStatus)?;
    let response = Payload::Binary(Arc::from(response));
    head(join_ref, reference, topic, FrameBody::Reply { status, response })
}

fn broadcast(rest: &[u8]) -> Result<Frame, DecodeError> {
    let ([topic, event], payload) = split(rest)?;
    let body = happened(event, payload)?;
    head(&[], &[], topic, body)
}

/// The labels, whose lengths come first, and what is left.
fn split<const N: usize>(rest: &[u8]) -> Result<([&[u8]; N], &[u8]), DecodeError> {
    let (lengths, mut rest) = rest.split_first_chunk::<N>().ok_or(DecodeError::CutOff)?;
    let mut labels: [&[u8]; N] = [&[]; N];
    for (label, length) in labels.iter_mut().zip(lengths) {
        (*label, rest) = rest.split_at_checked(usize::from(*length)).ok_or(DecodeError::CutOff)?;
    }
    Ok((labels, rest))
}

fn head(
    join_ref: &[u8],
    reference: &[u8],
    topic: &[u8],
    body: FrameBody,
) -> Result<Frame, DecodeError> {
    Ok(Frame {
        join_ref: label_or_empty(join_ref, Field::JoinRef)?,
        reference: label_or_empty(reference, Field::Reference)?,
        topic: label(topic, Field::Topic)?,
        body,
    })
}

fn happened(event: &[u8], payload: &[u8]) -> Result<FrameBody, DecodeError> {
    let event = label(event, Field::Event)?;
    if event == REPLY {
        return Err(DecodeError::NotAReply);
    }
    Ok(FrameBody::Event { event, payload: Payload::Binary(Arc::from(payload)) })
}

fn label_or_empty(bytes: &[u8], field: Field) -> Result<Option<Label>, DecodeError> {
    if bytes.is_empty() { Ok(None) } else { label(bytes, field).map(Some) }
}

fn label(bytes: &[u8], field: Field) -> Result<Label, DecodeError> {
    Label::new(text(bytes, field)?).map_err(|error| DecodeError::Label(field, error))
}

fn text(bytes: &[u8], field: Field) -> Result<&str, DecodeError> {
    std::str::from_utf8(bytes).map_err(|_not_utf8| DecodeError::NotText(field))
}

pub(super) fn encode_event(
    frame: &Frame,
    event: &Label,
    payload: &[u8],
    sender: Sender,
) -> Result<Vec<u8>, EncodeError> {
    let (topic, event) = (frame.topic.as_str(), event.as_str());
    let (join_ref, reference) =
        (or_empty(frame.join_ref.as_ref()), or_empty(frame.reference.as_ref()));
    match sender {
        Sender::Client => Ok(write(PUSH, &[join_ref, reference, topic, event], payload)),
        Sender::Server if frame.reference.is_some() => Err(EncodeError::NoBinaryForm),
        Sender::Server if frame.join_ref.is_some() => {
            Ok(write(PUSH, &[join_ref, topic, event], payload))
        }
        Sender::Server => Ok(write(BROADCAST, &[topic, event], payload)),
    }
}

pub(super) fn encode_reply(
    frame: &Frame,
    status: Status,
    payload: &[u8],
    sender: Sender,
) -> Result<Vec<u8>, EncodeError> {
    let (join_ref, reference) =
        (or_empty(frame.join_ref.as_ref()), or_empty(frame.reference.as_ref()));
    let labels = [join_ref, reference, frame.topic.as_str(), status.as_str()];
    match sender {
        Sender::Server => Ok(write(REPLIED, &labels, payload)),
        Sender::Client => Err(EncodeError::NoBinaryForm),
    }
}

fn or_empty(label: Option<&Label>) -> &str {
    label.map_or("", Label::as_str)
}

fn write(kind: u8, labels: &[&str], payload: &[u8]) -> Vec<u8> {
    let length: usize = labels.iter().map(|label| label.len() + 1).sum();
    let mut bytes = Vec::with_capacity(1 + length + payload.len());
    bytes.push(kind);
    for label in labels {
        bytes.push(u8::try_from(label.len()).expect("a label has at most 255 bytes"));
    }
    for label in labels {
        bytes.extend_from_slice(label.as_bytes());
    }
    bytes.extend_from_slice(payload);
    bytes
}
