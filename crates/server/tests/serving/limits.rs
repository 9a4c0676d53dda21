//! Tests that exceed every limit.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::time::Duration;

use serde_json::{Value, json};
use server::Limits;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::Instant;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;

use crate::faulty_journal::FaultyJournal;
use crate::http::TestResponse;
use crate::socket::{End, Socket, request, topic};
use crate::test_server::{Setup, TestServer, eventually, pass, soon, text};
use crate::{
    agreements, analysis, codes, computing, hasty_clients, own_rules, pairing, polls, shutdown,
    supervision,
};

/// Each limit and the test that exceeds it.
const TESTED: &[(&str, fn())] = &[
    ("connections", the_number_of_sockets_is_limited),
    ("connections_per_address", the_number_of_sockets_of_an_address_is_limited),
    ("frame_bytes", a_message_that_is_too_long_is_refused),
    ("json_depth", json_that_is_too_deep_is_refused),
    ("topics_per_connection", the_number_of_channels_of_a_connection_is_limited),
    ("channels_per_address", the_number_of_tables_that_an_address_has_open_is_limited),
    ("outbox", a_slow_reader_joins_again_from_its_last_version),
    ("actions_per_second", a_client_that_sends_too_many_actions_waits),
    ("actions_at_once", a_client_that_sends_too_many_actions_waits),
    ("messages_per_second", hasty_clients::an_address_that_sends_too_many_messages_is_read_slowly),
    ("messages_at_once", hasty_clients::an_address_that_sends_too_many_messages_is_read_slowly),
    ("joins_per_second", a_client_that_joins_too_often_waits),
    ("joins_at_once", a_client_that_joins_too_often_waits),
    ("requests_per_second", an_address_that_sends_too_many_requests_waits),
    ("requests_at_once", an_address_that_sends_too_many_requests_waits),
    ("tables_per_minute", an_address_that_creates_too_many_tables_waits),
    ("tables_at_once", an_address_that_creates_too_many_tables_waits),
    ("own_rules_per_minute", own_rules::few_tables_with_own_rules_are_created),
    ("own_rules_at_once", own_rules::few_tables_with_own_rules_are_created),
    ("all_own_rules_per_minute", own_rules::few_tables_with_own_rules_are_created),
    ("analyses_per_minute", analysis::a_client_that_requests_too_many_explanations_waits),
    ("analyses_at_once", analysis::a_client_that_requests_too_many_explanations_waits),
    ("work_per_second", computing::an_address_pays_for_the_work_that_it_causes_before_it_is_done),
    ("work_at_once", computing::an_address_pays_for_the_work_that_it_causes_before_it_is_done),
    ("work_queue_per_address", computing::the_queue_of_an_address_is_bounded),
    ("work_queue", computing::the_queue_of_all_addresses_is_bounded),
    (
        "game_cache_kilobytes",
        computing::boards_in_memory_are_bounded_in_bytes_and_small_games_always_fit,
    ),
    ("game_table_kilobytes", computing::the_table_of_states_of_a_game_is_bounded),
    ("game_idle", computing::games_that_nobody_uses_leave_memory),
    ("code_lifetime", codes::a_code_expires_and_its_player_renews_it),
    ("code_misses_per_hour", codes::an_address_that_tries_too_many_wrong_codes_must_wait),
    ("code_misses_at_once", codes::an_address_that_tries_too_many_wrong_codes_must_wait),
    ("all_code_misses_per_hour", codes::many_addresses_that_guess_do_not_lock_out_a_newcomer),
    ("claim_after", agreements::the_round_of_an_absent_player_is_claimed_after_a_while),
    ("pairing_move_time", pairing::a_paired_player_who_never_moves_runs_out_of_time),
    ("addresses", a_new_address_waits_while_too_many_are_remembered),
    ("header_timeout", a_header_that_does_not_arrive_ends_the_connection),
    ("idle_timeout", a_silent_socket_is_closed),
    ("write_timeout", a_client_that_does_not_read_is_disconnected),
    ("request_timeout", a_body_that_does_not_arrive_ends_the_request),
    ("poll_window", polls::a_poll_ends_after_its_window),
    ("poll_sessions", polls::the_number_of_poll_sessions_is_limited),
    ("table_mailbox", the_mailbox_of_a_table_is_limited),
    ("spectators_per_table", the_number_of_spectators_is_limited),
    ("connections_per_seat", the_connections_of_a_seat_are_limited_and_the_oldest_is_dropped),
    ("live_tables", the_number_of_tables_in_memory_is_limited),
    ("table_idle", supervision::a_table_without_clients_is_evicted_and_loaded_on_demand),
    ("table_failures", supervision::a_table_that_keeps_failing_is_set_aside_and_others_are_not),
    ("set_aside", supervision::a_table_that_was_set_aside_comes_back_after_a_while),
    (
        "drain",
        shutdown::while_it_drains_the_server_is_not_ready_and_creates_no_table_but_games_go_on,
    ),
    ("shutdown", shutdown::the_shutdown_does_not_wait_for_ever),
];

