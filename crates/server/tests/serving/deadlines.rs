//! Clocks at tables that are not in memory.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use server::{Directory as _, MemoryJournal, Settings, SqliteJournal, TableId};
use tempfile::TempDir;

use crate::faulty_journal::FaultyJournal;
use crate::test_server::{Setup, Table, TestServer, eventually, pass};

const WEEK: Duration = Duration::from_hours(7 * 24);

/// A table whose first player has moved and whose second player has a week.
async fn begun_table(server: &TestServer) -> Table {
    let week = u64::try_from(WEEK.as_millis()).expect("a week is short");
    let wanted = json!({"game": "tic-tac-toe", "clock": {"per_move": week}});
    let table = server.table_as(wanted).await;
    server.play(&table, 0, 0, "b2").await;
    table
}

/// The kind and the cause of the last entry, read without loading the table.
async fn last_entry(journal: &dyn server::Journal, table: &Table) -> (String, Option<String>) {
    let id: TableId = table.id.parse().expect("it is an id");
    let tail = journal.read(id, 0, 100).await.expect("the journal answers");
    let last: Value = serde_json::to_value(tail.entries.last().expect("the log has entries"))
        .expect("an entry serializes");
    let text = |name: &str| last[name].as_str().map(str::to_owned);
    (text("kind").expect("an entry has a kind"), text("why"))
}

fn forfeited() -> (String, Option<String>) {
    ("forfeited".to_owned(), Some("out_of_time".to_owned()))
}

#[tokio::test]
async fn a_table_with_a_running_clock_is_evicted_and_timed_out_when_the_time_is_up() {
    let journal = Arc::new(MemoryJournal::new().unwrap());
    let server = Setup::on(&journal).limit("table_idle", 50).start().await;
    let table = begun_table(&server).await;
    server.until_metric("live_tables", 0).await;
    pass(WEEK.saturating_sub(Duration::from_secs(30))).await;
    // Whatever woke up has had its turn when the server answers.
    server.get("/healthz").send().await;
    assert_eq!(last_entry(&*journal, &table).await.0, "played", "the time is not up");
    pass(Duration::from_secs(31)).await;
    eventually("the round is forfeited", async || {
        last_entry(&*journal, &table).await == forfeited()
    })
    .await;
    server.until_metric("live_tables", 0).await;
    assert_eq!(journal.deadlines().await, Ok(Vec::new()), "no clock runs any more");
}

#[tokio::test]
async fn a_table_that_nobody_needs_leaves_memory_when_its_clock_has_run_out() {
    let journal = Arc::new(MemoryJournal::new().unwrap());
    let server = Setup::on(&journal).limit("table_idle", 60_000).start().await;
    let wanted = json!({"game": "tic-tac-toe", "clock": {"per_move": 25_000}});
    let table = server.table_as(wanted).await;
    server.play(&table, 0, 0, "b2").await;
    pass(Duration::from_secs(16)).await;
    server.get("/healthz").send().await;
    assert_eq!(server.metric("live_tables").await, 1, "its clock ends soon");
    pass(Duration::from_secs(10)).await;
    // Not later: nobody has asked for it.
    server.until_metric("live_tables", 0).await;
    assert_eq!(last_entry(&*journal, &table).await, forfeited());
}

#[tokio::test]
async fn a_move_moves_the_deadline() {
    let journal = Arc::new(MemoryJournal::new().unwrap());
    let server = Setup::on(&journal).limit("table_idle", 50).start().await;
    let table = begun_table(&server).await;
    server.until_metric("live_tables", 0).await;
    let first = journal.deadlines().await.unwrap()[0].0;
    pass(WEEK / 2).await;
    server.play(&table, 1, 1, "a1").await;
    server.until_metric("live_tables", 0).await;
    let second = journal.deadlines().await.unwrap()[0].0;
    assert!(second >= first + u64::try_from((WEEK / 2).as_millis()).unwrap(), "{first} {second}");
    pass(WEEK / 2 + Duration::from_mins(1)).await;
    server.get("/healthz").send().await;
    assert_eq!(last_entry(&*journal, &table).await.0, "played", "the other player has a week, too");
    pass(WEEK / 2).await;
    eventually("the round is forfeited", async || {
        last_entry(&*journal, &table).await == forfeited()
    })
    .await;
}

