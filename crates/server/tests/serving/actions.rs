//! Actions at a table.

use serde_json::json;

use crate::test_server::TestServer;

#[tokio::test]
async fn a_whole_game_is_played_and_the_next_round_begins() {
    let server = TestServer::usual().await;
    let table = server.table("tic-tac-toe").await;
    let moves = ["a1", "b1", "a2", "b2", "a3"];
    for (ply, chosen) in (0..).zip(moves) {
        let version = server.play(&table, ply % 2, u32::try_from(ply).unwrap(), chosen).await;
        assert_eq!(version, 4 + ply as u64);
    }
    let over = server.act(&table, 1, &server.move_at(5, "c3")).await;
    assert_eq!(over.problem(409), "game_over");
    let next = json!({"id": "test:100", "action": "next_round", "round": 1, "ply": 5});
    assert_eq!(server.act(&table, 1, &next).await.of(200), json!({"version": 9}));
    let path = format!("/api/tables/{}", table.id);
    let view = &server.get(&path).send().await.of(200)["view"];
    assert_eq!((&view["round"], &view["wins"]), (&json!(2), &json!([1, 0])));
}

#[tokio::test]
async fn a_refused_move_has_its_code_its_sentence_and_the_b_threads_behind_it() {
    let server = TestServer::usual().await;
    let table = server.table("tic-tac-toe").await;
    server.play(&table, 0, 0, "a1").await;
    let answer = server.act(&table, 1, &server.move_at(1, "a1")).await;
    assert_eq!(answer.problem(409), "already_taken");
    let problem = answer.json();
    assert_eq!(problem["type"], "about:blank");
    assert_eq!(problem["detail"], "That cell is already marked");
    let because = &problem["refusal"]["reasons"][0]["because"][0];
    assert_eq!(because["thread"], "SquareTaken(a1)");
    assert_eq!(server.log(&table.id).await.len(), 4, "nothing was written");
    let refused = "actions_refused_total{code=\"already_taken\"}";
    assert_eq!(server.metric(refused).await, 1);
    let answer = server.act(&table, 1, &server.move_at(1, "b2")).await;
    assert_eq!(answer.of(200), json!({"version": 5}), "another move is accepted");
}

#[tokio::test]
async fn a_repeated_action_is_applied_once_and_gets_the_same_answer() {
    let server = TestServer::usual().await;
    let table = server.table("tic-tac-toe").await;
    let action = server.move_at(0, "b2");
    let first = server.act(&table, 0, &action).await.of(200);
    server.play(&table, 1, 1, "a1").await;
    assert_eq!(server.act(&table, 0, &action).await.of(200), first);
    assert_eq!(server.log(&table.id).await.len(), 5);
    let other = server.move_at(0, "c3");
    assert_eq!(server.act(&table, 0, &other).await.problem(409), "stale", "another move is late");
}

#[tokio::test]
async fn concurrent_copies_of_an_action_are_applied_once() {
    let server = TestServer::usual().await;
    let table = server.table("tic-tac-toe").await;
    let action = server.move_at(0, "b2");
    let copies = (0..10).map(|_| server.act(&table, 0, &action));
    for answer in futures_util::future::join_all(copies).await {
        assert_eq!(answer.of(200), json!({"version": 4}));
    }
    assert_eq!(server.log(&table.id).await.len(), 4);
}

#[tokio::test]
async fn a_client_without_a_token_of_this_table_cannot_act() {
    let server = TestServer::usual().await;
    let table = server.table("tic-tac-toe").await;
    let other = server.table("tic-tac-toe").await;
    let path = format!("/api/tables/{}/actions", table.id);
    let action = server.move_at(0, "b2");
    let nobodys = "00".repeat(16);
    for token in [&other.tokens[0], &nobodys] {
        let answer = server.post(&path, &action).bearer(token).send().await;
        assert_eq!(answer.problem(403), "no_seat");
    }
    let answer = server.post(&path, &action).bearer("moon").send().await;
    assert_eq!(answer.problem(401), "bad_token");
    let answer = server.post(&path, &action).send().await;
    assert_eq!(answer.problem(403), "no_seat", "a client without a token has no seat");
    assert_eq!(server.act(&table, 1, &action).await.problem(409), "not_your_turn");
    assert_eq!(server.log(&table.id).await.len(), 3);
    server.act(&table, 0, &action).await.of(200);
}

#[tokio::test]
async fn a_malformed_action_is_refused() {
    let server = TestServer::usual().await;
    let table = server.table("tic-tac-toe").await;
    for action in [
        json!({}),
        json!({"id": "test:1", "action": "dance"}),
        json!({"id": "no counter", "action": "leave", "version": 3}),
        json!({"id": "test:1", "action": "play", "round": 1, "ply": -1, "move": "a1"}),
    ] {
        let answer = server.act(&table, 0, &action).await;
        assert_eq!(answer.problem(422), "bad_request", "{action}");
    }
    let nowhere = server.act(&table, 0, &server.move_at(0, "z9")).await;
    assert_eq!(nowhere.problem(409), "out_of_bounds");
}