#[test]
fn every_limit_is_tested_here() {
    let tested: BTreeSet<&str> = TESTED.iter().map(|(name, _)| *name).collect();
    let all: BTreeSet<&str> = Limits::ALL.iter().map(|(name, ..)| *name).collect();
    assert_eq!(tested, all);
}

/// Sends a request from an address that a proxy forwards.
async fn ask_from(server: &TestServer, address: &str) -> TestResponse {
    server.get("/api/tables").header("x-forwarded-for", address).send().await
}

/// Checks that the rate is exceeded, and the number of seconds to wait.
#[track_caller]
fn refused(answer: &TestResponse, seconds: RangeInclusive<u64>) {
    assert_eq!(answer.problem(429), "too_many");
    let again = answer.header("retry-after").parse().expect("the value is a number");
    assert!(seconds.contains(&again), "{again}");
}

#[tokio::test]
async fn the_number_of_sockets_is_limited() {
    let server = Setup::new().limit("connections", 2).start().await;
    let first = Socket::open(&server).await;
    let _second = Socket::open(&server).await;
    let third = Socket::try_open(&server, request(server.address)).await;
    assert_eq!(third.err(), Some(503));
    assert_eq!(server.get("/socket/longpoll").send().await.status, 503);
    assert_eq!(server.limited("connections").await, 2);
    drop(first);
    server.until_metric("connections", 1).await;
    Socket::open(&server).await;
}

#[tokio::test]
async fn the_number_of_sockets_of_an_address_is_limited() {
    let server = Setup::new().behind_proxy().limit("connections_per_address", 1).start().await;
    let open = async |address: &str| {
        let mut asked = request(server.address);
        asked.headers_mut().insert("x-forwarded-for", address.parse().unwrap());
        Socket::try_open(&server, asked).await
    };
    let _first = open("10.0.0.1").await.unwrap_or_else(|status| unreachable!("{status}"));
    assert_eq!(open("10.0.0.1").await.err(), Some(503));
    assert_eq!(open("10.0.0.2, 10.0.0.1").await.err(), Some(503), "the last address counts");
    assert!(open("10.0.0.2").await.is_ok());
    assert_eq!(server.limited("connections_per_address").await, 2);
}

#[tokio::test]
async fn the_number_of_streams_of_an_address_is_limited() {
    let server = Setup::new().limit("connections_per_address", 2).start().await;
    let table = server.table("tic-tac-toe").await;
    let path = format!("/api/tables/{}/stream", table.id);
    let first = server.get(&path).lines().await;
    let _second = server.get(&path).lines().await;
    assert_eq!(server.get(&path).send().await.problem(503), "too_many");
    drop(first);
    server.until_metric("connections", 1).await;
    server.get(&path).lines().await;
}

#[tokio::test]
async fn the_number_of_connections_of_an_address_is_limited() {
    let server = Setup::new().limit("connections_per_address", 2).start().await;
    let connect = async || TcpStream::connect(server.address).await.expect("the server is running");
    let mut open = Vec::new();
    for _ in 0..3 {
        open.push(connect().await);
    }
    assert_eq!(server.limited("connections_per_address").await, 0, "the limit allows this request");
    open.push(connect().await);
    let mut response = Vec::new();
    let closed = soon(connect().await.read_to_end(&mut response)).await;
    assert!(closed.is_err() || response.is_empty(), "the fifth connection is closed: {closed:?}");
    drop(open.pop());
    eventually("the limit allows requests again", async || {
        let ask = TcpStream::connect(server.address).await.expect("the server is running");
        let mut ask = ask;
        let written = ask.write_all(b"GET /healthz HTTP/1.0\r\n\r\n").await;
        let mut response = String::new();
        written.is_ok()
            && ask.read_to_string(&mut response).await.is_ok()
            && response.contains("200")
    })
    .await;
    assert!(server.limited("connections_per_address").await >= 1);
}