#[tokio::test]
async fn many_tables_are_timed_out_even_if_no_other_table_fits_into_memory() {
    let journal = Arc::new(MemoryJournal::new().unwrap());
    let tables = 250;
    let setup = Setup::on(&journal).limit("table_idle", 50).limit("live_tables", tables + 1);
    let server = setup.start().await;
    let mut all = Vec::new();
    for _ in 0..tables {
        all.push(begun_table(&server).await);
    }
    server.until_metric("live_tables", 0).await;
    let small = Setup::on(&journal).limit("live_tables", 0).later(WEEK * 2).start().await;
    for table in &all {
        eventually("every round is forfeited", async || {
            last_entry(&*journal, table).await == forfeited()
        })
        .await;
    }
    small.until_metric("live_tables", 0).await;
}

#[tokio::test]
async fn a_deadline_is_recorded_before_the_move_that_starts_the_clock() {
    let journal = FaultyJournal::new();
    let server = Setup::on(&journal).start().await;
    let wanted = json!({"game": "tic-tac-toe", "clock": {"per_side": 60_000}});
    let table = server.table_as(wanted).await;
    assert_eq!(journal.deadlines().await, Ok(Vec::new()));
    journal.hold();
    let moved = server.move_at(0, "b2");
    let path = format!("/api/tables/{}/actions", table.id);
    let moving = tokio::spawn(server.post(&path, &moved).bearer(&table.tokens[0]).send());
    eventually("the move is being written", async || journal.held() == 1).await;
    assert_eq!(journal.deadlines().await.unwrap().len(), 1);
    journal.release();
    moving.await.unwrap().of(200);
}

fn copy(from: &Path, to: &Path) {
    for file in fs::read_dir(from).expect("the folder can be read") {
        let file = file.expect("the folder can be read");
        fs::copy(file.path(), to.join(file.file_name())).expect("the file can be copied");
    }
}

#[tokio::test]
async fn a_clock_runs_out_after_a_power_cut() {
    let [before, after] = [TempDir::new().unwrap(), TempDir::new().unwrap()];
    let open = |folder: &TempDir| {
        Arc::new(SqliteJournal::open(folder.path(), &Settings::default()).unwrap().0)
    };
    let first = open(&before);
    let server = Setup::on(&first).start().await;
    let [table, quick] = [begun_table(&server).await, begun_table(&server).await];
    let round = json!({"id": "a:1", "action": "forfeit", "round": 1, "ply": 1});
    server.act(&quick, 1, &round).await.of(200);
    // The files as they are when the power fails.
    copy(before.path(), after.path());
    let second = open(&after);
    let early = Setup::on(&second).start().await;
    early.get("/healthz").send().await;
    assert_eq!(last_entry(&*second, &table).await.0, "played");
    let late = Setup::on(&second).later(WEEK + Duration::from_secs(1)).start().await;
    eventually("the round is forfeited", async || {
        last_entry(&*second, &table).await == forfeited()
    })
    .await;
    late.until_metric("live_tables", 0).await;
    eventually("no deadline is left", async || second.deadlines().await == Ok(Vec::new())).await;
    let resigned = ("forfeited".to_owned(), Some("resigned".to_owned()));
    assert_eq!(last_entry(&*second, &quick).await, resigned, "its clock had stopped");
}

#[tokio::test]
async fn a_server_that_cannot_load_another_table_is_not_ready() {
    let server = Setup::new().limit("live_tables", 1).start().await;
    assert_eq!(server.get("/readyz").send().await.status, 200);
    server.table("tic-tac-toe").await;
    let answer = server.get("/readyz").send().await;
    assert_eq!(answer.status, 503);
    assert!(answer.text.contains("No more tables fit into memory"), "{}", answer.text);
}
