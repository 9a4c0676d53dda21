//! Binary messages of the `phoenix` client.
//!
//! The client sends one when an application pushes an `ArrayBuffer`: a kind, the lengths of four
//! short texts, the texts (join ref, ref, topic, event), and the rest is the payload. Nothing here
//! uses such payloads, so only the head is read: it says where the refusal goes.

use super::{DecodeError, FrameField};
use crate::frame_limits::exceeds;
use crate::{Frame, FrameLimits, ShortText};

/// The only kind of binary message that a client sends.
const PUSH: u8 = 0;

/// The head of a client's push with a binary payload.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BinaryPush {
    /// The ref of the join that the push belongs to.
    pub join_ref: Option<ShortText>,
    /// The ref of the push.
    pub reference: Option<ShortText>,
    /// The channel's topic.
    pub topic: ShortText,
}

/// A message of a client.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ClientMessage {
    /// A frame.
    Frame(Frame),
    /// A push with a binary payload, which [`Server`](crate::Server) refuses.
    Binary(BinaryPush),
}

impl From<Frame> for ClientMessage {
    fn from(frame: Frame) -> Self {
        Self::Frame(frame)
    }
}

impl From<BinaryPush> for ClientMessage {
    fn from(push: BinaryPush) -> Self {
        Self::Binary(push)
    }
}

impl BinaryPush {
    /// Reads the head of a binary message.
    ///
    /// # Errors
    ///
    /// If the message is no push of a client, or is longer than a frame may be.
    pub fn decode(message: &[u8], limits: &FrameLimits) -> Result<Self, DecodeError> {
        if exceeds(message.len(), limits.frame_bytes) {
            return Err(DecodeError::TooLong { limit: limits.frame_bytes });
        }
        let (&kind, rest) = message.split_first().ok_or(DecodeError::CutOff)?;
        if kind != PUSH {
            return Err(DecodeError::UnknownKind(kind));
        }
        let [join_ref, reference, topic, event] = head(rest)?;
        label(event, FrameField::Event)?;
        Ok(Self {
            join_ref: label_or_empty(join_ref, FrameField::JoinRef)?,
            reference: label_or_empty(reference, FrameField::Reference)?,
            topic: label(topic, FrameField::Topic)?,
        })
    }
}

/// The four texts of the head, whose lengths come first.
fn head(rest: &[u8]) -> Result<[&[u8]; 4], DecodeError> {
    let (lengths, mut rest) = rest.split_first_chunk::<4>().ok_or(DecodeError::CutOff)?;
    let mut texts: [&[u8]; 4] = [&[]; 4];
    for (text, length) in texts.iter_mut().zip(lengths) {
        (*text, rest) = rest.split_at_checked(usize::from(*length)).ok_or(DecodeError::CutOff)?;
    }
    Ok(texts)
}

fn label_or_empty(bytes: &[u8], field: FrameField) -> Result<Option<ShortText>, DecodeError> {
    if bytes.is_empty() { Ok(None) } else { label(bytes, field).map(Some) }
}

fn label(bytes: &[u8], field: FrameField) -> Result<ShortText, DecodeError> {
    let text = std::str::from_utf8(bytes).map_err(|_not_utf8| DecodeError::NotText(field))?;
    ShortText::new(text).map_err(|error| DecodeError::ShortText(field, error))
}
