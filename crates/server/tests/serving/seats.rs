//! Taking seats.

use serde_json::json;

use crate::test_server::{TestServer, text};

#[tokio::test]
async fn seats_are_taken_in_order_or_by_choice_until_none_is_left() {
    let server = TestServer::usual().await;
    let id = text(&server.create(&json!({"game": "tic-tac-toe"})).await["id"]);
    let second = server.join(&id, &json!({"name": "Bob", "seat": 1})).await.of(200);
    assert_eq!((&second["seat"], &second["id"]), (&json!(1), &json!(id)));
    let taken = server.join(&id, &json!({"name": "Eve", "seat": 1})).await;
    assert_eq!(taken.problem(409), "seat_taken");
    let first = server.join(&id, &json!({"name": "Ada"})).await.of(200);
    assert_eq!(first["seat"], 0);
    assert_ne!(first["token"], second["token"]);
    assert_eq!(server.join(&id, &json!({"name": "Eve"})).await.problem(409), "table_full");
    assert_eq!(server.log(&id).await.len(), 3, "nothing else was written");
}

#[tokio::test]
async fn a_player_who_asks_for_another_seat_is_told_the_truth() {
    let server = TestServer::usual().await;
    let id = text(&server.create(&json!({"game": "tic-tac-toe"})).await["id"]);
    let token = "ab".repeat(16);
    let wanted = |seat: u8| json!({"name": "Ada", "token": token, "seat": seat});
    server.join(&id, &wanted(0)).await.of(200);
    server.join(&id, &wanted(0)).await.of(200);
    let other = server.join(&id, &wanted(1)).await;
    assert_eq!(other.problem(409), "already_here");
    assert!(other.text.contains("You hold seat 0 already"), "{}", other.text);
    let missing = server.join(&id, &json!({"name": "Bob", "seat": 2})).await;
    assert_eq!(missing.problem(400), "no_such_seat");
    server.join(&id, &json!({"name": "Bob", "seat": 1})).await.of(200);
}

#[tokio::test]
async fn a_table_can_be_joined_by_its_code() {
    let server = TestServer::usual().await;
    let created = server.create(&json!({"game": "tic-tac-toe", "name": "Ada"})).await;
    let path = format!("/api/codes/{}", text(&created["code"]));
    let found = server.get(&path).send().await.of(200);
    let joined = server.join(&text(&found["id"]), &json!({"name": "Bob"})).await.of(200);
    assert_eq!(joined["seat"], 1);
}

#[tokio::test]
async fn a_client_with_its_own_token_can_repeat_the_request() {
    let server = TestServer::usual().await;
    let id = text(&server.create(&json!({"game": "tic-tac-toe"})).await["id"]);
    let wanted = json!({"name": "Ada", "token": "ab".repeat(16)});
    let first = server.join(&id, &wanted).await.of(200);
    assert_eq!(first["token"], wanted["token"]);
    assert_eq!(
        server.join(&id, &wanted).await.of(200),
        first,
        "a repeated request gets the same answer"
    );
    assert_eq!(server.log(&id).await.len(), 2, "the client has one seat");
    server.join(&id, &json!({"name": "Bob"})).await.of(200);
    assert_eq!(server.join(&id, &wanted).await.of(200), first, "also when the table is full");
    for token in ["", "ab", &"zz".repeat(16)] {
        let answer = server.join(&id, &json!({"name": "Eve", "token": token})).await;
        assert_eq!(answer.problem(422), "bad_request", "{token:?} is not a token");
    }
}

#[tokio::test]
async fn the_token_of_a_header_is_the_token_of_the_seat() {
    let server = TestServer::usual().await;
    let [own, other] = ["ab", "cd"].map(|digits| digits.repeat(16));
    let wanted = json!({"game": "tic-tac-toe", "name": "Ada"});
    let created = server.post("/api/tables", &wanted).bearer(&own).send().await.of(201);
    assert_eq!(created["token"], json!(own));
    let id = text(&created["id"]);
    let seats = format!("/api/tables/{id}/seats");
    let bob = json!({"name": "Bob"});
    let joined = server.post(&seats, &bob).bearer(&other).send().await.of(200);
    assert_eq!((&joined["token"], &joined["seat"]), (&json!(other), &json!(1)));
    let waits = json!({"game": "tic-tac-toe", "name": "Cid"});
    let paired = server.post("/api/pair", &waits).bearer(&own).send().await.of(200);
    assert_eq!(paired["token"], json!(own));
}

