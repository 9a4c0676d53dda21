//! What holds for every input, whoever makes it: `proptest` here, `cargo fuzz` in `fuzz`.
//!
//! No panic, and what is accepted re-encodes to the same meaning. What is kept is never longer than
//! what came in (apart from constant words), which bounds allocation.

use channels::{Encoded, Frame, FrameBody, Limits, Payload, PollAnswer, Sender, decode_post};
use serde_json::Value;

const LIMITS: Limits = Limits::DEFAULT;

/// Any text message.
pub(crate) fn text_law(message: &str) {
    let Ok(frame) = Frame::decode_text(message, &LIMITS) else { return };
    let Encoded::Text(again) = written(&frame, Sender::Client) else { return };
    assert!(!again.contains(['\n', '\r']), "a text frame is one line");
    // Characters that must not be escaped in our output but were in the input only shrink.
    assert!(again.len() <= message.len() + 64, "what is kept is no longer than what came");
    assert_eq!(Frame::decode_text(&again, &LIMITS.with_frame_bytes(u32::MAX)), Ok(frame));
    same_json(message, &again);
}

/// Any binary message of either end.
pub(crate) fn binary_law(message: &[u8]) {
    for sender in [Sender::Client, Sender::Server] {
        let Ok(frame) = Frame::decode_binary(message, sender, &LIMITS) else { continue };
        let Encoded::Binary(again) = written(&frame, sender) else { continue };
        assert!(again.len() <= message.len(), "what is kept is no longer than what came");
        assert_eq!(Frame::decode_binary(&again, sender, &LIMITS), Ok(frame));
    }
}

/// Any body of a long poll's post.
pub(crate) fn post_law(body: &str) {
    let Ok(frames) = decode_post(body, &LIMITS) else { return };
    assert_eq!(frames.len(), body.split('\n').count(), "every line is a frame");
    for frame in frames {
        assert!(frame.encode(Sender::Client).is_ok(), "what was sent can be sent again");
    }
}

/// Any body of a long poll's answer.
pub(crate) fn answer_law(body: &str) {
    let Ok(answer) = PollAnswer::decode(body, &LIMITS) else { return };
    assert_eq!(PollAnswer::decode(&answer.encode(), &LIMITS.with_body_bytes(u32::MAX)), Ok(answer));
}

fn written(frame: &Frame, sender: Sender) -> Encoded {
    let encoded = frame.encode(sender).expect("what was decoded can be encoded");
    let is_binary = match &frame.body {
        FrameBody::Event { payload, .. } => matches!(payload, Payload::Binary(_)),
        FrameBody::Reply { response, .. } => matches!(response, Payload::Binary(_)),
    };
    assert_eq!(matches!(encoded, Encoded::Binary(_)), is_binary, "the payload decides on the form");
    encoded
}

/// Compares two texts as JSON, apart from what a reply says beside its status and response.
fn same_json(before: &str, after: &str) {
    let parse = |text| serde_json::from_str::<Value>(text).map(meaning);
    if let (Ok(before), Ok(after)) = (parse(before), parse(after)) {
        assert_eq!(before, after);
    }
}

fn meaning(mut frame: Value) -> Value {
    if frame[3] == "phx_reply" {
        let payload = &frame[4];
        frame[4] = serde_json::json!([payload["status"], payload["response"]]);
    }
    frame
}
