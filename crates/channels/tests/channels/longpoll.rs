//! The bodies of a long poll.

use channels::{
    BinaryPush, ClientMessage, DecodeError, EnvelopeError, FrameLimits, PollAnswer, PollToken,
    decode_post,
};

use crate::wire::{label, text};

const LIMITS: FrameLimits = {
    let mut limits = FrameLimits::DEFAULT;
    (limits.batch_frames, limits.body_bytes) = (2, 100);
    limits
};

fn check_post(body: &str, expected: Result<&[&str], EnvelopeError>) {
    let messages = decode_post(body, &LIMITS);
    let texts = messages.map(|messages| messages.iter().map(shown).collect::<Vec<_>>());
    assert_eq!(texts, expected.map(|texts| texts.iter().map(ToString::to_string).collect()));
}

fn shown(message: &ClientMessage) -> String {
    match message {
        ClientMessage::Frame(frame) => text(frame),
        ClientMessage::Binary(push) => format!("{push:?}"),
    }
}

const PUSH: &str = r#"["3","4","t","move",{}]"#;

#[test]
fn each_line_of_a_post_is_a_frame() {
    check_post(PUSH, Ok(&[PUSH]));
    check_post(&format!("{PUSH}\n{PUSH}"), Ok(&[PUSH, PUSH]));
    check_post(&format!("{PUSH}\r\n{PUSH}"), Ok(&[PUSH, PUSH]));
}

#[test]
fn a_binary_frame_is_posted_in_base64() {
    // btoa("\x00\x01\x01\x01\x0234tup\x01\xff")
    let messages = decode_post("AAEBAQIzNHR1cAH/", &LIMITS).unwrap();
    let (join_ref, reference) = (Some(label("3")), Some(label("4")));
    let expected = BinaryPush { join_ref, reference, topic: label("t") };
    assert_eq!(messages, [ClientMessage::Binary(expected)]);
}

#[test]
fn a_post_with_a_bad_line_is_refused_completely() {
    check_post("", Err(EnvelopeError::Frame { line: 1, error: DecodeError::CutOff }));
    check_post(&format!("{PUSH}\n*"), Err(EnvelopeError::NotBase64 { line: 2 }));
    let error = DecodeError::NotFiveElements;
    check_post(&format!("{PUSH}\n[]"), Err(EnvelopeError::Frame { line: 2, error }));
}

#[test]
fn a_post_that_is_too_large_is_refused() {
    check_post(&format!("{PUSH}\n{PUSH}\n{PUSH}"), Err(EnvelopeError::TooManyFrames { limit: 2 }));
    check_post(&" ".repeat(101), Err(EnvelopeError::TooLong { limit: 100 }));
}

#[test]
fn answers_are_written_as_phoenix_does() {
    assert_eq!(PollAnswer::accepted().encode(), r#"{"status":200}"#);
    assert_eq!(PollAnswer::gone().encode(), r#"{"status":410}"#);
    assert_eq!(PollAnswer::forbidden().encode(), r#"{"status":403}"#);
}

#[test]
fn a_token_is_sent_but_hidden_from_debug_output() {
    let answer = PollAnswer { token: Some(PollToken::new("secret")), ..PollAnswer::gone() };
    assert!(answer.encode().contains("secret"));
    assert!(!format!("{answer:?}").contains("secret"));
}
