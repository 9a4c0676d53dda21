//! Several servers on one journal.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use server::{Appended, Directory as _, Journal as _, Limits, MemoryJournal};
use table::{Author, Entry, EntryBody};

use crate::faulty_journal::{Fault, FaultyJournal};
use crate::shared_journal::{nodes, on_each_journal, on_each_journal_with};
use crate::socket::Socket;
use crate::test_server::{Setup, Table, TestServer, eventually, soon, text};

const DOCS: &str = include_str!("../../../../docs/cluster.md");

#[test]
fn the_docs_say_of_every_limit_how_several_servers_count_it() {
    let section = DOCS.split("\n## ").find(|section| section.starts_with("Limits"));
    let rows = section.expect("there are limits").lines().filter(|line| line.starts_with("| `"));
    let limits = rows.filter_map(|row| row.split('|').nth(1));
    let mut named: Vec<_> = limits.flat_map(|names| names.split('`').skip(1).step_by(2)).collect();
    let mut all: Vec<_> = Limits::ALL.iter().map(|(name, ..)| *name).collect();
    named.sort_unstable();
    all.sort_unstable();
    assert_eq!(named, all);
}

fn metas(list: &Value, key: &str) -> usize {
    list[key]["metas"].as_array().map_or(0, Vec::len)
}

#[tokio::test]
async fn players_on_two_servers_see_the_same_moves_in_the_same_order() {
    on_each_journal(async |[first, second]: [TestServer; 2]| {
        let table = first.table("tic-tac-toe").await;
        let (mut ada, mut bob) = (Socket::open(&first).await, Socket::open(&second).await);
        let (mine, _) = ada.join_seat(&table, 0).await;
        let (theirs, _) = bob.join_seat(&table, 1).await;
        for (ply, square) in (0..).zip(["b2", "a1", "c1", "a3", "a2"]) {
            let (player, channel) =
                if ply % 2 == 0 { (&mut ada, mine) } else { (&mut bob, theirs) };
            player.push(channel, "act", &first.move_at(ply, square)).await.unwrap();
            let version = 4 + u64::from(ply);
            for socket in [&mut ada, &mut bob] {
                assert_eq!(soon(socket.entries()).await, [(version, "played".to_owned())]);
            }
        }
        assert_eq!(first.log(&table.id).await, second.log(&table.id).await);
    })
    .await;
}

#[tokio::test]
async fn any_server_accepts_any_action_for_any_table() {
    let [first, second, third] = nodes().await;
    let table = first.table("tic-tac-toe").await;
    // Nobody is connected: each server has its own copy, and all but one are behind.
    let servers = [&second, &third, &first, &second, &third];
    for ((ply, square), server) in (0..).zip(["b2", "a1", "c1", "a3", "a2"]).zip(servers) {
        let seat = usize::from(ply % 2 == 1);
        let accepted = server.act(&table, seat, &first.move_at(ply, square)).await.of(200);
        assert_eq!(accepted["version"], 4 + u64::from(ply));
    }
}

#[tokio::test]
async fn the_same_move_at_three_servers_is_made_once() {
    on_each_journal(async |nodes: [TestServer; 3]| {
        let table = nodes[0].table("tic-tac-toe").await;
        let action = nodes[0].move_at(0, "b2");
        let sent = nodes.iter().map(|node| node.act(&table, 0, &action));
        for answer in futures_util::future::join_all(sent).await {
            assert_eq!(answer.of(200)["version"], 4, "every server knows the action by its id");
        }
        assert_eq!(nodes[2].log(&table.id).await.len(), 4);
    })
    .await;
}

#[tokio::test]
async fn a_seat_that_was_taken_at_one_server_is_known_at_the_other() {
    let journal = FaultyJournal::new();
    journal.share_silently();
    let (first, second) = (Setup::on(&journal).start().await, Setup::on(&journal).start().await);
    let created = first.create(&json!({"game": "tic-tac-toe", "name": "Ada"})).await;
    let path = format!("/api/tables/{}", text(&created["id"]));
    // The second server has the table in memory, and hears nothing of what happens at the first.
    second.get(&path).send().await.of(200);
    let joined = first.join(&text(&created["id"]), &json!({"name": "Bob"})).await.of(200);
    let token = text(&joined["token"]);
    assert_eq!(second.get(&path).bearer(&token).send().await.of(200)["seat"], 1);
    let stranger = table::Token::new([7; 16]).reveal();
    assert_eq!(second.get(&path).bearer(&stranger).send().await.problem(401), "bad_token");
}

