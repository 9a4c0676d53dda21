//! How fast frames are read and written; every benchmark asserts the answer that it times.

use channels::{
    Answer, Encoded, Frame, Limits, Payload, Sender, Server, ServerEffect, ServerSettings,
};
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

const MOVE: &str = r#"["3","4","table:7f3a","act",{"type":"move","move":"b2","version":12}]"#;
const REPLY: &str =
    r#"["3","4","table:7f3a","phx_reply",{"response":{"version":13},"status":"ok"}]"#;
const STATE: &str = r#"[null,null,"table:7f3a","state",{"board":[-1,0,-1,1,-1,0,-1,-1,1],"status":"playing","turn":1}]"#;
const BINARY: &[u8] = b"\x00\x01\x01\x0a\x0334table:7f3aact\x00\x01\x02\x03\x04\x05\x06\x07";
const HEARTBEAT: &str = r#"[null,"6","phoenix","heartbeat",{}]"#;

fn there_and_back(text: &str) -> Encoded {
    let frame = Frame::decode_text(black_box(text), &Limits::default());
    frame.expect("it is a frame").encode(Sender::Client).expect("it has a form")
}

fn bench_text(bencher: Bencher<'_, '_>, text: &str) {
    let expected = Encoded::Text(text.to_owned());
    bencher.bench_local(|| assert_eq!(there_and_back(text), expected));
}

#[divan::bench]
fn a_move_decoded_and_encoded(bencher: Bencher<'_, '_>) {
    bench_text(bencher, MOVE);
}

#[divan::bench]
fn a_reply_decoded_and_encoded(bencher: Bencher<'_, '_>) {
    bench_text(bencher, REPLY);
}

#[divan::bench]
fn a_state_decoded_and_encoded(bencher: Bencher<'_, '_>) {
    bench_text(bencher, STATE);
}

#[divan::bench]
fn a_binary_push_decoded_and_encoded(bencher: Bencher<'_, '_>) {
    let expected = Encoded::Binary(BINARY.to_vec());
    bencher.bench_local(|| {
        let frame = Frame::decode_binary(black_box(BINARY), Sender::Client, &Limits::default());
        let encoded = frame.expect("it is a frame").encode(Sender::Client);
        assert_eq!(encoded.expect("it has a form"), expected);
    });
}

#[divan::bench]
fn a_heartbeat_received_and_answered(bencher: Bencher<'_, '_>) {
    let mut server = Server::new(ServerSettings::default(), 0);
    bencher.bench_local(|| {
        let frame = Frame::decode_text(black_box(HEARTBEAT), &Limits::default());
        let effects = server.receive(frame.expect("it is a frame"), 1);
        assert!(matches!(&effects[..], [ServerEffect::Send(_)]));
    });
}

#[divan::bench]
fn a_move_received_and_answered(bencher: Bencher<'_, '_>) {
    let mut server = Server::new(ServerSettings::default(), 0);
    let join = MOVE.replace("\"act\"", "\"phx_join\"");
    let frame = Frame::decode_text(&join, &Limits::default()).expect("it is a frame");
    let effects = server.receive(frame, 0);
    let [ServerEffect::Join { channel, .. }] = &effects[..] else { return };
    server.answer(*channel, Answer::Welcome(Payload::empty())).expect("it was asked");
    bencher.bench_local(|| {
        let frame = Frame::decode_text(black_box(MOVE), &Limits::default());
        let effects = server.receive(frame.expect("it is a frame"), 1);
        let Ok([ServerEffect::Push { reply_to: Some(to), .. }]) = <[_; 1]>::try_from(effects)
        else {
            unreachable!("the channel is joined")
        };
        let effects =
            server.reply(to, channels::Status::Ok, Payload::empty()).expect("it is joined");
        let [ServerEffect::Send(reply)] = &effects[..] else { unreachable!("a reply is sent") };
        let Ok(Encoded::Text(text)) = reply.encode(Sender::Server) else {
            unreachable!("it is text")
        };
        assert_eq!(text, r#"["3","4","table:7f3a","phx_reply",{"response":{},"status":"ok"}]"#);
    });
}
