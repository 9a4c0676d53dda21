//! Laws for every input, from `proptest` here and from `cargo fuzz` in `fuzz`.
//!
//! Nothing panics, and accepted input is written back with the same meaning. The written text is no
//! longer than the input (apart from constant words), which bounds allocation.

use channels::{BinaryPush, Frame, FrameLimits, decode_post};
use serde_json::Value;

const LIMITS: FrameLimits = FrameLimits::DEFAULT;

/// Any text message.
pub(crate) fn text_law(message: &str) {
    let Ok(frame) = Frame::decode(message, &LIMITS) else { return };
    let again = frame.encode();
    assert!(!again.contains(['\n', '\r']), "a text frame is one line");
    // Escapes that the output does not need only make it shorter.
    assert!(again.len() <= message.len() + 64, "the output is no longer than the input");
    assert_eq!(Frame::decode(&again, &LIMITS.with_frame_bytes(u32::MAX)), Ok(frame));
    same_json(message, &again);
}

/// Any binary message of a client.
pub(crate) fn binary_law(message: &[u8]) {
    let Ok(push) = BinaryPush::decode(message, &LIMITS) else { return };
    let kept = [push.join_ref, push.reference, Some(push.topic)];
    let kept: usize = kept.iter().flatten().map(|label| label.as_str().len()).sum();
    assert!(kept < message.len(), "the output is no longer than the input");
}

/// Any body of a long poll's post.
pub(crate) fn post_law(body: &str) {
    let Ok(frames) = decode_post(body, &LIMITS) else { return };
    assert_eq!(frames.len(), body.split('\n').count(), "every line is a frame");
}

/// Compares two texts as JSON. Of a reply, only its status and response count.
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
