//! Deleting tables, and returning their space.

use std::process::Stdio;

use serde_json::json;
use tempfile::TempDir;

use crate::command::{command, on, through};
use crate::journal_server::JournalServer;

#[test]
fn a_deleted_table_is_gone_for_its_players_and_the_others_are_not() {
    let folder = TempDir::new().unwrap();
    let server = JournalServer::start(folder.path());
    let (mut doomed, mut kept) = (server.played(2), server.played(2));
    let deleted = through(&server, &["delete", "--yes", "--json", &doomed.id]).json();
    assert_eq!(deleted, json!({"deleted": 1, "missing": [], "touched": []}));
    assert_eq!(server.version(&doomed), None);
    assert_eq!(server.play(&mut doomed), 404, "no new table began");
    assert_eq!(server.version(&doomed), None);
    let (status, _) = server.ask("GET", &format!("/api/codes/{}", doomed.code), "", None);
    assert_eq!(status, 404);
    assert_eq!((server.play(&mut kept), server.version(&kept)), (200, Some(kept.entries())));
    let again = through(&server, &["delete", "--yes", &doomed.id]);
    assert_eq!(again.code, Some(1));
    assert!(again.out.contains("There is no table"), "{again:?}");
    server.stop();
    assert!(!on(folder.path(), &["list"]).fine().contains(&doomed.id));
    assert!(on(folder.path(), &["verify"]).fine().contains("nothing is wrong"));
}

#[test]
fn somebody_who_is_not_asked_must_say_yes() {
    let folder = TempDir::new().unwrap();
    let server = JournalServer::start(folder.path());
    let table = server.played(1);
    server.stop();
    let mut unsure = command(&["delete", &table.id, "--data"]);
    let unsure = unsure.arg(folder.path()).stdin(Stdio::null()).output().unwrap();
    assert_eq!(unsure.status.code(), Some(2));
    let words = String::from_utf8(unsure.stderr).unwrap();
    assert!(words.contains("say --yes. Nothing was deleted"), "{words}");
    assert!(on(folder.path(), &["list"]).fine().contains(&table.id));
}

#[test]
fn only_old_tables_are_deleted_by_age() {
    let folder = TempDir::new().unwrap();
    let server = JournalServer::start(folder.path());
    let table = server.played(1);
    let old = through(&server, &["delete", "--older-than", "1h", "--yes"]).fine();
    assert_eq!(old, "0 tables were deleted.\n");
    let other = through(&server, &["delete", "--older-than", "0m", "--game", "pig", "--yes"]);
    assert_eq!(other.fine(), "0 tables were deleted.\n");
    std::thread::sleep(std::time::Duration::from_millis(2));
    let all = through(&server, &["delete", "--older-than", "0m", "--yes"]).fine();
    assert_eq!(all, "1 table was deleted.\n");
    assert_eq!(server.version(&table), None);
}

#[test]
fn compacting_and_verifying_lose_nothing_of_what_is_being_played() {
    let folder = TempDir::new().unwrap();
    let server = JournalServer::start(folder.path());
    let mut table = server.played(0);
    let others: Vec<_> = (0..150).map(|_| server.table("tic-tac-toe").id).collect();
    let others: Vec<_> = others.iter().map(String::as_str).collect();
    through(&server, &[&["delete", "--yes"], others.as_slice()].concat()).fine();
    for round in 0..9 {
        assert_eq!(server.play(&mut table), 200);
        if round % 2 == 0 {
            let size = through(&server, &["compact", "--json"]).json();
            assert!(size["after"].as_u64() <= size["before"].as_u64(), "{size}");
        } else {
            let verified = through(&server, &["verify"]).fine();
            assert!(verified.contains("nothing is wrong"), "{verified}");
        }
        assert_eq!(server.version(&table), Some(table.entries()));
    }
    let (before, after) = (folder.path().join("journal.sqlite"), "The journal had");
    assert!(before.exists());
    server.stop();
    assert!(on(folder.path(), &["compact"]).fine().starts_with(after));
    let verified = on(folder.path(), &["verify", "--json"]).json();
    assert_eq!(verified, json!({"tables": 1, "entries": 12, "findings": []}));
}