#[tokio::test]
async fn a_message_that_is_too_long_is_refused() {
    let server = Setup::new().limit("frame_bytes", 1_000).start().await;
    let beat = |length| {
        let padding = "x".repeat(length);
        json!([null, "beat", "phoenix", "heartbeat", {"padding": padding}]).to_string()
    };
    let mut socket = Socket::open(&server).await;
    socket.send_text(beat(900)).await;
    socket.catch_up().await;
    socket.send_text(beat(1_100)).await;
    assert_eq!(socket.end().await, End::Closed(1009));
    let mut socket = Socket::open(&server).await;
    socket.send_text(beat(100_000)).await;
    assert_eq!(socket.end().await, End::Closed(1009), "the length does not matter");
    assert_eq!(server.limited("frame_bytes").await, 2);
    let padded = |length: usize| {
        let body = format!("{}{}", json!({"game": "pig"}), " ".repeat(length));
        server.post("/api/tables", &json!({})).body(body).send()
    };
    assert_eq!(padded(1_100).await.problem(413), "bad_request");
    padded(900).await.of(201);
}

#[tokio::test]
async fn json_that_is_too_deep_is_refused() {
    let server = Setup::new().limit("json_depth", 8).start().await;
    let beat = |depth| {
        let (open, close) = ("[".repeat(depth), "]".repeat(depth));
        format!(r#"[null,"beat","phoenix","heartbeat",{{"deep":{open}{close}}}]"#)
    };
    let mut socket = Socket::open(&server).await;
    socket.send_text(beat(5)).await;
    socket.catch_up().await;
    socket.send_text(beat(9)).await;
    assert_eq!(socket.end().await, End::Closed(1008));
    let nested = |depth| (1..depth).fold(json!([]), |deep, _| json!([deep]));
    let wanted = |depth| json!({"game": "pig", "deep": nested(depth)});
    let flat = server.post("/api/tables", &wanted(7)).send().await;
    assert_eq!(flat.problem(422), "bad_request", "only the field is not known");
    let table = server.table("pig").await;
    let path = format!("/api/tables/{}", table.id);
    for path in ["/api/tables", "/api/pair", &format!("{path}/seats"), &format!("{path}/actions")] {
        let answer = server.post(path, &wanted(8)).send().await;
        assert_eq!(answer.problem(400), "bad_request");
        assert!(answer.text.contains("At most 8"), "{path}: {}", answer.text);
    }
    assert_eq!(server.limited("json_depth").await, 4);
}

#[tokio::test]
async fn garbage_ends_the_connection() {
    let server = TestServer::usual().await;
    for text in ["", "moon", "[]", "{}", "[null,null,\"lobby\"]"] {
        let mut socket = Socket::open(&server).await;
        socket.send_text(text).await;
        assert_eq!(socket.end().await, End::Closed(1008), "{text:?}");
    }
}

#[tokio::test]
async fn the_number_of_channels_of_a_connection_is_limited() {
    let server = Setup::new().limit("topics_per_connection", 1).start().await;
    let table = server.table("tic-tac-toe").await;
    let mut socket = Socket::open(&server).await;
    let (channel, _) = socket.join_as_spectator(&table).await;
    let refusal = socket.join("lobby", json!({})).await.unwrap_err();
    assert_eq!(refusal, json!({"reason": "too many channels"}));
    socket.leave(channel).await;
    socket.join("lobby", json!({})).await.unwrap();
}

#[tokio::test]
async fn a_slow_reader_joins_again_from_its_last_version() {
    let setup = Setup::new().limit("outbox", 4).limit("actions_at_once", 1_000);
    let server = setup.start().await;
    let table = server.table("tic-tac-toe").await;
    let (mut ada, mut eve) = (Socket::open(&server).await, Socket::open(&server).await);
    let (mine, _) = ada.join_seat(&table, 0).await;
    let (theirs, welcome) = eve.join_as_spectator(&table).await;
    eve.rejoin_with(theirs, &json!({"from": 3, "epoch": welcome["epoch"]}));
    ada.burst(mine, "emote", &json!({"emote": "hello"}), 200).await;
    server.play(&table, 0, 0, "b2").await;
    eve.failed(theirs).await;
    let welcome = eve.rejoined(theirs).await;
    assert_eq!(welcome["entries"][0]["version"], 4);
    assert!(server.metric("slow_readers_total").await >= 1);
}

/// Checks that a call succeeds exactly `at_once` times, and again after `rest`.
async fn wears_out(at_once: u32, rest: Duration, mut does: impl AsyncFnMut() -> Result<(), Value>) {
    for _ in 0..at_once {
        does().await.expect("the request is within the limit");
    }
    let refusal = does().await.expect_err("the request exceeds the limit");
    assert_eq!(refusal["code"], "too_many");
    pass(rest).await;
    does().await.expect("the limit allows it again");
}

#[tokio::test]
async fn a_client_that_sends_too_many_actions_waits() {
    let setup = Setup::new().limit("actions_per_second", 1).limit("actions_at_once", 3);
    let server = setup.start().await;
    let table = server.table("tic-tac-toe").await;
    let mut socket = Socket::open(&server).await;
    let (channel, _) = socket.join_as_spectator(&table).await;
    let rest = Duration::from_millis(1_001);
    wears_out(3, rest, async || socket.push(channel, "resync", &json!({})).await.map(drop)).await;
    assert_eq!(server.limited("actions_per_second").await, 1);
}

#[tokio::test]
async fn a_client_that_joins_too_often_waits() {
    let setup = Setup::new().limit("joins_per_second", 1).limit("joins_at_once", 3);
    let server = setup.start().await;
    let mut socket = Socket::open(&server).await;
    let rest = Duration::from_millis(1_001);
    wears_out(3, rest, async || socket.join("lobby", json!({})).await.map(drop)).await;
    assert_eq!(server.limited("joins_per_second").await, 1);
}

#[tokio::test]
async fn an_address_that_sends_too_many_requests_waits() {
    let setup = Setup::new().behind_proxy().limit("requests_per_second", 1);
    let server = setup.limit("requests_at_once", 3).start().await;
    for _ in 0..3 {
        assert_eq!(ask_from(&server, "10.0.0.1").await.status, 200);
    }
    let asked = Instant::now();
    refused(&ask_from(&server, "10.0.0.1").await, 1..=1);
    assert!(asked.elapsed() >= Duration::from_secs(1), "refusals that cost nothing invite more");
    assert_eq!(ask_from(&server, "10.0.0.2").await.status, 200, "another address may");
    assert_eq!(server.limited("requests_per_second").await, 1);
    pass(Duration::from_millis(1_001)).await;
    assert_eq!(ask_from(&server, "10.0.0.1").await.status, 200);
}

#[tokio::test]
async fn an_address_that_creates_too_many_tables_waits() {
    let setup = Setup::new().limit("tables_per_minute", 1).limit("tables_at_once", 2);
    let server = setup.start().await;
    for path in ["/api/tables", "/api/pair"] {
        let wanted = json!({"game": "pig", "name": "Ada"});
        let statuses = [201, 200];
        assert!(statuses.contains(&server.post(path, &wanted).send().await.status));
    }
    let wanted = json!({"game": "tic-tac-toe", "name": "Ada"});
    for path in ["/api/tables", "/api/pair"] {
        let answer = server.post(path, &wanted).send().await;
        // Part of the minute may have passed.
        refused(&answer, 45..=60);
        let again = format!("try again in {} seconds", answer.header("retry-after"));
        assert!(answer.text.contains(&again), "{}", answer.text);
    }
    assert_eq!(server.limited("tables_per_minute").await, 2);
    pass(Duration::from_secs(61)).await;
    server.create(&wanted).await;
}

#[tokio::test]
async fn a_new_address_waits_while_too_many_are_remembered() {
    let setup = Setup::new().behind_proxy().limit("addresses", 1).limit("requests_per_second", 1);
    let server = setup.limit("requests_at_once", 10).start().await;
    for _ in 0..6 {
        assert_eq!(ask_from(&server, "10.0.0.1").await.status, 200);
    }
    refused(&ask_from(&server, "10.0.0.2").await, 1..=1);
    assert_eq!(ask_from(&server, "10.0.0.1").await.status, 200);
    pass(Duration::from_secs(3)).await;
    let other = ask_from(&server, "10.0.0.2").await;
    assert_eq!(other.status, 200, "an address that does little is forgotten");
}

/// The response to a client that sends this and nothing more, until the server closes the connection.
async fn response_to(server: &TestServer, sent: &str) -> String {
    let mut stream = TcpStream::connect(server.address).await.expect("the server is running");
    stream.write_all(sent.as_bytes()).await.expect("the server is running");
    let mut response = Vec::new();
    // The connection may also be reset after the response.
    drop(soon(stream.read_to_end(&mut response)).await);
    String::from_utf8(response).expect("the bytes are UTF-8")
}

#[tokio::test]
async fn a_header_that_does_not_arrive_ends_the_connection() {
    let server = Setup::new().limit("header_timeout", 100).start().await;
    for sent in ["", "P", "PRI * HTTP/2.0\r\n", "G", "GET / HTTP/1.1\r\nHost: a\r\nX-Slow: "] {
        let response = response_to(&server, sent).await;
        assert!(response.is_empty() || response.starts_with("HTTP/1.1 408"), "{response}");
    }
    let response = response_to(&server, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").await;
    assert!(response.starts_with("HTTP/1.1 200"), "a complete request is answered: {response}");
}

#[tokio::test]
async fn a_body_that_does_not_arrive_ends_the_request() {
    let server = Setup::new().limit("request_timeout", 100).limit("header_timeout", 200);
    let server = server.start().await;
    let head = "POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    let response =
        response_to(&server, &format!("{head}Content-Length: 100\r\n\r\n{{\"game\"")).await;
    assert!(response.starts_with("HTTP/1.1 503") && response.contains("unavailable"), "{response}");
    assert_eq!(server.limited("request_timeout").await, 1);
}

#[tokio::test]
async fn a_silent_socket_is_closed() {
    let server = TestServer::usual().await;
    let (mut silent, mut alive) = (Socket::open(&server).await, Socket::open(&server).await);
    pass(Duration::from_secs(50)).await;
    alive.catch_up().await;
    pass(Duration::from_secs(50)).await;
    assert_eq!(silent.end().await, End::Closed(1001));
    alive.catch_up().await;
}

/// Sends `GET /healthz` over HTTP/2 without TLS, and reads until the answer was received.
async fn ask_over_http_2(address: SocketAddr) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.expect("the server is running");
    let mut sent = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0".to_vec();
    // GET, http, the path and the host.
    let head = b"\x82\x86\x04\x08/healthz\x01\x09localhost";
    sent.extend([0, 0, u8::try_from(head.len()).expect("the head is short"), 1, 5, 0, 0, 0, 1]);
    sent.extend(head);
    soon(stream.write_all(&sent)).await.expect("the server reads");
    let mut received = Vec::new();
    while !received.ends_with(b"ok\n") {
        let count = soon(stream.read_buf(&mut received)).await.expect("the server answers");
        assert_ne!(count, 0, "{received:?}");
    }
    stream
}

#[tokio::test]
async fn a_client_that_ignores_the_end_of_its_idle_connection_is_disconnected() {
    let server = TestServer::usual().await;
    for address in [server.address, server.admin.unwrap()] {
        let mut stream = ask_over_http_2(address).await;
        pass(Duration::from_secs(80)).await;
        let mut rest = Vec::new();
        soon(stream.read_buf(&mut rest)).await.unwrap();
        assert_eq!(rest.get(3), Some(&7), "the server says that it goes away: {rest:?}");
        pass(Duration::from_secs(6)).await;
        soon(stream.read_to_end(&mut rest)).await.expect("the connection is closed");
    }
}

#[tokio::test]
async fn a_stream_of_a_quiet_table_is_not_idle() {
    let server = Setup::new().limit("idle_timeout", 1_000).start().await;
    let table = server.table("tic-tac-toe").await;
    let mut lines = server.get(&format!("/api/tables/{}/stream?from=2", table.id)).lines().await;
    for _ in 0..3 {
        pass(Duration::from_secs(6)).await;
    }
    server.act(&table, 0, &server.move_at(0, "a1")).await.of(200);
    while lines.next().await.expect("the stream goes on")["kind"] != "played" {}
}

#[tokio::test]
async fn a_socket_that_names_its_heartbeat_is_closed_after_three_missed_ones() {
    let server = TestServer::usual().await;
    let url = format!("ws://{}/socket/websocket?vsn=2.0.0&heartbeat=5000", server.address);
    let mut silent = Socket::try_open(&server, url.into_client_request().unwrap()).await.unwrap();
    let mut usual = Socket::open(&server).await;
    pass(Duration::from_secs(16)).await;
    assert_eq!(silent.end().await, End::Closed(1001));
    usual.catch_up().await;
}

#[tokio::test]
async fn a_client_that_does_not_read_is_disconnected() {
    let server = Setup::new().limit("write_timeout", 100).start().await;
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4_096).unwrap();
    let mut stream = socket.connect(server.address).await.unwrap();
    let ask = "GET /api/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n";
    let written = soon(stream.write_all(ask.repeat(2_000).as_bytes())).await;
    // Read nothing until the server gives up.
    let mut response = Vec::new();
    if written.is_ok() {
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    drop(soon(stream.read_to_end(&mut response)).await);
    let answers = String::from_utf8_lossy(&response).matches("HTTP/1.1 200").count();
    assert!(answers < 2_000, "the connection was cut after {answers} answers");
}

#[tokio::test]
async fn the_mailbox_of_a_table_is_limited() {
    let journal = FaultyJournal::new();
    let server = Setup::on(&journal).limit("table_mailbox", 1).start().await;
    let table = server.table("tic-tac-toe").await;
    journal.hold();
    let path = format!("/api/tables/{}", table.id);
    let moving = tokio::spawn(
        server
            .post(&format!("{path}/actions"), &server.move_at(0, "b2"))
            .bearer(&table.tokens[0])
            .send(),
    );
    eventually("the move is being written", async || journal.held() == 1).await;
    let looks: Vec<_> = (0..3).map(|_| tokio::spawn(server.get(&path).send())).collect();
    server.until_metric("limited_total{code=\"table_mailbox\"}", 2).await;
    journal.release();
    moving.await.unwrap().of(200);
    let mut statuses = Vec::new();
    for look in looks {
        let answer = look.await.unwrap();
        assert!(answer.status == 200 || answer.problem(503) == "busy");
        statuses.push(answer.status);
    }
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 503, 503]);
}

