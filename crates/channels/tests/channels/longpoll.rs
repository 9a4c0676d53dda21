//! The bodies of a long poll, and the client's end of one.

use channels::{
    DecodeError, EnvelopeError, Frame, Label, Limits, Payload, PollAnswer, PollEffect, PollToken,
    Poller, PollerError, decode_post,
};

use crate::wire::{frame, label, text};

const LIMITS: Limits = Limits::DEFAULT.with_batch_frames(2).with_body_bytes(100);

fn check_post(body: &str, expected: Result<&[&str], EnvelopeError>) {
    let frames = decode_post(body, &LIMITS);
    let texts = frames.map(|frames| frames.iter().map(text).collect::<Vec<_>>());
    assert_eq!(texts, expected.map(|texts| texts.iter().map(ToString::to_string).collect()));
}

const PUSH: &str = r#"["3","4","t","move",{}]"#;

#[test]
fn a_post_holds_a_frame_in_each_line() {
    check_post(PUSH, Ok(&[PUSH]));
    check_post(&format!("{PUSH}\n{PUSH}"), Ok(&[PUSH, PUSH]));
    check_post(&format!("{PUSH}\r\n{PUSH}"), Ok(&[PUSH, PUSH]));
}

#[test]
fn a_binary_frame_is_posted_in_base64() {
    // btoa("\x00\x01\x01\x01\x0234tup\x01\xff")
    let frames = decode_post("AAEBAQIzNHR1cAH/", &LIMITS).unwrap();
    let mut expected = Frame::broadcast(label("t"), label("up"), Payload::Binary([1, 255].into()));
    expected.join_ref = Label::new("3").ok();
    expected.reference = Label::new("4").ok();
    assert_eq!(frames, [expected]);
}

