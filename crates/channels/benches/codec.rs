//! The time to read and write frames. Every benchmark asserts its result.

use channels::{
    BinaryPush, Frame, FrameLimits, JoinAnswer, Json, Server, ServerEffect, ServerSettings,
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

fn round_trip(text: &str) -> String {
    let frame = Frame::decode(black_box(text), &FrameLimits::default());
    frame.expect("the frame is valid").encode()
}

fn bench_text(bencher: Bencher<'_, '_>, text: &str) {
    bencher.bench_local(|| assert_eq!(round_trip(text), text));
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
fn the_head_of_a_binary_push(bencher: Bencher<'_, '_>) {
    bencher.bench_local(|| {
        let push = BinaryPush::decode(black_box(BINARY), &FrameLimits::default());
        assert_eq!(push.expect("the message is a push").topic, "table:7f3a");
    });
}

#[divan::bench]
fn a_heartbeat_received_and_answered(bencher: Bencher<'_, '_>) {
    let mut server = Server::new(ServerSettings::default(), 0);
    bencher.bench_local(|| {
        let frame = Frame::decode(black_box(HEARTBEAT), &FrameLimits::default());
        let effects = server.receive(frame.expect("the frame is valid"), 1);
        assert!(matches!(&effects[..], [ServerEffect::Send(_)]));
    });
}

#[divan::bench]
fn a_move_received_and_answered(bencher: Bencher<'_, '_>) {
    let mut server = Server::new(ServerSettings::default(), 0);
    let join = MOVE.replace("\"act\"", "\"phx_join\"");
    let frame = Frame::decode(&join, &FrameLimits::default()).expect("the frame is valid");
    let effects = server.receive(frame, 0);
    let [ServerEffect::Join { channel, .. }] = &effects[..] else { return };
    server
        .answer(*channel, JoinAnswer::Welcome(Json::empty()))
        .expect("the join waits for an answer");
    bencher.bench_local(|| {
        let frame = Frame::decode(black_box(MOVE), &FrameLimits::default());
        let effects = server.receive(frame.expect("the frame is valid"), 1);
        let Ok([ServerEffect::Push { reply_to: Some(to), .. }]) = <[_; 1]>::try_from(effects)
        else {
            unreachable!("the channel is joined")
        };
        let effects = server
            .reply(to, channels::ReplyStatus::Ok, Json::empty())
            .expect("the channel is joined");
        let [ServerEffect::Send(reply)] = &effects[..] else { unreachable!("a reply is sent") };
        assert_eq!(
            reply.encode(),
            r#"["3","4","table:7f3a","phx_reply",{"response":{},"status":"ok"}]"#
        );
    });
}