#[tokio::test]
async fn a_server_that_is_behind_asks_for_connections_before_it_accepts_a_claim() {
    let journal = FaultyJournal::new();
    journal.share_silently();
    let (first, second) = (Setup::on(&journal).start().await, Setup::on(&journal).start().await);
    let table = first.table("tic-tac-toe").await;
    let mut bob = Socket::open(&first).await;
    bob.join_seat(&table, 1).await;
    // The first server hears nothing of this move.
    second.play(&table, 0, 0, "b2").await;
    let claim = json!({"id": "ada:1", "action": "claim", "seat": 1, "round": 1, "ply": 1});
    assert_eq!(first.act(&table, 0, &claim).await.problem(409), "not_absent");
    assert_eq!(soon(bob.entries()).await, [(4, "played".to_owned())]);
    let later = json!({"id": "ada:2", "action": "claim", "seat": 1, "round": 1, "ply": 3});
    assert_eq!(first.act(&table, 0, &later).await.problem(409), "early");
}

#[tokio::test]
async fn a_table_stays_with_its_players_while_the_journal_does_not_answer() {
    let journal = FaultyJournal::new();
    journal.share_silently();
    let server = Setup::on(&journal).start().await;
    let table = server.table("tic-tac-toe").await;
    let mut ada = Socket::open(&server).await;
    let (mine, _) = ada.join_seat(&table, 0).await;
    let action = server.move_at(0, "b2");
    journal.fail(Fault::Vanished);
    journal.fail_reads();
    let refused = ada.push(mine, "act", &action).await.expect_err("the journal does not answer");
    assert_eq!(refused["code"], "unavailable");
    let path = format!("/api/tables/{}", table.id);
    assert_eq!(server.get(&path).send().await.of(200)["version"], 3, "it can be looked at");
    assert!(!ada.has_received("phx_error"), "the player stays connected");
    journal.heal();
    ada.push(mine, "act", &action).await.expect("the journal answers again");
    assert_eq!(soon(ada.entries()).await, [(4, "played".to_owned())]);
}

#[tokio::test]
async fn a_computer_moves_once() {
    on_each_journal(async |nodes: [TestServer; 3]| {
        let created = nodes[0]
            .create(&json!({"game": "tic-tac-toe", "name": "Ada", "computers": [null, "perfect"]}))
            .await;
        let (id, token) = (text(&created["id"]), text(&created["token"]));
        let mut sockets = Vec::new();
        for node in &nodes {
            let mut socket = Socket::open(node).await;
            socket.join(&format!("table:{id}"), json!({"token": token})).await.unwrap();
            sockets.push(socket);
        }
        let path = format!("/api/tables/{id}/actions");
        nodes[1].post(&path, &nodes[1].move_at(0, "b2")).bearer(&token).send().await.of(200);
        for socket in &mut sockets {
            let mut seen = Vec::new();
            while seen.len() < 2 {
                seen.extend(soon(socket.entries()).await);
            }
            assert_eq!(seen, [(3, "played".to_owned()), (4, "played".to_owned())]);
        }
        // The others would answer after two seconds, if they did not know.
        tokio::time::sleep(Duration::from_millis(2_500)).await;
        assert_eq!(nodes[2].log(&id).await.len(), 4);
    })
    .await;
}

#[tokio::test]
async fn a_computer_moves_when_the_server_that_should_answer_is_dead() {
    let journal = Arc::new(MemoryJournal::shared().expect("the system has random bytes"));
    let server = Setup::on(&journal).start().await;
    let computers = json!({"game": "tic-tac-toe", "name": "Ada", "computers": [null, "perfect"]});
    let created = server.create(&computers).await;
    let (id, token) = (text(&created["id"]), text(&created["token"]));
    let mut ada = Socket::open(&server).await;
    ada.join(&format!("table:{id}"), json!({"token": token})).await.unwrap();
    // Another server has appended Ada's move, and nothing more is heard of it.
    let seat = game::Seat::FIRST;
    let chosen = "b2".parse().expect("a move is text");
    let body = EntryBody::Played { seat, round: 1, ply: 0, chosen, explanation: None };
    let entry = Entry::new(3, u64::MAX >> 20, Author::Seat(seat), body);
    let appended = journal.append(id.parse().expect("the id is valid"), 2, vec![entry]).await;
    assert_eq!(appended, Ok(Appended::Committed));
    let mut seen = Vec::new();
    while seen.len() < 2 {
        seen.extend(soon(ada.entries()).await);
    }
    assert_eq!(seen, [(3, "played".to_owned()), (4, "played".to_owned())]);
}