#[tokio::test]
async fn a_token_without_a_seat_and_two_tokens_are_refused() {
    let server = TestServer::usual().await;
    let [own, other] = ["ab", "cd"].map(|digits| digits.repeat(16));
    let unnamed = json!({"game": "tic-tac-toe"});
    let refused = server.post("/api/tables", &unnamed).bearer(&own).send().await;
    assert_eq!(refused.problem(400), "bad_request");
    assert!(refused.text.contains("A token is for a seat: send a name, too"), "{}", refused.text);
    assert_eq!(server.metric("created_tables_total").await, 0, "nothing was created");
    let id = text(&server.create(&unnamed).await["id"]);
    let (seats, pair) = (format!("/api/tables/{id}/seats"), "/api/pair".to_owned());
    let two = json!({"name": "Bob", "token": other});
    let two_to_pair = json!({"name": "Bob", "token": other, "game": "tic-tac-toe"});
    let tables = "/api/tables".to_owned();
    for (path, wanted, status) in
        [(seats, two, 200), (pair, two_to_pair.clone(), 200), (tables, two_to_pair, 201)]
    {
        let refused = server.post(&path, &wanted).bearer(&own).send().await;
        assert_eq!(refused.problem(400), "bad_request", "{path}");
        assert!(refused.text.contains("send one of them"), "{}", refused.text);
        let taken = server.post(&path, &wanted).bearer(&other).send().await.of(status);
        assert_eq!(taken["token"], json!(other), "{path}");
    }
    let without_name = json!({"game": "tic-tac-toe", "token": own});
    let refused = server.post("/api/tables", &without_name).send().await;
    assert_eq!(refused.problem(400), "bad_request", "a token in the body needs a name as well");
}

#[tokio::test]
async fn the_creator_of_a_table_brings_a_token_in_the_body() {
    let server = TestServer::usual().await;
    let token = "ab".repeat(16);
    let wanted = json!({"game": "tic-tac-toe", "name": "Ada", "token": token});
    let created = server.post("/api/tables", &wanted).send().await.of(201);
    assert_eq!(created["token"], json!(token));
}

#[tokio::test]
async fn concurrent_requests_for_seats_get_one_seat_each() {
    let server = TestServer::usual().await;
    let id = text(&server.create(&json!({"game": "tic-tac-toe"})).await["id"]);
    let wanted = json!({"name": "Ada"});
    let joins = (0..8).map(|_| server.join(&id, &wanted));
    let answers = futures_util::future::join_all(joins).await;
    let mut seats: Vec<_> = answers
        .iter()
        .filter(|answer| answer.status == 200)
        .map(|answer| answer.json()["seat"].as_u64().unwrap())
        .collect();
    seats.sort_unstable();
    assert_eq!(seats, [0, 1]);
    let refused = answers.iter().filter(|answer| answer.status == 409);
    assert_eq!(refused.count(), 6);
}

#[tokio::test]
async fn a_computer_has_its_seat_and_answers() {
    let server = TestServer::usual().await;
    let wanted = json!({"game": "tic-tac-toe", "computers": [null, "bthreads"], "name": "Ada"});
    let created = server.create(&wanted).await;
    let (id, token) = (text(&created["id"]), text(&created["token"]));
    assert_eq!(server.join(&id, &json!({"name": "Eve"})).await.problem(409), "table_full");
    let path = format!("/api/tables/{id}/actions");
    let action = server.move_at(0, "a1");
    server.post(&path, &action).bearer(&token).send().await.of(200);
    crate::test_server::eventually("the computer answers", async || {
        server.log(&id).await.len() == 4
    })
    .await;
    let log = server.log(&id).await;
    assert_eq!((&log[3]["seat"], &log[3]["ply"]), (&json!(1), &json!(1)));
    assert_eq!(log[3]["who"], "table");
}
