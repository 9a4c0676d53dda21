//! Presence at a table.

use serde_json::{Value, json};

use crate::faulty_journal::FaultyJournal;
use crate::socket::Socket;
use crate::test_server::{Setup, TestServer, eventually, text};

fn metas(list: &Value, key: &str) -> usize {
    list[key]["metas"].as_array().map_or(0, Vec::len)
}

#[tokio::test]
async fn a_client_that_joins_gets_the_presence_and_the_others_get_every_change() {
    let server = TestServer::usual().await;
    let table = server.table("tic-tac-toe").await;
    let mut ada = Socket::open(&server).await;
    ada.join_seat(&table, 0).await;
    let state = ada.receive("presence_state").await;
    assert_eq!((metas(&state, "0"), metas(&state, "1")), (1, 0));
    let mut eve = Socket::open(&server).await;
    let (watching, _) = eve.join_as_spectator(&table).await;
    let state = eve.receive("presence_state").await;
    assert_eq!((metas(&state, "0"), metas(&state, "watching")), (1, 1));
    let diff = ada.receive("presence_diff").await;
    assert_eq!((metas(&diff["joins"], "watching"), &diff["leaves"]), (1, &json!({})));
    eve.leave(watching).await;
    let diff = ada.receive("presence_diff").await;
    assert_eq!((metas(&diff["leaves"], "watching"), &diff["joins"]), (1, &json!({})));
    let mut bob = Socket::open(&server).await;
    bob.join_seat(&table, 1).await;
    assert_eq!(metas(&ada.receive("presence_diff").await["joins"], "1"), 1);
    drop(bob);
    assert_eq!(
        metas(&ada.receive("presence_diff").await["leaves"], "1"),
        1,
        "the connection is lost"
    );
}

#[tokio::test]
async fn two_tabs_of_a_player_are_one_key_with_two_metas() {
    let server = TestServer::usual().await;
    let table = server.table("tic-tac-toe").await;
    let (mut one, mut two) = (Socket::open(&server).await, Socket::open(&server).await);
    one.join_seat(&table, 0).await;
    let (tab, _) = two.join_seat(&table, 0).await;
    let state = two.receive("presence_state").await;
    assert_eq!(metas(&state, "0"), 2);
    assert_eq!(state.as_object().unwrap().len(), 1);
    assert_eq!(metas(&one.receive("presence_diff").await["joins"], "0"), 1);
    two.push(tab, "act", &server.move_at(0, "b2")).await.unwrap();
    assert_eq!(one.entries().await, [(4, "played".to_owned())], "both tabs get the entry");
    two.leave(tab).await;
    assert_eq!(metas(&one.receive("presence_diff").await["leaves"], "0"), 1);
    let (_, welcome) = two.join_as_spectator(&table).await;
    assert_eq!(welcome["view"]["seats"][0]["is_here"], true);
    assert_eq!(metas(&two.receive("presence_state").await, "0"), 1, "the other tab is present");
}

#[tokio::test]
async fn an_emote_is_broadcast_and_not_recorded() {
    let server = TestServer::usual().await;
    let table = server.table("tic-tac-toe").await;
    let (mut ada, mut eve) = (Socket::open(&server).await, Socket::open(&server).await);
    let (mine, _) = ada.join_seat(&table, 0).await;
    let (theirs, _) = eve.join_as_spectator(&table).await;
    ada.push_without_reply(mine, "emote", &json!({"emote": "good_luck"})).await;
    for socket in [&mut ada, &mut eve] {
        assert_eq!(socket.receive("emote").await, json!({"emote": "good_luck", "seat": 0}));
    }
    eve.push_without_reply(theirs, "emote", &json!({"emote": "hello"})).await;
    eve.catch_up().await;
    ada.push_without_reply(mine, "emote", &json!({"emote": "oops"})).await;
    assert_eq!(eve.receive("emote").await["emote"], "oops", "an emote of a spectator is ignored");
    assert_eq!(server.log(&table.id).await.len(), 3);
}

#[tokio::test]
async fn a_client_that_leaves_during_a_write_is_absent_for_the_others() {
    let journal = FaultyJournal::new();
    let server = Setup::on(&journal).start().await;
    let table = server.table("tic-tac-toe").await;
    let (mut ada, mut bob) = (Socket::open(&server).await, Socket::open(&server).await);
    let (mine, _) = ada.join_seat(&table, 0).await;
    bob.join_seat(&table, 1).await;
    assert_eq!(metas(&ada.receive("presence_diff").await["joins"], "1"), 1);
    journal.hold();
    ada.push_without_reply(mine, "act", &server.move_at(0, "b2")).await;
    eventually("the move is being written", async || journal.held() == 1).await;
    drop(bob);
    server.until_metric("connections", 1).await;
    journal.release();
    assert_eq!(ada.entries().await, [(4, "played".to_owned())]);
    assert_eq!(metas(&ada.receive("presence_diff").await["leaves"], "1"), 1);
}

#[tokio::test]
async fn a_client_that_takes_a_seat_is_present_under_that_seat() {
    let server = TestServer::usual().await;
    let created = server.create(&json!({"game": "tic-tac-toe", "name": "Ada"})).await;
    let topic = format!("table:{}", text(&created["id"]));
    let (mut ada, mut bob) = (Socket::open(&server).await, Socket::open(&server).await);
    ada.join(&topic, json!({"token": created["token"]})).await.unwrap();
    let (channel, _) = bob.try_join(&topic, json!({})).await.unwrap();
    assert_eq!(metas(&ada.receive("presence_diff").await["joins"], "watching"), 1);
    let token = table::Token::new([7; 16]).digest();
    let join = json!({
        "id": "bob:1", "action": "join", "name": "Bob", "token": token, "version": 2});
    bob.push(channel, "act", &join).await.unwrap();
    assert_eq!(metas(&ada.receive("presence_diff").await["leaves"], "watching"), 1);
    assert_eq!(metas(&ada.receive("presence_diff").await["joins"], "1"), 1);
    ada.catch_up().await;
    bob.leave(channel).await;
    assert_eq!(metas(&ada.receive("presence_diff").await["leaves"], "1"), 1);
}