#[tokio::test]
async fn the_number_of_spectators_is_limited() {
    let server = Setup::new().limit("spectators_per_table", 1).start().await;
    let table = server.table("tic-tac-toe").await;
    let mut socket = Socket::open(&server).await;
    let (channel, _) = socket.join_as_spectator(&table).await;
    let mut other = Socket::open(&server).await;
    let refusal = other.join(&topic(&table), json!({})).await.unwrap_err();
    assert_eq!(refusal["code"], "too_many");
    let stream = format!("/api/tables/{}/stream", table.id);
    refused(&server.get(&stream).send().await, 1..=1);
    assert_eq!(server.limited("spectators_per_table").await, 2);
    socket.leave(channel).await;
    other.join_as_spectator(&table).await;
}

#[tokio::test]
async fn one_address_has_at_most_half_of_the_spectators() {
    let server = Setup::new().behind_proxy().limit("spectators_per_table", 4).start().await;
    let table = server.table("tic-tac-toe").await;
    let open = async |address: &str| {
        let mut asked = request(server.address);
        asked.headers_mut().insert("x-forwarded-for", address.parse().unwrap());
        Socket::try_open(&server, asked).await.unwrap_or_else(|status| unreachable!("{status}"))
    };
    let mut near = [open("10.0.0.1").await, open("10.0.0.1").await, open("10.0.0.1").await];
    let stream = format!("/api/tables/{}/stream?from=3", table.id);
    let stream = |address| server.get(&stream).header("x-forwarded-for", address);
    let _lines = stream("10.0.0.1").lines().await;
    near[0].join_as_spectator(&table).await;
    let refusal = near[1].join(&topic(&table), json!({})).await.unwrap_err();
    assert_eq!(refusal["code"], "too_many");
    refused(&stream("10.0.0.1").send().await, 1..=1);
    near[2].join_seat(&table, 0).await;
    let _lines = stream("10.0.0.2").lines().await;
    open("10.0.0.2").await.join_as_spectator(&table).await;
}