#[test]
fn a_post_with_a_bad_line_is_refused_as_a_whole() {
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

fn check_answer(body: &str, expected: Result<&PollAnswer, EnvelopeError>) {
    assert_eq!(PollAnswer::decode(body, &LIMITS).as_ref(), expected.as_ref().copied());
}

#[test]
fn answers_are_written_as_phoenix_does() {
    assert_eq!(PollAnswer::accepted().encode(), r#"{"status":200}"#);
    check_answer(r#"{"status":200}"#, Ok(&PollAnswer::accepted()));
    check_answer(r#"{"status":410}"#, Ok(&PollAnswer::gone()));
    check_answer(r#"{"status":403}"#, Ok(&PollAnswer::forbidden()));
}

#[test]
fn what_is_no_answer_is_refused() {
    for body in ["", "{}", "[200]", r#"{"status":-1}"#, r#"{"status":200,"messages":[1]}"#] {
        check_answer(body, Err(EnvelopeError::NotAnAnswer));
    }
    let crowded = r#"{"status":200,"messages":["","",""]}"#;
    check_answer(crowded, Err(EnvelopeError::TooManyFrames { limit: 2 }));
    check_answer(&" ".repeat(101), Err(EnvelopeError::TooLong { limit: 100 }));
}

fn get(token: &str) -> PollEffect {
    PollEffect::Get { token: Some(PollToken::new(token)) }
}

fn post(lines: &[&str]) -> PollEffect {
    PollEffect::Post { token: PollToken::new("T"), body: lines.join("\n") }
}

fn open() -> Poller {
    let (mut poller, first) = Poller::open(LIMITS);
    assert_eq!(first, PollEffect::Get { token: None });
    let effects = poller.answered(r#"{"status":410,"token":"T","messages":[]}"#);
    assert_eq!(effects, Ok(vec![get("T"), PollEffect::Opened]));
    poller
}

#[test]
fn messages_are_delivered_and_the_next_are_asked_for() {
    let mut poller = open();
    let body = r#"{"status":200,"token":"U","messages":["[null,null,\"t\",\"e\",{}]"]}"#;
    let delivered = PollEffect::Deliver(frame(r#"[null,null,"t","e",{}]"#));
    assert_eq!(poller.answered(body), Ok(vec![delivered, get("U")]));
    let nothing = r#"{"status":204,"token":"U","messages":[]}"#;
    assert_eq!(poller.answered(nothing), Ok(vec![get("U")]));
}

#[test]
fn a_token_is_sent_but_not_shown() {
    let answer = PollAnswer { token: Some(PollToken::new("secret")), ..PollAnswer::gone() };
    assert!(answer.encode().contains("secret"));
    assert!(!format!("{answer:?}").contains("secret"));
}

#[test]
fn frames_wait_for_the_post_that_runs() {
    let mut poller = open();
    let push = frame(PUSH);
    assert_eq!(poller.send(&push), Ok(vec![post(&[PUSH])]));
    for _ in 0..3 {
        assert_eq!(poller.send(&push), Ok(vec![]));
    }
    assert_eq!(poller.posted(r#"{"status":200}"#), Ok(vec![post(&[PUSH, PUSH])]));
    assert_eq!(poller.posted(r#"{"status":200}"#), Ok(vec![post(&[PUSH])]));
    assert_eq!(poller.posted(r#"{"status":200}"#), Ok(vec![]));
}

#[test]
fn a_post_is_not_longer_than_a_server_accepts() {
    let mut poller = open();
    let long = format!(r#"["3","4","t","move","{}"]"#, "x".repeat(40));
    poller.send(&frame(PUSH)).unwrap();
    for _ in 0..2 {
        assert_eq!(poller.send(&frame(&long)), Ok(vec![]));
    }
    for _ in 0..2 {
        let effects = poller.posted(r#"{"status":200}"#).unwrap();
        let [PollEffect::Post { body, .. }] = &effects[..] else { panic!("{effects:?}") };
        check_post(body, Ok(&[&long]));
    }
}

#[test]
fn a_binary_frame_is_sent_in_base64() {
    let mut push = Frame::broadcast(label("t"), label("up"), Payload::Binary([1, 255].into()));
    push.join_ref = Label::new("3").ok();
    push.reference = Label::new("4").ok();
    assert_eq!(open().send(&push), Ok(vec![post(&["AAEBAQIzNHR1cAH/"])]));
}

#[test]
fn frames_do_not_wait_without_bound() {
    let mut poller = open();
    let push = frame(PUSH);
    for _ in 0..=Poller::MAX_QUEUE {
        poller.send(&push).unwrap();
    }
    assert_eq!(poller.send(&push), Err(PollerError::QueueFull));
}

#[test]
fn a_session_that_is_gone_is_a_lost_connection() {
    let mut poller = open();
    let gone = r#"{"status":410,"token":"U","messages":[]}"#;
    assert_eq!(poller.answered(gone), Ok(vec![PollEffect::Lost]));
    assert_eq!(poller.send(&frame(PUSH)), Err(PollerError::NotOpen));
    let mut poller = open();
    poller.send(&frame(PUSH)).unwrap();
    assert_eq!(poller.posted(r#"{"status":410}"#), Ok(vec![PollEffect::Lost]));
    assert_eq!(poller.failed(), vec![]);
}

#[test]
fn a_request_that_fails_is_a_lost_connection() {
    let mut poller = open();
    assert_eq!(poller.failed(), vec![PollEffect::Lost]);
    assert_eq!(poller.answered(r#"{"status":200,"token":"T"}"#), Ok(vec![]));
}

#[test]
fn nothing_is_sent_before_the_poll_is_open() {
    let (mut poller, _) = Poller::open(LIMITS);
    assert_eq!(poller.send(&frame(PUSH)), Err(PollerError::NotOpen));
}

#[test]
fn answers_that_make_no_sense_end_the_connection() {
    let not_a_frame = PollerError::Frame(DecodeError::NotFiveElements);
    for (body, error) in [
        (r#"{"status":403}"#, PollerError::Forbidden),
        (r#"{"status":500}"#, PollerError::Status(500)),
        (r#"{"status":200}"#, PollerError::NoToken),
        (r#"{"status":200,"token":"T","messages":["{}"]}"#, not_a_frame),
        ("<html>", PollerError::Envelope(EnvelopeError::NotAnAnswer)),
    ] {
        let mut poller = open();
        assert_eq!(poller.answered(body), Err(error));
        assert_eq!(poller.failed(), vec![]);
    }
    let mut poller = open();
    assert!(poller.posted("<html>").is_err());
    assert_eq!(poller.failed(), vec![]);
}