#[tokio::test]
async fn presence_and_emotes_reach_the_other_server() {
    on_each_journal(async |[first, second]: [TestServer; 2]| {
        let table = first.table("tic-tac-toe").await;
        let mut ada = Socket::open(&first).await;
        let (mine, _) = ada.join_seat(&table, 0).await;
        let mut bob = Socket::open(&second).await;
        bob.join_seat(&table, 1).await;
        assert_eq!(metas(&soon(ada.receive("presence_diff")).await["joins"], "1"), 1);
        assert_eq!(metas(&soon(bob.receive("presence_diff")).await["joins"], "0"), 1);
        ada.push_without_reply(mine, "emote", &json!({"emote": "good_luck"})).await;
        assert_eq!(soon(bob.receive("emote")).await, json!({"emote": "good_luck", "seat": 0}));
        drop(bob);
        assert_eq!(metas(&soon(ada.receive("presence_diff")).await["leaves"], "1"), 1);
    })
    .await;
}

/// An action that claims the round of the second player, who has to move.
fn claim(server: &TestServer) -> Value {
    json!({"id": server.action_id(), "action": "claim", "seat": 1, "round": 1, "ply": 1})
}

/// A table at which the first player has moved, and the second one has left.
async fn deserted(server: &TestServer) -> Table {
    let table = server.table("tic-tac-toe").await;
    server.play(&table, 0, 0, "b2").await;
    let leave = json!({"id": server.action_id(), "action": "leave", "version": 4});
    server.act(&table, 1, &leave).await.of(200);
    table
}

#[tokio::test]
async fn a_round_is_claimed_once_the_other_servers_were_asked_who_is_there() {
    on_each_journal(async |[first, second]: [TestServer; 2]| {
        let table = deserted(&first).await;
        let refused = second.act(&table, 0, &claim(&second)).await;
        assert_eq!(refused.problem(409), "not_absent", "the other server had no time to answer");
        let is_claimed = async || second.act(&table, 0, &claim(&second)).await.status == 200;
        eventually("the other server has told nothing for a while", is_claimed).await;
        // Now the player who has left is connected to the first server.
        let table = deserted(&first).await;
        let mut bob = Socket::open(&first).await;
        bob.join_seat(&table, 1).await;
        let refused = second.act(&table, 0, &claim(&second)).await;
        assert_eq!(refused.problem(409), "not_absent");
        tokio::time::sleep(Duration::from_millis(2_500)).await;
        let refused = second.act(&table, 0, &claim(&second)).await;
        assert!(refused.text.contains("The other player is connected"), "{}", refused.text);
    })
    .await;
}

#[tokio::test]
async fn no_round_is_claimed_at_a_server_whose_questions_do_not_reach_the_others() {
    let journal = FaultyJournal::new();
    journal.share_silently();
    let server = Setup::on(&journal).limit("claim_after", 1).start().await;
    let table = deserted(&server).await;
    crate::test_server::pass(Duration::from_mins(1)).await;
    let refused = server.act(&table, 0, &claim(&server)).await;
    assert_eq!(refused.problem(409), "not_absent");
    assert!(refused.text.contains("has to ask the others"), "{}", refused.text);
}

#[tokio::test]
async fn strangers_are_paired_across_servers() {
    on_each_journal(async |[first, second]: [TestServer; 2]| {
        let pair = async |server: &TestServer| {
            server.post("/api/pair", &json!({"game": "pig", "name": "Ada"})).send().await.of(200)
        };
        let (one, two) = (pair(&first).await, pair(&second).await);
        assert_eq!((&one["id"], &one["seat"]), (&two["id"], &json!(0)));
        assert_eq!(two["seat"], 1);
        let three = pair(&second).await;
        assert_ne!(three["id"], one["id"]);
        assert_eq!(pair(&first).await["id"], three["id"]);
    })
    .await;
}

#[tokio::test]
async fn players_who_come_at_once_are_paired_in_twos() {
    on_each_journal(async |nodes: [TestServer; 3]| {
        let pair = async |server: &TestServer| {
            server.post("/api/pair", &json!({"game": "pig", "name": "Ada"})).send().await.of(200)
        };
        let all =
            futures_util::future::join_all((0..6).map(|number| pair(&nodes[number % 3]))).await;
        let mut places: Vec<_> =
            all.iter().map(|taken| (text(&taken["id"]), taken["seat"].as_u64())).collect();
        places.sort();
        places.dedup();
        assert_eq!(places.len(), 6, "all seats differ");
        places.dedup_by_key(|(id, _)| id.clone());
        assert_eq!(places.len(), 3);
    })
    .await;
}

