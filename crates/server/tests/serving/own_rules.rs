//! Tables whose rules a player wrote.

use std::sync::Arc;
use std::time::Duration;

use game::DeclaredGame;
use games::catalog;
use serde_json::{Value, json};
use server::{Catalog, Journal, MAX_RULES_BYTES, MemoryJournal, RulesAuthor, RulesDigest};

use crate::gated_games::{LongWalk, ThreadNotes};
use crate::http::TestResponse;
use crate::socket::Socket;
use crate::test_server::{Setup, TestServer, pass, text};

/// The games of Cat's Cradle, and a walk for every text that begins with `game`.
#[derive(Debug)]
pub(crate) struct WalkingTexts;

impl Catalog for WalkingTexts {
    fn declared(&self, name: &str) -> Result<DeclaredGame, String> {
        if name == "offered" {
            let game = DeclaredGame::of(LongWalk::short(name.to_owned()), Ok(4));
            return Ok(game.with_summary(Some("A short walk".to_owned()), Some((3, 1))));
        }
        catalog::declared(name).map_err(|error| error.to_string())
    }

    fn names(&self) -> Vec<String> {
        let listed = catalog::CATALOG.iter().map(|listed| listed.example.to_owned());
        listed.chain(["offered".to_owned()]).collect()
    }

    fn read(&self, text: &str, author: RulesAuthor) -> Result<DeclaredGame, String> {
        assert_eq!(author, RulesAuthor::Player);
        let Some(name) = text.strip_prefix("game ") else {
            return Err("rules:1:1: expected `game`\n  gmae walk\n  ^^^^".to_owned());
        };
        Ok(DeclaredGame::of(LongWalk::short(RulesDigest::of(text).name(name)), Ok(4)))
    }
}

/// The same, whose steps are slow and noted.
#[derive(Clone, Debug, Default)]
struct NotedTexts {
    pause: Duration,
    notes: ThreadNotes,
}

impl NotedTexts {
    fn walk(&self, name: String) -> LongWalk {
        LongWalk::noted(name, self.pause, ThreadNotes::clone(&self.notes))
    }

    /// The threads on which steps were made since the last call.
    fn threads(&self) -> Vec<String> {
        std::mem::take(&mut *self.notes.lock().expect("no thread has panicked"))
    }
}

impl Catalog for NotedTexts {
    fn declared(&self, name: &str) -> Result<DeclaredGame, String> {
        match name {
            "offered" => Ok(DeclaredGame::of(self.walk(name.to_owned()), Ok(4))),
            _ => WalkingTexts.declared(name),
        }
    }

    fn names(&self) -> Vec<String> {
        WalkingTexts.names()
    }

    fn read(&self, text: &str, _: RulesAuthor) -> Result<DeclaredGame, String> {
        Ok(DeclaredGame::of(self.walk(RulesDigest::of(text).name("walk")), Ok(4)))
    }
}

const WALK: &str = "game walk";

fn setup() -> Setup {
    Setup::new().catalog(WalkingTexts)
}

async fn bring(server: &TestServer, wanted: Value) -> TestResponse {
    server.post("/api/tables", &wanted).send().await
}

#[tokio::test]
async fn a_table_is_played_by_the_rules_that_its_creator_brings() {
    let server = setup().start().await;
    let table = server.table_as(json!({"rules": WALK})).await;
    let name = RulesDigest::of(WALK).name("walk");
    let seen = server.get(&format!("/api/tables/{}", table.id)).send().await.of(200);
    assert_eq!((&seen["view"]["game"], &seen["view"]["own_rules"]), (&json!(name), &json!(true)));
    let rules = server.get(&format!("/api/tables/{}/rules", table.id)).send().await.of(200);
    assert_eq!(rules, json!({"game": name, "own_rules": true, "text": WALK}));
    assert_eq!(server.log(&table.id).await[0]["options"], json!({"own_rules": true}));
    server.play(&table, 0, 0, "step").await;
    server.play(&table, 1, 1, "step").await;
    assert_eq!(server.metric("created_tables_total").await, 1);
    let listed = server.get("/api/tables?status=playing").send().await.of(200);
    assert_eq!(listed["tables"], json!([]), "it is private");
    let pair = json!({"game": name, "name": "Eve"});
    let refused = server.post("/api/pair", &pair).send().await;
    assert_eq!(refused.problem(400), "bad_request", "strangers are not paired by it");
    let again = json!({"game": name});
    assert_eq!(bring(&server, again).await.problem(400), "bad_request", "rules are brought");
}

#[tokio::test]
async fn other_tables_do_not_say_that_somebody_wrote_their_rules() {
    let server = setup().start().await;
    let table = server.table("tic-tac-toe").await;
    let seen = server.get(&format!("/api/tables/{}", table.id)).send().await.of(200);
    assert_eq!(seen["view"].get("own_rules"), None);
    let rules = server.get(&format!("/api/tables/{}/rules", table.id)).send().await;
    assert_eq!(rules.problem(404), "not_found");
    let unknown = server.get("/api/tables/AAAAAAAAAAAAAAAAAAAAAA/rules").send().await;
    assert_eq!(unknown.problem(404), "no_table");
}

