//! Tests of the server's end.

use channels::{
    BinaryPush, ChannelError, JoinAnswer, Json, ReplyStatus, ReplyTo, Server, ServerChannel,
    ServerEffect, ServerSettings,
};
use expect_test::{Expect, expect};

use crate::wire::{frame, has_joined_with, json, label, server_lines};

const SETTINGS: ServerSettings = ServerSettings { channels: 2, idle_timeout: Some(1_000) };

fn server() -> Server {
    Server::new(SETTINGS, 0)
}

fn check(effects: &[ServerEffect], expected: &Expect) {
    expected.assert_eq(&server_lines(effects));
}

fn check_received(server: &mut Server, text: &str, expected: &Expect) {
    check(&server.receive(frame(text), 0), expected);
}

/// Asks to join `t` with this ref.
fn ask(server: &mut Server, join_ref: &str) -> ServerChannel {
    let text = format!(r#"["{join_ref}","{join_ref}","t","phx_join",{{}}]"#);
    let effects = server.receive(frame(&text), 0);
    let Some(ServerEffect::Join { channel, .. }) = effects.last() else {
        unreachable!("the application gets the join")
    };
    *channel
}

fn joined(server: &mut Server, join_ref: &str) -> ServerChannel {
    let channel = ask(server, join_ref);
    server
        .answer(channel, JoinAnswer::Welcome(Json::empty()))
        .expect("the join waits for an answer");
    channel
}

/// Whether a client with this ref has joined `t`.
fn has_joined(server: &Server, join_ref: &str) -> bool {
    has_joined_with(server, "t", join_ref)
}

fn pushed(server: &mut Server) -> ReplyTo {
    let effects = server.receive(frame(r#"["1","2","t","move",{}]"#), 0);
    let Ok([ServerEffect::Push { reply_to: Some(reply_to), .. }]) = <[_; 1]>::try_from(effects)
    else {
        unreachable!("the application gets the push")
    };
    reply_to
}

#[test]
fn a_join_can_be_accepted() {
    let mut server = server();
    check_received(
        &mut server,
        r#"["1","1","t","phx_join",{"seat":0}]"#,
        &expect![[r#"join t {"seat":0}"#]],
    );
    let channel = ask(&mut server, "2");
    assert!(!has_joined(&server, "2"));
    let effects = server.answer(channel, JoinAnswer::Welcome(json(r#"{"seat":0}"#))).unwrap();
    check(
        &effects,
        &expect![[r#"<- ["2","2","t","phx_reply",{"response":{"seat":0},"status":"ok"}]"#]],
    );
    assert!(has_joined(&server, "2"));
}

#[test]
fn a_join_can_be_refused() {
    let mut server = server();
    let channel = ask(&mut server, "1");
    let effects = server.answer(channel, JoinAnswer::Refuse(json(r#"{"reason":"full"}"#))).unwrap();
    check(
        &effects,
        &expect![[
            r#"<- ["1","1","t","phx_reply",{"response":{"reason":"full"},"status":"error"}]"#
        ]],
    );
    assert!(!has_joined(&server, "1"));
    assert_eq!(server.answer(channel, JoinAnswer::UnknownTopic), Err(ChannelError::Ended));
}

#[test]
fn an_unknown_topic_is_refused() {
    let mut server = server();
    let channel = ask(&mut server, "1");
    let effects = server.answer(channel, JoinAnswer::UnknownTopic).unwrap();
    check(
        &effects,
        &expect![[
            r#"<- [null,"1","t","phx_reply",{"response":{"reason":"unmatched topic"},"status":"error"}]"#
        ]],
    );
}

#[test]
fn a_join_is_answered_once() {
    let mut server = server();
    let channel = joined(&mut server, "1");
    let again = server.answer(channel, JoinAnswer::Welcome(Json::empty()));
    assert_eq!(again, Err(ChannelError::AlreadyJoined));
}

#[test]
fn a_push_before_the_answer_to_the_join_is_refused() {
    let mut server = server();
    let unmatched = expect![[
        r#"<- [null,"2","t","phx_reply",{"response":{"reason":"unmatched topic"},"status":"error"}]"#
    ]];
    check_received(&mut server, r#"["1","2","t","move",{}]"#, &unmatched);
    ask(&mut server, "1");
    check_received(&mut server, r#"["1","2","t","move",{}]"#, &unmatched);
}

#[test]
fn a_push_is_answered() {
    let mut server = server();
    joined(&mut server, "1");
    let reply_to = pushed(&mut server);
    let effects = server.reply(reply_to, ReplyStatus::Error, json(r#"{"reason":"no"}"#)).unwrap();
    check(
        &effects,
        &expect![[r#"<- ["1","2","t","phx_reply",{"response":{"reason":"no"},"status":"error"}]"#]],
    );
}

#[test]
fn a_push_without_a_ref_gets_no_answer() {
    let mut server = server();
    joined(&mut server, "1");
    check_received(
        &mut server,
        r#"["1",null,"t","move",{"cell":1}]"#,
        &expect![[r#"push move {"cell":1}, no answer"#]],
    );
}

#[test]
fn a_push_to_a_channel_that_has_ended_is_not_answered() {
    let mut server = server();
    joined(&mut server, "1");
    let reply_to = pushed(&mut server);
    joined(&mut server, "3");
    let late = server.reply(reply_to, ReplyStatus::Ok, Json::empty());
    assert_eq!(late, Err(ChannelError::Ended));
}

#[test]
fn a_push_of_an_earlier_join_is_ignored() {
    let mut server = server();
    joined(&mut server, "1");
    joined(&mut server, "2");
    check_received(&mut server, r#"["1","3","t","move",{}]"#, &expect![""]);
    check_received(&mut server, r#"[null,"3","t","move",{}]"#, &expect![""]);
    check_received(&mut server, r#"["2","3","t","move",{}]"#, &expect!["push move {}, answer"]);
}

#[test]
fn a_second_join_closes_the_first() {
    let mut server = server();
    joined(&mut server, "1");
    check_received(
        &mut server,
        r#"["2","2","t","phx_join",{}]"#,
        &expect![[r#"
            <- ["1","1","t","phx_close",{}]
            left t: JoinedAgain
            join t {}"#]],
    );
    assert!(!has_joined(&server, "2"), "the second join is not answered yet");
}

#[test]
fn an_answer_to_a_replaced_join_comes_too_late() {
    let mut server = server();
    let first = ask(&mut server, "1");
    let second = ask(&mut server, "2");
    let late = server.answer(first, JoinAnswer::Welcome(Json::empty()));
    assert_eq!(late, Err(ChannelError::Ended));
    assert!(server.answer(second, JoinAnswer::Welcome(Json::empty())).is_ok());
}

#[test]
fn a_client_can_leave() {
    let mut server = server();
    let channel = joined(&mut server, "1");
    check_received(
        &mut server,
        r#"["1","2","t","phx_leave",{}]"#,
        &expect![[r#"
            <- ["1","2","t","phx_reply",{"response":{},"status":"ok"}]
            <- ["1","1","t","phx_close",{}]
            left t: Left"#]],
    );
    assert_eq!(server.fail(channel), Err(ChannelError::Ended));
}

#[test]
fn leaving_an_unknown_topic_succeeds() {
    check_received(
        &mut server(),
        r#"["1","2","t","phx_leave",{}]"#,
        &expect![[r#"<- ["1","2","t","phx_reply",{"response":{},"status":"ok"}]"#]],
    );
}

#[test]
fn a_leave_of_an_earlier_join_is_ignored() {
    let mut server = server();
    joined(&mut server, "2");
    check_received(&mut server, r#"["1","3","t","phx_leave",{}]"#, &expect![""]);
    assert!(has_joined(&server, "2"));
}

#[test]
fn a_heartbeat_is_answered() {
    check_received(
        &mut server(),
        r#"[null,"1","phoenix","heartbeat",{}]"#,
        &expect![[r#"<- [null,"1","phoenix","phx_reply",{"response":{},"status":"ok"}]"#]],
    );
}

#[test]
fn the_phoenix_topic_accepts_only_heartbeats() {
    for event in ["phx_join", "phx_leave", "move"] {
        check_received(
            &mut server(),
            &format!(r#"["1","1","phoenix","{event}",{{}}]"#),
            &expect![[
                r#"<- [null,"1","phoenix","phx_reply",{"response":{"reason":"unmatched topic"},"status":"error"}]"#
            ]],
        );
    }
}

#[test]
fn reserved_event_names_are_not_pushes() {
    let mut server = server();
    joined(&mut server, "1");
    check_received(
        &mut server,
        r#"["1","2","t","phx_close",{}]"#,
        &expect![[
            r#"<- ["1","2","t","phx_reply",{"response":{"reason":"reserved event"},"status":"error"}]"#
        ]],
    );
    let reply = r#"["1","2","t","phx_reply",{"response":{},"status":"ok"}]"#;
    check_received(&mut server, reply, &expect![""]);
}

#[test]
fn a_channel_can_fail() {
    let mut server = server();
    let channel = joined(&mut server, "1");
    let effects = server.fail(channel).unwrap();
    check(&effects, &expect![[r#"<- ["1","1","t","phx_error",{}]"#]]);
    assert_eq!(server.fail(channel), Err(ChannelError::Ended));
}

#[test]
fn too_many_channels_are_refused() {
    let mut server = server();
    check_received(&mut server, r#"["1","1","a","phx_join",{}]"#, &expect!["join a {}"]);
    check_received(&mut server, r#"["2","2","b","phx_join",{}]"#, &expect!["join b {}"]);
    check_received(
        &mut server,
        r#"["3","3","c","phx_join",{}]"#,
        &expect![[
            r#"<- ["3","3","c","phx_reply",{"response":{"reason":"too many channels"},"status":"error"}]"#
        ]],
    );
    check_received(
        &mut server,
        r#"["4","4","b","phx_join",{}]"#,
        &expect![[r#"
            <- ["2","2","b","phx_close",{}]
            left b: JoinedAgain
            join b {}"#]],
    );
}

#[test]
fn a_silent_client_is_disconnected() {
    let mut server = server();
    joined(&mut server, "1");
    server.receive(frame(r#"[null,"2","phoenix","heartbeat",{}]"#), 500);
    check(&server.tick(1_499), &expect![""]);
    assert_eq!(server.deadline(), Some(1_500));
    check(
        &server.tick(1_500),
        &expect![[r#"
            left t: Disconnected
            disconnect"#]],
    );
}

#[test]
fn a_silent_client_is_kept_if_no_heartbeats_are_expected() {
    let mut server = Server::new(ServerSettings { idle_timeout: None, ..SETTINGS }, 0);
    assert_eq!(server.deadline(), None);
    check(&server.tick(u64::MAX), &expect![""]);
}

#[test]
fn a_lost_connection_ends_its_channels() {
    let mut server = server();
    joined(&mut server, "1");
    check(&server.disconnected(), &expect!["left t: Disconnected"]);
    check(&server.disconnected(), &expect![""]);
}

#[test]
fn a_binary_payload_is_refused_and_the_channel_stays() {
    let mut server = server();
    joined(&mut server, "1");
    let (join_ref, reference) = (Some(label("1")), Some(label("2")));
    let push = BinaryPush { join_ref, reference, topic: label("t") };
    check(
        &server.receive(push, 500),
        &expect![[
            r#"<- ["1","2","t","phx_reply",{"response":{"reason":"payload is not JSON"},"status":"error"}]"#
        ]],
    );
    assert!(has_joined(&server, "1"));
    assert_eq!(server.deadline(), Some(1_500), "the message counts as a sign of life");
}