#[tokio::test]
async fn spectators_never_keep_out_a_seat_holder() {
    let server = Setup::new().limit("spectators_per_table", 1).start().await;
    let table = server.table("tic-tac-toe").await;
    let mut eve = Socket::open(&server).await;
    eve.join_as_spectator(&table).await;
    let mut ada = Socket::open(&server).await;
    ada.join_seat(&table, 0).await;
    let stream = format!("/api/tables/{}/stream?from=3", table.id);
    let mut lines = server.get(&stream).bearer(&table.tokens[1]).lines().await;
    server.play(&table, 0, 0, "b2").await;
    for socket in [&mut eve, &mut ada] {
        assert_eq!(socket.entries().await, [(4, "played".to_owned())]);
    }
    assert_eq!(lines.next().await.unwrap()["version"], 4);
    let refusal = Socket::open(&server).await.join(&topic(&table), json!({})).await.unwrap_err();
    assert_eq!(refusal["code"], "too_many", "there is a place for only one spectator");
}

#[tokio::test]
async fn the_connections_of_a_seat_are_limited_and_the_oldest_is_dropped() {
    let server = Setup::new().limit("connections_per_seat", 2).start().await;
    let table = server.table("tic-tac-toe").await;
    let (mut first, mut second) = (Socket::open(&server).await, Socket::open(&server).await);
    let (oldest, _) = first.join_seat(&table, 0).await;
    second.join_seat(&table, 0).await;
    let mut bob = Socket::open(&server).await;
    bob.join_seat(&table, 1).await;
    let stream = format!("/api/tables/{}/stream?from=3", table.id);
    let mut lines = server.get(&stream).bearer(&table.tokens[0]).lines().await;
    first.failed(oldest).await;
    server.play(&table, 0, 0, "b2").await;
    for socket in [&mut second, &mut bob] {
        assert_eq!(
            socket.entries().await,
            [(4, "played".to_owned())],
            "these connections stay open"
        );
    }
    assert_eq!(lines.next().await.unwrap()["version"], 4);
    let mut others = [Socket::open(&server).await, Socket::open(&server).await];
    for other in &mut others {
        other.join_seat(&table, 0).await;
    }
    assert_eq!(lines.next().await, None, "the stream of a reader ends as well");
    assert_eq!(server.limited("connections_per_seat").await, 3);
}

