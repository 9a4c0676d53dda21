//! Problem documents, with helpful sentences.

use serde_json::json;

use crate::http::{TestRequest, TestResponse};
use crate::test_server::{TestServer, text};

/// The sentence of a problem that must have this status and this code.
#[track_caller]
fn sentence(answer: &TestResponse, status: u16, code: &str) -> String {
    assert_eq!(answer.problem(status), code);
    text(&answer.json()["detail"])
}

#[tokio::test]
async fn a_malformed_query_is_answered_with_a_hint() {
    let server = TestServer::usual().await;
    let id = text(&server.create(&json!({"game": "pig"})).await["id"]);
    for rest in ["log?from=abc", "stream?from=abc", "log?from=-1", "log?from="] {
        let answer = server.get(&format!("/api/tables/{id}/{rest}")).send().await;
        assert_eq!(
            sentence(&answer, 400, "bad_request"),
            "The query cannot be understood: from: this is the last version that you have, \
             a number as in from=3",
            "{rest}"
        );
    }
    let twice = server.get("/api/tables?status=waiting&status=playing").send().await;
    assert!(sentence(&twice, 400, "bad_request").contains("status"), "{twice:?}");
    let answer = server.get("/api/tables?status=lost").send().await;
    assert!(sentence(&answer, 400, "bad_request").contains("waiting or playing"));
}

#[tokio::test]
async fn a_path_that_is_not_text_is_not_found() {
    let server = TestServer::usual().await;
    for rest in ["", "/log", "/stream"] {
        let answer = server.get(&format!("/api/tables/%FF{rest}")).send().await;
        assert_eq!(answer.problem(404), "no_table", "{rest}");
    }
}

#[tokio::test]
async fn a_wrong_method_is_answered_with_the_right_ones() {
    let server = TestServer::usual().await;
    for (method, path, allow, words) in [
        ("POST", "/api/games", "GET,HEAD", "use GET or HEAD"),
        ("GET", "/api/pair", "POST", "use POST"),
        ("DELETE", "/api/tables", "GET,HEAD,POST", "use GET or HEAD or POST"),
        ("PUT", "/", "GET,HEAD", "use GET or HEAD"),
    ] {
        let answer = TestRequest::new(server.address, method, path).send().await;
        let detail = sentence(&answer, 405, "not_allowed");
        assert!(detail.ends_with(words), "{method} {path}: {detail}");
        assert_eq!(answer.header("allow"), allow, "{method} {path}");
    }
    let poll = TestRequest::new(server.address, "PUT", "/socket/longpoll").send().await;
    assert_eq!(
        (poll.status, poll.text.as_str()),
        (405, ""),
        "the client would read a number in the body"
    );
}

#[tokio::test]
async fn a_plain_request_to_the_socket_is_answered_with_a_hint() {
    let server = TestServer::usual().await;
    let answer = server.get("/socket/websocket").send().await;
    let detail = sentence(&answer, answer.status, "bad_request");
    assert!(detail.contains("Phoenix Channels"), "{detail}");
    assert!((400..500).contains(&answer.status));
}

#[tokio::test]
async fn a_malformed_body_is_answered_with_the_name_of_the_field() {
    let server = TestServer::usual().await;
    let id = text(&server.create(&json!({"game": "pig"})).await["id"]);
    let (seats, actions) = (format!("/api/tables/{id}/seats"), format!("/api/tables/{id}/actions"));
    let play = json!({"id": "a:1", "action": "play", "round": "one", "ply": 0, "move": "roll"});
    for (path, body, expected) in [
        (
            "/api/tables",
            json!({"game": "pig", "name": ""}),
            "name: a name has 1 to 24 visible characters",
        ),
        (
            "/api/tables",
            json!({}),
            "game: this field is missing. Send the name of a game, or rules",
        ),
        (
            "/api/tables",
            json!({"game": "pig", "tokens": "ab".repeat(16)}),
            "tokens: there is no such field. The fields are game, rules, computers, listed, alternate, \
             clock, prompt, name, seat, token",
        ),
        (
            "/api/pair",
            json!({"game": "pig", "name": "Ada", "seat": 1}),
            "seat: there is no such field. The fields are game, name, token",
        ),
        (
            &seats,
            json!({"names": "Ada"}),
            "names: there is no such field. The fields are name, seat, token",
        ),
        ("/api/tables", json!(["pig"]), "The body is an array: send an object with named fields"),
        (&seats, json!(["Ada"]), "The body is an array: send an object with named fields"),
        (&seats, json!({"name": 5}), "name: invalid type: integer `5`, expected a string"),
        (&actions, json!({"id": "a:1"}), "action: this field is missing"),
        (&actions, play, "round: invalid type: string \"one\", expected u32"),
    ] {
        let answer = server.post(path, &body).send().await;
        assert_eq!(sentence(&answer, 422, "bad_request"), expected, "{body}");
    }
    let broken = server.post("/api/tables", &json!({})).body("{").send().await;
    let detail = sentence(&broken, 400, "bad_request");
    assert!(detail.starts_with("The body is not JSON: ") && detail.contains("line 1"), "{detail}");
    let bare = TestRequest::new(server.address, "POST", "/api/tables").body("{}").send().await;
    let detail = sentence(&bare, 415, "bad_request");
    assert!(detail.contains("Content-Type: application/json"), "{detail}");
    let long = json!({"game": "x".repeat(20_000)});
    let detail = sentence(&server.post("/api/tables", &long).send().await, 413, "bad_request");
    assert_eq!(detail, "A body has at most 16384 bytes: send less");
}

#[tokio::test]
async fn a_client_without_a_token_learns_how_to_send_it() {
    let server = TestServer::usual().await;
    let table = server.table("tic-tac-toe").await;
    let path = format!("/api/tables/{}/actions", table.id);
    let action = server.move_at(0, "a1");
    let bare = server.post(&path, &action).send().await;
    let hint = "Authorization: Bearer";
    assert!(sentence(&bare, 403, "no_seat").contains(hint));
    let foreign = server.post(&path, &action).bearer(&"00".repeat(16)).send().await;
    assert!(!sentence(&foreign, 403, "no_seat").contains(hint), "the token was sent correctly");
}
