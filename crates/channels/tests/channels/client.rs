//! Tests of the client's end.

use channels::{Backoff, Client, ClientChannel, ClientEffect, ClientError, ClientSettings, Json};
use expect_test::{Expect, expect};

use crate::wire::{client_lines, frame, json, label};

fn settings() -> ClientSettings {
    ClientSettings {
        timeout: 100,
        heartbeat: Some(1_000),
        reconnect: Backoff::new([10, 20], 50),
        rejoin: Backoff::new([5, 15], 25),
        channels: 2,
        pushes: 2,
    }
}

fn check(effects: &[ClientEffect], expected: &Expect) {
    expected.assert_eq(&client_lines(effects));
}

fn check_received(client: &mut Client, text: &str, expected: &Expect) {
    check(&client.receive(frame(text), 0), expected);
}

fn connected() -> Client {
    let mut client = Client::new(settings());
    client.connect();
    client.opened(0);
    client
}

/// A client that has sent a join of `t` with ref 1.
fn joining() -> (Client, ClientChannel) {
    let mut client = connected();
    let (channel, _) =
        client.join(label("t"), Json::empty(), 0).expect("the client is below its limit");
    (client, channel)
}

/// A client that has joined `t` with ref 1.
fn joined() -> (Client, ClientChannel) {
    let (mut client, channel) = joining();
    client.receive(frame(r#"["1","1","t","phx_reply",{"response":{},"status":"ok"}]"#), 0);
    (client, channel)
}

fn push(client: &mut Client, channel: ClientChannel) -> Vec<ClientEffect> {
    let pushed = client.push(channel, label("move"), json(r#"{"cell":4}"#), 0);
    pushed.expect("the client is below its limit").1
}

#[test]
fn a_channel_is_joined() {
    let mut client = connected();
    let (channel, effects) = client.join(label("t"), json(r#"{"seat":0}"#), 0).unwrap();
    check(&effects, &expect![[r#"-> ["1","1","t","phx_join",{"seat":0}]"#]]);
    assert!(!client.has_joined(channel));
    check_received(
        &mut client,
        r#"["1","1","t","phx_reply",{"response":{"seat":0},"status":"ok"}]"#,
        &expect![[r#"joined {"seat":0}"#]],
    );
    assert!(client.has_joined(channel));
    assert_eq!(client.join_ref(channel), Some(&label("1")));
}

#[test]
fn a_channel_waits_for_a_connection() {
    let mut client = Client::new(settings());
    let (_, effects) = client.join(label("t"), Json::empty(), 0).unwrap();
    check(&effects, &expect![""]);
    check(&client.connect(), &expect!["connect"]);
    check(&client.connect(), &expect![""]);
    check(&client.opened(0), &expect![[r#"-> ["1","1","t","phx_join",{}]"#]]);
    check(&client.opened(0), &expect![""]);
}

#[test]
fn a_refused_join_is_retried_with_growing_delays() {
    let (mut client, _) = joining();
    let refusal =
        r#"[null,"1","t","phx_reply",{"response":{"reason":"unmatched topic"},"status":"error"}]"#;
    check_received(&mut client, refusal, &expect![[r#"refused {"reason":"unmatched topic"}"#]]);
    assert_eq!(client.deadline(), Some(5));
    check(&client.tick(4), &expect![""]);
    check(&client.tick(5), &expect![[r#"-> ["2","2","t","phx_join",{}]"#]]);
    client.receive(frame(&refusal.replace(r#""1""#, r#""2""#)), 5);
    assert_eq!(client.deadline(), Some(20));
}

#[test]
fn an_unanswered_join_is_cancelled_and_retried() {
    let (mut client, _) = joining();
    check(&client.tick(99), &expect![""]);
    check(
        &client.tick(100),
        &expect![[r#"
            -> ["1","2","t","phx_leave",{}]
            join timed out"#]],
    );
    check_received(
        &mut client,
        r#"["1","1","t","phx_reply",{"response":{},"status":"ok"}]"#,
        &expect![""],
    );
    check(&client.tick(105), &expect![[r#"-> ["3","3","t","phx_join",{}]"#]]);
}

#[test]
fn a_push_is_answered() {
    let (mut client, channel) = joined();
    check(&push(&mut client, channel), &expect![[r#"-> ["1","2","t","move",{"cell":4}]"#]]);
    let reply = r#"["1","2","t","phx_reply",{"response":{"reason":"no"},"status":"error"}]"#;
    check_received(&mut client, reply, &expect![[r#"replied error {"reason":"no"}"#]]);
    check_received(&mut client, reply, &expect![""]);
    check(&client.tick(500), &expect![""]);
}

#[test]
fn an_unanswered_push_times_out() {
    let (mut client, channel) = joined();
    push(&mut client, channel);
    check(&client.tick(99), &expect![""]);
    check(&client.tick(100), &expect!["timed out"]);
    check_received(
        &mut client,
        r#"["1","2","t","phx_reply",{"response":{},"status":"ok"}]"#,
        &expect![""],
    );
}

#[test]
fn a_push_waits_until_its_channel_is_joined() {
    let (mut client, channel) = joining();
    check(&push(&mut client, channel), &expect![""]);
    check_received(
        &mut client,
        r#"["1","1","t","phx_reply",{"response":{},"status":"ok"}]"#,
        &expect![[r#"
            joined {}
            -> ["1","2","t","move",{"cell":4}]"#]],
    );
}

#[test]
fn a_push_that_waited_too_long_is_not_sent() {
    let (mut client, channel) = joining();
    push(&mut client, channel);
    check(
        &client.tick(100),
        &expect![[r#"
            -> ["1","2","t","phx_leave",{}]
            join timed out
            timed out"#]],
    );
    client.tick(105);
    check_received(
        &mut client,
        r#"["3","3","t","phx_reply",{"response":{},"status":"ok"}]"#,
        &expect!["joined {}"],
    );
}

#[test]
fn a_reply_on_another_topic_or_join_is_ignored() {
    let (mut client, channel) = joined();
    push(&mut client, channel);
    for head in [r#""1","2","u""#, r#""9","2","t""#, r#""1","9","t""#, r#""1",null,"t""#] {
        let reply = format!(r#"[{head},"phx_reply",{{"response":{{}},"status":"ok"}}]"#);
        check_received(&mut client, &reply, &expect![""]);
    }
}

#[test]
fn too_many_pushes_are_refused() {
    let (mut client, channel) = joined();
    push(&mut client, channel);
    push(&mut client, channel);
    let third = client.push(channel, label("move"), Json::empty(), 0);
    assert_eq!(third, Err(ClientError::TooManyPushes));
}

#[test]
fn too_many_channels_are_refused() {
    let (mut client, _) = joined();
    client.join(label("u"), Json::empty(), 0).unwrap();
    let third = client.join(label("v"), Json::empty(), 0);
    assert_eq!(third, Err(ClientError::TooManyChannels));
}

#[test]
fn reserved_event_names_are_refused() {
    let (mut client, channel) = joined();
    let reserved = client.push(channel, label("phx_leave"), Json::empty(), 0);
    assert_eq!(reserved, Err(ClientError::ReservedEvent));
}

#[test]
fn events_reach_the_application() {
    let (mut client, _) = joined();
    check_received(
        &mut client,
        r#"["1",null,"t","state",{"a":1}]"#,
        &expect![[r#"state {"a":1}"#]],
    );
    check_received(&mut client, r#"[null,null,"t","state",{}]"#, &expect!["state {}"]);
}

#[test]
fn events_of_other_topics_and_joins_are_dropped() {
    let (mut client, _) = joined();
    check_received(&mut client, r#"[null,null,"u","state",{}]"#, &expect![""]);
    check_received(&mut client, r#"["9",null,"t","state",{}]"#, &expect![""]);
    check_received(&mut client, r#"["9","9","t","phx_close",{}]"#, &expect![""]);
    check_received(&mut client, r#"["9","9","t","phx_error",{}]"#, &expect![""]);
}

#[test]
fn a_channel_can_be_left() {
    let (mut client, channel) = joined();
    let effects = client.leave(channel, 0).unwrap();
    check(&effects, &expect![[r#"-> ["1","2","t","phx_leave",{}]"#]]);
    assert_eq!(client.leave(channel, 0), Err(ClientError::Ended));
    let late = client.push(channel, label("move"), Json::empty(), 0);
    assert_eq!(late, Err(ClientError::Ended));
    check_received(&mut client, r#"["1",null,"t","state",{}]"#, &expect![""]);
    check_received(
        &mut client,
        r#"["1","2","t","phx_reply",{"response":{},"status":"ok"}]"#,
        &expect!["closed"],
    );
    check_received(&mut client, r#"["1","1","t","phx_close",{}]"#, &expect![""]);
    assert_eq!(client.rejoin_with(channel, Json::empty()), Err(ClientError::Ended));
}

#[test]
fn an_unanswered_leave_closes_the_channel() {
    let (mut client, channel) = joined();
    client.leave(channel, 0).unwrap();
    check(&client.tick(100), &expect!["closed"]);
}

#[test]
fn a_channel_that_is_not_joined_closes_at_once() {
    let (mut client, channel) = joining();
    check(
        &client.leave(channel, 0).unwrap(),
        &expect![[r#"
            -> ["1","2","t","phx_leave",{}]
            closed"#]],
    );
    let mut offline = Client::new(settings());
    let (channel, _) = offline.join(label("t"), Json::empty(), 0).unwrap();
    check(&offline.leave(channel, 0).unwrap(), &expect!["closed"]);
}

#[test]
fn a_second_join_leaves_the_first() {
    let (mut client, first) = joined();
    let (second, effects) = client.join(label("t"), json(r#"{"seat":1}"#), 0).unwrap();
    check(
        &effects,
        &expect![[r#"
            -> ["1","2","t","phx_leave",{}]
            -> ["3","3","t","phx_join",{"seat":1}]"#]],
    );
    check_received(&mut client, r#"["1","1","t","phx_close",{}]"#, &expect!["closed"]);
    assert_eq!(client.join_ref(first), None);
    check_received(
        &mut client,
        r#"["3","3","t","phx_reply",{"response":{},"status":"ok"}]"#,
        &expect!["joined {}"],
    );
    assert!(client.has_joined(second));
}

#[test]
fn a_failed_channel_is_joined_again() {
    let (mut client, channel) = joined();
    client.rejoin_with(channel, json(r#"{"from":7}"#)).unwrap();
    check_received(&mut client, r#"["1","1","t","phx_error",{}]"#, &expect!["failed"]);
    check_received(&mut client, r#"["1","1","t","phx_error",{}]"#, &expect![""]);
    check(&client.tick(5), &expect![[r#"-> ["2","2","t","phx_join",{"from":7}]"#]]);
}

#[test]
fn a_closed_channel_is_not_joined_again() {
    let (mut client, _) = joined();
    check_received(&mut client, r#"["1","1","t","phx_close",{}]"#, &expect!["closed"]);
    check(&client.tick(500), &expect![""]);
}

#[test]
fn a_heartbeat_is_sent_and_answered() {
    let mut client = connected();
    assert_eq!(client.deadline(), Some(1_000));
    check(&client.tick(1_000), &expect![[r#"-> [null,"1","phoenix","heartbeat",{}]"#]]);
    let reply = r#"[null,"1","phoenix","phx_reply",{"response":{},"status":"ok"}]"#;
    check(&client.receive(frame(reply), 1_100), &expect![""]);
    assert_eq!(client.deadline(), Some(2_100));
}

#[test]
fn an_unanswered_heartbeat_closes_the_connection() {
    let (mut client, _) = joined();
    client.tick(1_000);
    check(&client.tick(1_999), &expect![""]);
    check(
        &client.tick(2_000),
        &expect![[r#"
            disconnect
            failed"#]],
    );
    check(&client.tick(2_010), &expect!["connect"]);
}

#[test]
fn heartbeats_can_be_disabled() {
    let mut client = Client::new(ClientSettings { heartbeat: None, ..settings() });
    client.connect();
    client.opened(0);
    assert_eq!(client.deadline(), None);
}

#[test]
fn after_a_lost_connection_the_client_reconnects_and_joins_its_channels() {
    let (mut client, channel) = joined();
    check(&client.lost(0), &expect!["failed"]);
    check(&client.lost(0), &expect![""]);
    check(&push(&mut client, channel), &expect![""]);
    check(&client.tick(9), &expect![""]);
    check(&client.tick(10), &expect!["connect"]);
    check(&client.opened(11), &expect![[r#"-> ["2","2","t","phx_join",{}]"#]]);
    check_received(
        &mut client,
        r#"["2","2","t","phx_reply",{"response":{},"status":"ok"}]"#,
        &expect![[r#"
            joined {}
            -> ["2","3","t","move",{"cell":4}]"#]],
    );
}

#[test]
fn a_failed_connection_is_retried_with_growing_delays() {
    let mut client = Client::new(settings());
    client.connect();
    for delay in [10, 20, 50, 50] {
        client.lost(0);
        assert_eq!(client.deadline(), Some(delay));
        check(&client.tick(delay), &expect!["connect"]);
    }
    client.opened(0);
    client.lost(0);
    assert_eq!(client.deadline(), Some(10), "a success resets the delay");
}

#[test]
fn the_client_does_not_reconnect_after_a_disconnect() {
    let (mut client, _) = joined();
    check(
        &client.disconnect(),
        &expect![[r#"
            disconnect
            failed"#]],
    );
    check(&client.lost(0), &expect![""]);
    check(&client.disconnect(), &expect![""]);
    check_received(&mut client, r#"[null,null,"t","state",{}]"#, &expect![""]);
    assert_eq!(client.deadline(), None);
    client.connect();
    check(&client.opened(0), &expect![[r#"-> ["2","2","t","phx_join",{}]"#]]);
}

#[test]
fn a_pending_leave_completes_when_the_connection_is_lost() {
    let (mut client, channel) = joined();
    client.leave(channel, 0).unwrap();
    check(&client.lost(0), &expect!["closed"]);
}