#[tokio::test]
async fn the_number_of_tables_that_an_address_has_open_is_limited() {
    let server = Setup::new().behind_proxy().limit("channels_per_address", 2).start().await;
    let open = async |address: &str| {
        let mut asked = request(server.address);
        asked.headers_mut().insert("x-forwarded-for", address.parse().unwrap());
        Socket::try_open(&server, asked).await.unwrap_or_else(|status| unreachable!("{status}"))
    };
    let tables = [server.table("pig").await, server.table("pig").await, server.table("pig").await];
    let mut eve = open("10.0.0.66").await;
    let (first, _) = eve.join_as_spectator(&tables[0]).await;
    eve.join("lobby", json!({})).await.expect("the lobby is no table");
    let stream = |table: usize| {
        let stream = format!("/api/tables/{}/stream?from=3", tables[table].id);
        server.get(&stream).header("x-forwarded-for", "10.0.0.66")
    };
    let lines = stream(1).lines().await;
    let refusal = open("10.0.0.66").await.join(&topic(&tables[2]), json!({})).await.unwrap_err();
    assert_eq!(refusal["code"], "too_many");
    let why = text(&refusal["message"]);
    assert!(why.ends_with("Nothing has changed: leave some, and try again"), "{why}");
    refused(&stream(2).send().await, 1..=1);
    assert_eq!(server.limited("channels_per_address").await, 2);
    open("10.0.0.1").await.join_as_spectator(&tables[2]).await;
    eve.leave(first).await;
    let (second, _) = eve.join_as_spectator(&tables[2]).await;
    // A channel that the table refuses does not count for ever.
    eve.leave(second).await;
    for _ in 0..3 {
        let refusal = eve.join("table:AAAAAAAAAAAAAAAAAAAAAA", json!({})).await.unwrap_err();
        assert_eq!(refusal["code"], "no_table");
    }
    drop(lines);
    server.until_metric("connections", 1).await;
    eve.join_as_spectator(&tables[0]).await;
    eve.join_as_spectator(&tables[1]).await;
}

#[tokio::test]
async fn the_number_of_tables_in_memory_is_limited() {
    let server = Setup::new().limit("live_tables", 1).limit("table_idle", 50).start().await;
    let table = server.table("tic-tac-toe").await;
    let mut socket = Socket::open(&server).await;
    socket.join_as_spectator(&table).await;
    let other = server.create(&json!({"game": "pig"})).await;
    let path = format!("/api/tables/{}", text(&other["id"]));
    let answer = server.get(&path).send().await;
    assert_eq!(answer.problem(503), "busy");
    assert_eq!(server.limited("live_tables").await, 1);
    drop(socket);
    server.until_metric("live_tables", 0).await;
    server.get(&path).send().await.of(200);
}