#[tokio::test]
async fn clients_are_sent_the_table_after_each_entry_because_they_do_not_know_the_rules() {
    let server = setup().start().await;
    for (wanted, first, has_view) in
        [(json!({"rules": WALK}), "step", true), (json!({"game": "tic-tac-toe"}), "b2", false)]
    {
        let table = server.table_as(wanted).await;
        let mut ada = Socket::open(&server).await;
        ada.join_seat(&table, 0).await;
        server.play(&table, 0, 0, first).await;
        let entries = ada.receive("entries").await;
        assert_eq!(entries["view"]["ply"], if has_view { json!(1) } else { Value::Null });
    }
}

#[tokio::test]
async fn rules_that_cannot_be_played_are_refused_with_their_mistakes() {
    let server = setup().start().await;
    let refused = bring(&server, json!({"rules": "gmae walk"})).await;
    assert_eq!(refused.problem(422), "bad_rules");
    let message = text(&refused.json()["detail"]);
    assert!(
        message.contains("rules:1:1: expected `game`") && message.contains("^^^^"),
        "{message}"
    );
    let long = format!("game {}", "x".repeat(MAX_RULES_BYTES - 4));
    let refused = bring(&server, json!({"rules": long})).await;
    assert_eq!(refused.problem(422), "bad_rules");
    assert!(refused.text.contains("at most 65536 bytes"), "{}", refused.text);
    let lines = format!("game walk{}", "\n".repeat(3 * MAX_RULES_BYTES));
    assert_eq!(bring(&server, json!({"rules": lines})).await.problem(413), "bad_request");
    let named = format!("game {}", "x".repeat(200));
    assert_eq!(bring(&server, json!({"rules": named})).await.problem(422), "bad_rules");
    for wrong in
        [json!({"game": "tic-tac-toe", "rules": WALK}), json!({"rules": WALK, "listed": true})]
    {
        assert_eq!(bring(&server, wrong).await.problem(400), "bad_request");
    }
    let body = json!({"rules": "game walk", "name": "Ada", "computers": ["moon"]});
    assert_eq!(bring(&server, body).await.problem(400), "bad_request");
    assert_eq!(server.metric("created_tables_total").await, 0);
}

#[tokio::test]
async fn an_operator_can_switch_rules_of_players_off() {
    for (limit, is_on) in [(0, false), (1, true)] {
        let server = setup().limit("own_rules_per_minute", limit).start().await;
        let games = server.get("/api/games").send().await.of(200);
        assert_eq!(games["own_rules"], is_on);
        let answer = bring(&server, json!({"rules": WALK})).await;
        if is_on {
            answer.of(201);
        } else {
            assert_eq!(answer.problem(403), "no_own_rules");
        }
    }
}

#[tokio::test]
pub(crate) async fn few_tables_with_own_rules_are_created() {
    let of_one = setup().limit("own_rules_per_minute", 1).limit("own_rules_at_once", 2);
    let of_all = setup().limit("all_own_rules_per_minute", 2);
    for (setup, limit) in [(of_one, "own_rules_per_minute"), (of_all, "all_own_rules_per_minute")] {
        let server = setup.start().await;
        for number in 0..2 {
            bring(&server, json!({"rules": format!("game walk{number}")})).await.of(201);
        }
        assert_eq!(bring(&server, json!({"rules": WALK})).await.problem(429), "too_many");
        assert_eq!(server.limited(limit).await, 1);
        bring(&server, json!({"game": "tic-tac-toe"})).await.of(201);
        pass(Duration::from_secs(61)).await;
        bring(&server, json!({"rules": WALK})).await.of(201);
    }
}

#[tokio::test]
async fn actions_by_own_rules_are_paid_for() {
    let server = setup().limit("work_at_once", 500).limit("work_per_second", 1).start().await;
    let other = server.table("tic-tac-toe").await;
    let table = server.table_as(json!({"rules": WALK})).await;
    let mut refused = 0;
    for _ in 0..300 {
        let answer = server.act(&table, 0, &server.move_at(7, "step")).await;
        refused += u32::from(answer.status == 429);
    }
    assert!((100..250).contains(&refused), "{refused} of 300 actions were refused");
    server.play(&other, 0, 0, "b2").await;
}

