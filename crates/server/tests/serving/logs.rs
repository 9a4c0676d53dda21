//! Logs, by pages and as streams.

use std::time::Duration;

use serde_json::{Value, json};

use crate::socket::version_and_kind;
use crate::test_server::{Table, TestServer, pass};

fn versions(entries: &Value) -> Vec<u64> {
    entries
        .as_array()
        .expect("entries are a list")
        .iter()
        .map(|entry| version_and_kind(entry).0)
        .collect()
}

#[tokio::test]
async fn a_log_is_read_from_any_version_a_hundred_entries_at_a_time() {
    let server = TestServer::usual().await;
    let table = server.table("tic-tac-toe").await;
    // The first player resigns every round.
    for round in 1..=120 {
        let id = server.action_id();
        let action = json!({"id": id, "action": "forfeit", "round": round, "ply": 0});
        server.act(&table, 0, &action).await.of(200);
    }
    let read = async |query: &str| {
        server.get(&format!("/api/tables/{}/log{query}", table.id)).send().await.of(200)
    };
    let first = read("").await;
    assert_eq!(first["version"], 123);
    assert_eq!(versions(&first["entries"]), (1..=100).collect::<Vec<_>>());
    assert_eq!(versions(&read("?from=100").await["entries"]), (101..=123).collect::<Vec<_>>());
    assert_eq!(versions(&read("?from=122").await["entries"]), [123]);
    for beyond in ["?from=123", "?from=1000000"] {
        assert_eq!(read(beyond).await["entries"], json!([]));
    }
    for bad in ["?from=-1", "?from=moon"] {
        let path = format!("/api/tables/{}/log{bad}", table.id);
        assert_eq!(server.get(&path).send().await.status, 400);
    }
    assert!(!first.to_string().contains("\"token\""), "hashes of tokens are not shown either");
}

#[tokio::test]
async fn a_stream_has_the_log_and_then_new_entries() {
    let server = TestServer::usual().await;
    let table = server.table("tic-tac-toe").await;
    server.play(&table, 0, 0, "b2").await;
    let path = |from| format!("/api/tables/{}/stream?from={from}", table.id);
    let mut all = server.get(&path(0)).lines().await;
    let mut late = server.get(&path(3)).lines().await;
    for version in 1..=4 {
        assert_eq!(version_and_kind(&all.next().await.unwrap()).0, version);
    }
    assert_eq!(late.next().await.unwrap()["move"], "b2");
    server.play(&table, 1, 1, "a1").await;
    for lines in [&mut all, &mut late] {
        let line = lines.next().await.unwrap();
        assert_eq!((&line["version"], &line["move"]), (&json!(5), &json!("a1")));
    }
}

#[tokio::test]
async fn a_quiet_stream_is_kept_alive_by_empty_lines() {
    let server = TestServer::usual().await;
    let table = server.table("tic-tac-toe").await;
    let path = format!("/api/tables/{}/stream?from=3", table.id);
    let mut lines = server.get(&path).lines().await;
    pass(Duration::from_secs(21)).await;
    crate::test_server::soon(lines.more()).await;
    assert_eq!(lines.all, b"\n");
    server.play(&table, 0, 0, "b2").await;
    assert_eq!(lines.next().await.unwrap()["version"], 4);
}

/// Plays to the showdown; returns the cards of both seats.
async fn deal_and_showdown(server: &TestServer, table: &Table) -> Vec<String> {
    server.play(table, 0, 1, "bet").await;
    server.play(table, 1, 2, "bet").await;
    let view = server.get(&format!("/api/tables/{}", table.id)).send().await.of(200);
    let position = crate::test_server::text(&view["view"]["position"]);
    position.chars().take(2).map(String::from).collect()
}

#[tokio::test]
async fn no_byte_reveals_the_opponents_card_before_the_showdown() {
    let server = TestServer::usual().await;
    let table = server.table("kuhn-poker").await;
    let stream = format!("/api/tables/{}/stream", table.id);
    let mut first = server.get(&stream).bearer(&table.tokens[0]).lines().await;
    let mut second = server.get(&stream).bearer(&table.tokens[1]).lines().await;
    let mut nobody = server.get(&stream).lines().await;
    let mut seen = Vec::new();
    for (lines, token) in [(&mut first, Some(0)), (&mut second, Some(1)), (&mut nobody, None)] {
        while lines.next().await.unwrap()["kind"] != "chance" {}
        let mut texts = String::from_utf8(lines.all.clone()).unwrap();
        for path in ["", "/log"] {
            let ask = server.get(&format!("/api/tables/{}{path}", table.id));
            let ask = match token {
                Some(seat) => ask.bearer(&table.tokens[seat]),
                None => ask,
            };
            texts += &ask.send().await.text;
        }
        seen.push(texts);
    }
    let cards = deal_and_showdown(&server, &table).await;
    // In a view, a card is a capital letter beside a question mark.
    let sees = |text: &str, seat: usize| {
        let card = &cards[seat];
        let pair = if seat == 0 { format!("{card}?") } else { format!("?{card}") };
        text.contains(&pair)
    };
    let both = cards.concat();
    for (viewer, text) in seen.iter().enumerate() {
        assert!(!text.contains(&both), "viewer {viewer} sees both cards: {text}");
        for seat in 0..2 {
            assert_eq!(sees(text, seat), viewer == seat, "viewer {viewer}, {cards:?}: {text}");
        }
        // Nothing else in these texts is a quoted capital letter or a pair of cards.
        for pair in ["JQ", "JK", "QJ", "QK", "KJ", "KQ"] {
            assert!(!text.contains(pair), "viewer {viewer} sees {pair}");
        }
    }
}
#[tokio::test]
async fn a_closed_stream_does_not_keep_the_table_in_memory() {
    let server = crate::test_server::Setup::new().limit("table_idle", 50).start().await;
    let table = server.table("tic-tac-toe").await;
    let path = format!("/api/tables/{}/stream", table.id);
    let mut lines = server.get(&path).lines().await;
    lines.next().await.unwrap();
    assert_eq!(server.metric("live_tables").await, 1);
    drop(lines);
    server.until_metric("live_tables", 0).await;
}
