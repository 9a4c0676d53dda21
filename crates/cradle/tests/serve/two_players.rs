//! Two people at a table of a server.

use serde_json::{Value, json};

use crate::process::Process;

const TOKENS: [&str; 2] = ["0f0e0d0c0b0a09080706050403020100", "000102030405060708090a0b0c0d0e0f"];

/// The JSON of an answer.
pub(crate) fn body(answer: &str) -> Value {
    let body = answer.split_once("\r\n\r\n").expect("the answer has a body").1;
    serde_json::from_str(body).unwrap_or_else(|error| unreachable!("{error}: {answer}"))
}

pub(crate) fn get(server: &Process, path: &str) -> Value {
    body(&server.request("GET", path, ""))
}

/// A new table of a game at which both seats are taken.
pub(crate) fn table(server: &Process, game: &str) -> String {
    let created = body(&server.request("POST", "/api/tables", &json!({"game": game}).to_string()));
    let id = created["id"].as_str().expect("the table is created").to_owned();
    seat_both(server, &id);
    id
}

/// Takes both seats of a table.
pub(crate) fn seat_both(server: &Process, id: &str) {
    for (name, token) in ["Ada", "Bob"].into_iter().zip(TOKENS) {
        let seat = json!({"name": name, "token": token}).to_string();
        let taken = server.request("POST", &format!("/api/tables/{id}/seats"), &seat);
        assert!(taken.starts_with("HTTP/1.1 2"), "{taken}");
    }
}

/// Makes a move of the player whose turn it is if they move in turn, and returns the answer.
pub(crate) fn play(server: &Process, table: &str, ply: usize, chosen: &str) -> String {
    let action = json!({"action": "play", "round": 1, "ply": ply, "move": chosen});
    act(server, table, ply, action)
}

/// Gives up the first round as the player whose turn it is if they move in turn; returns the answer.
pub(crate) fn give_up(server: &Process, table: &str, ply: usize) -> String {
    act(server, table, ply, json!({"action": "forfeit", "round": 1, "ply": ply}))
}

/// The player acts whose turn it is if they move in turn.
fn act(server: &Process, table: &str, ply: usize, mut action: Value) -> String {
    let token = TOKENS[ply % 2];
    action["id"] = json!(format!("{}:{}", ["ada", "bob"][ply % 2], ply + 1));
    server.request_with(
        "POST",
        &format!("/api/tables/{table}/actions"),
        &format!("Authorization: Bearer {token}\r\n"),
        &action.to_string(),
    )
}