#[tokio::test]
async fn rules_of_players_run_on_workers_and_never_where_requests_are_answered() {
    let texts = NotedTexts::default();
    for (wanted, is_of_player) in
        [(json!({"rules": WALK}), true), (json!({"game": "offered"}), false)]
    {
        let journal = Arc::new(MemoryJournal::new().unwrap());
        let server = Setup::on(&journal).catalog(texts.clone()).start().await;
        let table = server.table_as(wanted).await;
        let mut ada = Socket::open(&server).await;
        ada.join_seat(&table, 0).await;
        server.play(&table, 0, 0, "step").await;
        server.play(&table, 1, 1, "step").await;
        assert_eq!(server.act(&table, 0, &server.move_at(0, "step")).await.problem(409), "stale");
        ada.receive("entries").await;
        let threads = texts.threads();
        assert_eq!(threads.len(), 2, "each move is played once: {threads:?}");
        // Another server reads the log, and plays it again.
        let other = Setup::on(&journal).catalog(texts.clone()).start().await;
        other.get(&format!("/api/tables/{}", table.id)).send().await.of(200);
        let again = texts.threads();
        assert_eq!(again.len(), 2, "{again:?}");
        let is_worker = |thread: &String| thread.starts_with("cradle-work-");
        assert_eq!(threads.iter().chain(&again).all(is_worker), is_of_player);
        assert_eq!(threads.iter().chain(&again).any(is_worker), is_of_player);
    }
}

#[tokio::test]
async fn a_round_is_played_again_for_a_takeback_on_a_worker() {
    let texts = NotedTexts::default();
    let server = Setup::new().catalog(texts.clone()).start().await;
    for wanted in [json!({"rules": WALK}), json!({"game": "offered"})] {
        let table = server.table_as(wanted).await;
        server.play(&table, 0, 0, "step").await;
        server.play(&table, 1, 1, "step").await;
        texts.threads();
        for (seat, action) in [(1, "ask_takeback"), (0, "grant_takeback")] {
            let id = server.action_id();
            let wanted = json!({"id": id, "action": action, "round": 1, "ply": 2});
            server.act(&table, seat, &wanted).await.of(200);
        }
        let threads = texts.threads();
        assert_eq!(threads.len(), 1, "one move stays, and is played once: {threads:?}");
        assert!(threads[0].starts_with("cradle-work-"), "{threads:?}");
    }
}

#[tokio::test]
async fn a_slow_move_by_own_rules_delays_no_other_table() {
    let texts = NotedTexts { pause: Duration::from_secs(2), ..NotedTexts::default() };
    let server = setup().catalog(texts).start().await;
    let (other, slow) =
        (server.table("tic-tac-toe").await, server.table_as(json!({"rules": WALK})).await);
    let path = format!("/api/tables/{}/actions", slow.id);
    let step = server.post(&path, &server.move_at(0, "step")).bearer(&slow.tokens[0]);
    let step = tokio::spawn(step.send());
    server.until_metric("work_busy_workers", 1).await;
    server.play(&other, 0, 0, "b2").await;
    assert!(!step.is_finished(), "the slow move is still being played");
    step.await.unwrap().of(200);
}

#[tokio::test]
async fn refusals_by_own_rules_are_counted_under_one_name() {
    let server = setup().start().await;
    for (wanted, code) in
        [(json!({"rules": WALK}), "own_rules"), (json!({"game": "tic-tac-toe"}), "stale")]
    {
        let table = server.table_as(wanted).await;
        let refused = json!({"id": server.action_id(), "action": "play", "round": 0, "ply": 0,
            "move": if code == "stale" { "b2" } else { "step" }});
        assert_eq!(server.act(&table, 0, &refused).await.problem(409), "stale");
        let counted = format!("actions_refused_total{{code=\"{code}\"}}");
        assert_eq!(server.metric(&counted).await, 1, "{code}");
    }
}

#[tokio::test]
async fn a_table_keeps_its_rules_in_the_journal_until_it_is_deleted() {
    let journal = Arc::new(MemoryJournal::new().unwrap());
    let server = Setup::on(&journal).catalog(WalkingTexts).start().await;
    let table = server.table_as(json!({"rules": WALK})).await;
    server.play(&table, 0, 0, "step").await;
    let digest = RulesDigest::of(WALK);
    assert_eq!(journal.rules(digest).await.unwrap().as_deref(), Some(WALK));
    // Another server, which has never seen the text.
    let other = Setup::on(&journal).catalog(WalkingTexts).limit("own_rules_per_minute", 0);
    let other = other.start().await;
    let step = json!({"id": "other:1", "action": "play", "round": 1, "ply": 1, "move": "step"});
    other.act(&table, 1, &step).await.of(200);
    let path = format!("/journal/tables/{}", table.id);
    let token = crate::test_server::ADMIN_TOKEN;
    other.admin_ask("DELETE", &path).bearer(token).send().await.of(200);
    assert_eq!(journal.rules(digest).await, Ok(None));
    let gone = other.get(&format!("/api/tables/{}/rules", table.id)).send().await;
    assert_eq!(gone.problem(404), "no_table");
    tokio::time::timeout(Duration::from_secs(10), server.stopped()).await.unwrap().unwrap();
}