#[tokio::test]
async fn a_table_of_another_server_is_listed_until_it_is_full() {
    on_each_journal(async |[first, second]: [TestServer; 2]| {
        let created = first.create(&json!({"game": "pig", "name": "Ada", "listed": true})).await;
        let id = text(&created["id"]);
        let is_listed = async || {
            let listed = second.get("/api/tables").send().await.of(200);
            listed["tables"]
                .as_array()
                .is_some_and(|tables| tables.iter().any(|table| table["id"] == id))
        };
        eventually("the table is listed", is_listed).await;
        second.join(&id, &json!({"name": "Eve"})).await.of(200);
        eventually("the table is full", async || !is_listed().await).await;
    })
    .await;
}

#[tokio::test]
async fn a_code_of_one_server_is_found_at_the_other() {
    let [first, second] = nodes().await;
    let created = first.create(&json!({"game": "pig", "name": "Ada"})).await;
    let path = format!("/api/codes/{}", text(&created["code"]));
    assert_eq!(second.get(&path).send().await.of(200)["id"], created["id"]);
}

#[tokio::test]
async fn a_clock_runs_out_once() {
    let nodes: [TestServer; 3] = nodes().await;
    let created = nodes[0]
        .create(&json!({"game": "tic-tac-toe", "name": "Ada", "clock": {"per_move": 1000}}))
        .await;
    let id = text(&created["id"]);
    nodes[1].join(&id, &json!({"name": "Eve"})).await.of(200);
    let path = format!("/api/tables/{id}/actions");
    let token = text(&created["token"]);
    nodes[2].post(&path, &nodes[2].move_at(0, "b2")).bearer(&token).send().await.of(200);
    eventually("the time is up", async || nodes[0].log(&id).await.len() > 4).await;
    tokio::time::sleep(Duration::from_millis(2_500)).await;
    let log = nodes[1].log(&id).await;
    let ends = log.iter().filter(|entry| entry["kind"] == "forfeited").count();
    assert_eq!((log.len(), ends), (5, 1));
}

#[tokio::test]
async fn a_clock_runs_out_once_although_one_server_is_ahead() {
    on_each_journal_with([Duration::ZERO, Duration::from_secs(5)], async |[right, ahead]| {
        let clock = json!({"game": "tic-tac-toe", "clock": {"per_move": 2000}});
        let table = right.table_as(clock).await;
        let (mut ada, mut bob) = (Socket::open(&right).await, Socket::open(&ahead).await);
        ada.join_seat(&table, 0).await;
        bob.join_seat(&table, 1).await;
        right.play(&table, 0, 0, "b2").await;
        for socket in [&mut ada, &mut bob] {
            let mut seen = Vec::new();
            while seen.len() < 2 {
                seen.extend(soon(socket.entries()).await);
            }
            assert_eq!(seen, [(4, "played".to_owned()), (5, "forfeited".to_owned())]);
        }
        tokio::time::sleep(Duration::from_millis(2_500)).await;
        assert_eq!(right.log(&table.id).await.len(), 5);
        assert_eq!(right.log(&table.id).await, ahead.log(&table.id).await);
    })
    .await;
}

#[tokio::test]
async fn a_server_with_an_old_view_leaves_no_wrong_deadline_when_it_forgets_a_table() {
    let journal = FaultyJournal::new();
    journal.share_silently();
    let (first, second) = (Setup::on(&journal).start().await, Setup::on(&journal).start().await);
    let clock = json!({"game": "tic-tac-toe", "clock": {"per_move": 600_000}});
    let table = first.table_as(clock).await;
    let mut bob = Socket::open(&second).await;
    bob.join_seat(&table, 1).await;
    // The first server does not hear of the move, which starts the clock.
    second.play(&table, 0, 0, "b2").await;
    let recorded = journal.deadlines().await.expect("the journal answers");
    assert_eq!(recorded.len(), 1);
    crate::test_server::pass(Duration::from_mins(2)).await;
    first.until_metric("live_tables", 0).await;
    let after = journal.deadlines().await.expect("the journal answers");
    assert_eq!(after.len(), 1, "the clock still runs");
    drop(bob);
}

#[tokio::test]
async fn a_table_that_is_deleted_at_one_server_is_gone_at_the_other() {
    let [first, second] = nodes().await;
    let table = first.table("tic-tac-toe").await;
    let mut ada = Socket::open(&second).await;
    ada.join_seat(&table, 0).await;
    let path = format!("/journal/tables/{}", table.id);
    first.admin_ask("DELETE", &path).bearer(crate::test_server::ADMIN_TOKEN).send().await.of(200);
    eventually("the other server has noticed", async || {
        let gone = second.get(&format!("/api/tables/{}", table.id)).send().await;
        gone.status == 404
    })
    .await;
}
