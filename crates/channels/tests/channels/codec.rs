//! Frames as text, the head of binary messages, and decoding errors.

use channels::{
    BinaryPush, DecodeError, Frame, FrameField, FrameLimits, Json, JsonError, ShortTextError,
};

use crate::wire::{frame, label, text};

fn check(message: &str, expected: Result<&str, DecodeError>) {
    let decoded = Frame::decode(message, &FrameLimits::default());
    assert_eq!(decoded.as_ref().map(text), expected.as_ref().map(ToString::to_string));
}

fn check_kept(message: &str) {
    check(message, Ok(message));
}

#[test]
fn frames_survive_a_round_trip() {
    check_kept(r#"["3","4","game:g1","move",{"cell":4}]"#);
    check_kept(r#"[null,null,"game:g1","state",[1.50,1e9,"\ud83d\ude00"]]"#);
    check_kept(r#"["3","4","game:g1","phx_reply",{"response":{"a":null},"status":"error"}]"#);
    check_kept(r#"["\"","\\","new\nline","é",null]"#);
}

#[test]
fn white_space_between_elements_is_dropped() {
    check(
        "\n[ null , \"1\",\"t\", \"e\"\t, { \"a\": 1\r\n} ] ",
        Ok(r#"[null,"1","t","e",{ "a": 1  }]"#),
    );
}

#[test]
fn a_message_without_five_elements_is_refused() {
    for message in [
        "",
        "null",
        "{}",
        "[]",
        r#"[null,null,"t","e"]"#,
        r#"[null,null,"t","e",{},{}]"#,
        r#"[null,null,"t","e",{}"#,
        r#"[null,null,"t","e",{}]]"#,
        r#"[null,null,"t","e",{'a':1}]"#,
        r#"{"topic":"t","event":"e","payload":{},"ref":"1"}"#,
    ] {
        check(message, Err(DecodeError::NotFiveElements));
    }
}

#[test]
fn a_head_without_strings_is_refused() {
    check(r#"[3,"4","t","e",{}]"#, Err(DecodeError::NotText(FrameField::JoinRef)));
    check(r#"[null,4,"t","e",{}]"#, Err(DecodeError::NotText(FrameField::Reference)));
    check(r#"[null,"4",null,"e",{}]"#, Err(DecodeError::NotText(FrameField::Topic)));
    check(r#"[null,"4","t",["e"],{}]"#, Err(DecodeError::NotText(FrameField::Event)));
    check(r#"[null,"4","\ud800","e",{}]"#, Err(DecodeError::NotText(FrameField::Topic)));
}

#[test]
fn an_empty_or_long_head_is_refused() {
    check(
        r#"["","4","t","e",{}]"#,
        Err(DecodeError::ShortText(FrameField::JoinRef, ShortTextError::Empty)),
    );
    check(
        r#"[null,null,"","e",{}]"#,
        Err(DecodeError::ShortText(FrameField::Topic, ShortTextError::Empty)),
    );
    let long = format!(r#"[null,"{}","t","e",{{}}]"#, "1".repeat(256));
    check(&long, Err(DecodeError::ShortText(FrameField::Reference, ShortTextError::TooLong)));
}

#[test]
fn an_incomplete_reply_is_refused() {
    for payload in ["{}", "[]", "null", r#"{"status":"ok"}"#, r#"{"response":{}}"#] {
        let message = format!(r#"[null,"1","t","phx_reply",{payload}]"#);
        check(&message, Err(DecodeError::NotAReply));
    }
    let message = r#"[null,"1","t","phx_reply",{"response":{},"status":"maybe"}]"#;
    check(message, Err(DecodeError::UnknownStatus));
}

#[test]
fn a_long_frame_is_refused_before_parsing() {
    let blanks = " ".repeat(16 * 1024 - 22);
    let longest = format!(r#"[null,null,"t","e","{blanks}"]"#);
    assert_eq!(longest.len(), 16 * 1024);
    check_kept(&longest);
    check(&format!("{longest} "), Err(DecodeError::TooLong { limit: 16 * 1024 }));
}

#[test]
fn a_deeply_nested_frame_is_refused() {
    let nested = |depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    check_kept(&format!(r#"[null,null,"t","e",{}]"#, nested(32)));
    let too_deep = Err(DecodeError::Payload(JsonError::TooDeep { limit: 32 }));
    check(&format!(r#"[null,null,"t","e",{}]"#, nested(33)), too_deep);
    check(&format!(r#"[null,null,"t","e",{}]"#, nested(8_000)), too_deep);
    let beside = format!(r#"{{"status":"ok","response":{{}},"x":{}}}"#, nested(33));
    check(&format!(r#"[null,null,"t","phx_reply",{beside}]"#), too_deep);
    check(&nested(8_000), Err(DecodeError::NotFiveElements));
}

fn check_binary(bytes: &[u8], expected: &Result<BinaryPush, DecodeError>) {
    assert_eq!(BinaryPush::decode(bytes, &FrameLimits::default()), *expected);
}

// `channel.push("echo", new Uint8Array([1, 2, 255]).buffer)`, as phoenix 1.8.16 sent it.
#[test]
fn the_head_of_a_real_binary_push_is_read() {
    let bytes = b"\x00\x01\x01\x06\x0435game:1echo\x01\x02\xff";
    let (join_ref, reference) = (Some(label("3")), Some(label("5")));
    check_binary(bytes, &Ok(BinaryPush { join_ref, reference, topic: label("game:1") }));
    let push = BinaryPush { join_ref: None, reference: None, topic: label("t") };
    check_binary(b"\x00\x00\x00\x01\x01te", &Ok(push));
}

#[test]
fn truncated_binary_messages_are_refused() {
    for bytes in [
        &b""[..],
        b"\x00",
        b"\x00\x01\x01\x01",
        b"\x00\x01\x01\x01\x0234t",
        b"\x00\xff\xff\xff\xff34",
    ] {
        check_binary(bytes, &Err(DecodeError::CutOff));
    }
}

#[test]
fn binary_messages_of_unknown_kinds_are_refused() {
    for kind in [1, 2, 3, 255] {
        check_binary(&[kind, 0, 0, 1, 1, b't', b'e'], &Err(DecodeError::UnknownKind(kind)));
    }
}

#[test]
fn binary_messages_with_a_bad_head_are_refused() {
    let empty = |field| Err(DecodeError::ShortText(field, ShortTextError::Empty));
    check_binary(b"\x00\x00\x00\x00\x01e", &empty(FrameField::Topic));
    check_binary(b"\x00\x00\x00\x01\x00t", &empty(FrameField::Event));
    check_binary(b"\x00\x00\x00\x01\x01\xffe", &Err(DecodeError::NotText(FrameField::Topic)));
    let long = vec![0; 16 * 1024 + 1];
    check_binary(&long, &Err(DecodeError::TooLong { limit: 16 * 1024 }));
}

#[test]
fn a_broadcast_has_no_join_ref() {
    let state = frame(r#"[null,null,"t","state",{}]"#);
    assert_eq!(Frame::broadcast(label("t"), label("state"), Json::empty()), state);
}
