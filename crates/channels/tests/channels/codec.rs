//! The two forms of a frame, and what is refused.

use channels::{
    DecodeError, EncodeError, Encoded, Field, Frame, JsonError, LabelError, Limits, Payload,
    Sender, Status,
};

use crate::wire::{frame, label, text};

fn check(message: &str, expected: Result<&str, DecodeError>) {
    let decoded = Frame::decode_text(message, &Limits::default());
    assert_eq!(decoded.as_ref().map(text), expected.as_ref().map(ToString::to_string));
}

fn check_kept(message: &str) {
    check(message, Ok(message));
}

#[test]
fn frames_are_written_as_they_were_read() {
    check_kept(r#"["3","4","game:g1","move",{"cell":4}]"#);
    check_kept(r#"[null,null,"game:g1","state",[1.50,1e9,"\ud83d\ude00"]]"#);
    check_kept(r#"["3","4","game:g1","phx_reply",{"response":{"a":null},"status":"error"}]"#);
    check_kept(r#"["\"","\\","new\nline","é",null]"#);
}

#[test]
fn blanks_between_elements_are_dropped() {
    check(
        "\n[ null , \"1\",\"t\", \"e\"\t, { \"a\": 1\r\n} ] ",
        Ok(r#"[null,"1","t","e",{ "a": 1  }]"#),
    );
}

#[test]
fn what_is_not_five_elements_is_refused() {
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
fn a_head_that_is_not_text_is_refused() {
    check(r#"[3,"4","t","e",{}]"#, Err(DecodeError::NotText(Field::JoinRef)));
    check(r#"[null,4,"t","e",{}]"#, Err(DecodeError::NotText(Field::Reference)));
    check(r#"[null,"4",null,"e",{}]"#, Err(DecodeError::NotText(Field::Topic)));
    check(r#"[null,"4","t",["e"],{}]"#, Err(DecodeError::NotText(Field::Event)));
    check(r#"[null,"4","\ud800","e",{}]"#, Err(DecodeError::NotText(Field::Topic)));
}

#[test]
fn a_head_that_is_empty_or_long_is_refused() {
    check(r#"["","4","t","e",{}]"#, Err(DecodeError::Label(Field::JoinRef, LabelError::Empty)));
    check(r#"[null,null,"","e",{}]"#, Err(DecodeError::Label(Field::Topic, LabelError::Empty)));
    let long = format!(r#"[null,"{}","t","e",{{}}]"#, "1".repeat(256));
    check(&long, Err(DecodeError::Label(Field::Reference, LabelError::TooLong)));
}

#[test]
fn a_reply_without_its_parts_is_refused() {
    for payload in ["{}", "[]", "null", r#"{"status":"ok"}"#, r#"{"response":{}}"#] {
        let message = format!(r#"[null,"1","t","phx_reply",{payload}]"#);
        check(&message, Err(DecodeError::NotAReply));
    }
    let message = r#"[null,"1","t","phx_reply",{"response":{},"status":"maybe"}]"#;
    check(message, Err(DecodeError::UnknownStatus));
}

#[test]
fn a_long_frame_is_refused_unseen() {
    let blanks = " ".repeat(16 * 1024 - 22);
    let longest = format!(r#"[null,null,"t","e","{blanks}"]"#);
    assert_eq!(longest.len(), 16 * 1024);
    check_kept(&longest);
    check(&format!("{longest} "), Err(DecodeError::TooLong { limit: 16 * 1024 }));
}

#[test]
fn a_deep_frame_is_refused() {
    let nested = |depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    check_kept(&format!(r#"[null,null,"t","e",{}]"#, nested(32)));
    let too_deep = Err(DecodeError::Payload(JsonError::TooDeep { limit: 32 }));
    check(&format!(r#"[null,null,"t","e",{}]"#, nested(33)), too_deep);
    check(&format!(r#"[null,null,"t","e",{}]"#, nested(8_000)), too_deep);
    let beside = format!(r#"{{"status":"ok","response":{{}},"x":{}}}"#, nested(33));
    check(&format!(r#"[null,null,"t","phx_reply",{beside}]"#), too_deep);
    check(&nested(8_000), Err(DecodeError::NotFiveElements));
}

fn binary(join_ref: Option<&str>, reference: Option<&str>, event: &str) -> Frame {
    let mut frame = Frame::broadcast(label("t"), label(event), Payload::Binary([1, 255].into()));
    frame.join_ref = join_ref.map(label);
    frame.reference = reference.map(label);
    frame
}

fn binary_reply() -> Frame {
    let mut reply = binary(Some("3"), Some("4"), "e");
    let response = Payload::Binary([1, 255].into());
    reply.body = channels::FrameBody::Reply { status: Status::Ok, response };
    reply
}

fn check_binary(frame: &Frame, sender: Sender, bytes: &[u8]) {
    assert_eq!(frame.encode(sender), Ok(Encoded::Binary(bytes.to_vec())));
    assert_eq!(Frame::decode_binary(bytes, sender, &Limits::default()).as_ref(), Ok(frame));
}

// The bytes are those of `assets/js/phoenix/serializer.js` and of its twin on the server.
#[test]
fn binary_frames_have_four_forms() {
    let from_client = binary(Some("3"), Some("4"), "up");
    check_binary(&from_client, Sender::Client, b"\x00\x01\x01\x01\x0234tup\x01\xff");
    let pushed = binary(Some("3"), None, "up");
    check_binary(&pushed, Sender::Server, b"\x00\x01\x01\x023tup\x01\xff");
    check_binary(&binary_reply(), Sender::Server, b"\x01\x01\x01\x01\x0234tok\x01\xff");
    check_binary(&binary(None, None, "up"), Sender::Server, b"\x02\x01\x02tup\x01\xff");
}

// `channel.push("echo", new Uint8Array([1, 2, 255]).buffer)`, as phoenix 1.8.16 sent it.
#[test]
fn the_real_client_s_binary_push_is_read() {
    let bytes = b"\x00\x01\x01\x06\x0435game:1echo\x01\x02\xff";
    let payload = Payload::Binary([1, 2, 255].into());
    let mut push = Frame::broadcast(label("game:1"), label("echo"), payload);
    push.join_ref = Some(label("3"));
    push.reference = Some(label("5"));
    check_binary(&push, Sender::Client, bytes);
}

#[test]
fn a_binary_frame_without_a_form_is_not_written() {
    let no_form = Err(EncodeError::NoBinaryForm);
    assert_eq!(binary(Some("3"), Some("4"), "up").encode(Sender::Server), no_form);
    assert_eq!(binary_reply().encode(Sender::Client), no_form);
}

fn check_refused(bytes: &[u8], sender: Sender, expected: DecodeError) {
    assert_eq!(Frame::decode_binary(bytes, sender, &Limits::default()), Err(expected));
}

#[test]
fn binary_frames_that_are_cut_off_are_refused() {
    for bytes in [
        &b""[..],
        b"\x00",
        b"\x00\x01\x01\x01",
        b"\x00\x01\x01\x01\x0234t",
        b"\x00\xff\xff\xff\xff34",
    ] {
        check_refused(bytes, Sender::Client, DecodeError::CutOff);
    }
}

#[test]
fn binary_frames_of_unknown_kinds_are_refused() {
    for kind in [1, 2, 3, 255] {
        check_refused(
            &[kind, 0, 0, 1, 1, b't', b'e'],
            Sender::Client,
            DecodeError::UnknownKind(kind),
        );
    }
    check_refused(&[3, 1, 1, b't', b'e'], Sender::Server, DecodeError::UnknownKind(3));
}

#[test]
fn binary_frames_with_a_bad_head_are_refused() {
    let empty = DecodeError::Label(Field::Topic, LabelError::Empty);
    check_refused(b"\x02\x00\x01e", Sender::Server, empty);
    check_refused(b"\x02\x01\x01\xffe", Sender::Server, DecodeError::NotText(Field::Topic));
    check_refused(b"\x02\x01\x09tphx_reply", Sender::Server, DecodeError::NotAReply);
    check_refused(b"\x01\x00\x00\x01\x02tno", Sender::Server, DecodeError::UnknownStatus);
    let long = vec![2; 16 * 1024 + 1];
    check_refused(&long, Sender::Server, DecodeError::TooLong { limit: 16 * 1024 });
}

#[test]
fn a_broadcast_belongs_to_no_join() {
    let state = frame(r#"[null,null,"t","state",{}]"#);
    assert_eq!(Frame::broadcast(label("t"), label("state"), Payload::empty()), state);
}
