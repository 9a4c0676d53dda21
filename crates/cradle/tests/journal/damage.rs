//! Verifying journals that are not as they should be.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::Path;

use serde_json::json;
use tempfile::TempDir;

use crate::command::{Done, on};
use crate::journal_server::{JournalServer, PlayedTable};

/// A folder with two tables that were played.
fn played() -> (TempDir, [PlayedTable; 2]) {
    let folder = TempDir::new().expect("a temporary folder can be created");
    let server = JournalServer::start(folder.path());
    let tables = [server.played(5), server.played(9)];
    server.stop();
    (folder, tables)
}

/// Changes the file by SQL, which leaves its pages whole.
fn change(folder: &Path, sql: &str) {
    let file = rusqlite::Connection::open(folder.join("journal.sqlite"));
    file.and_then(|file| file.execute_batch(sql)).expect("the file can be changed");
}

#[track_caller]
fn check(sql: &str, expected: &str) {
    let (folder, _) = played();
    let fine = on(folder.path(), &["verify"]).fine();
    assert_eq!(fine, "2 tables with 20 entries: nothing is wrong.\n", "before the damage");
    change(folder.path(), sql);
    for _ in 0..2 {
        let Done { code, out, err } = on(folder.path(), &["verify"]);
        assert_eq!(code, Some(1), "{out}{err}");
        assert!(out.contains(expected), "{expected} is not in {out}");
    }
}

#[test]
fn a_changed_entry_is_found() {
    check(
        "UPDATE entries SET line = replace(line, 'b2', 'c3') WHERE version = 4 AND number = 1",
        "Its log is damaged: entry 4 is missing or was changed after it had been written.",
    );
}

#[test]
fn a_missing_entry_is_found() {
    check("DELETE FROM entries WHERE version = 6 AND number = 2", "entry 6 is missing");
    check("DELETE FROM entries WHERE version = 8 AND number = 1", "entry 8 is missing");
}

#[test]
fn a_record_without_a_log_is_found() {
    check(
        "INSERT INTO directory (id, code, game, is_listed, created_at, free_seats, status)
         VALUES (zeroblob(16), 'x', 'pig', 0, 0, 0, 0)",
        "Table AAAAAAAAAAAAAAAAAAAAAA: It is in the directory, but has no log.",
    );
}

#[test]
fn a_record_that_contradicts_its_log_is_found() {
    check(
        "UPDATE directory SET game = 'pig' WHERE place = 1",
        "The directory says that its game is pig, and its log says tic-tac-toe.",
    );
    check("DELETE FROM directory WHERE place = 1", "It is not in the directory");
}

#[test]
fn a_key_of_another_installation_is_found() {
    let (other, _) = played();
    let sql = format!(
        "ATTACH '{}' AS other; UPDATE facts SET value = (SELECT value FROM other.facts WHERE name = 'key')
         WHERE name LIKE 'key%'",
        other.path().join("journal.sqlite").display()
    );
    check(&sql, "It was created with another key");
}

#[test]
fn a_missing_key_is_found_and_not_replaced() {
    check("DELETE FROM facts WHERE name LIKE 'key%'", "its key is missing");
}

/// All files of a folder that a server or its next start would look at, and what is in them.
fn files(folder: &Path) -> BTreeMap<OsString, Vec<u8>> {
    let entries = fs::read_dir(folder).expect("the folder can be read").flatten();
    let content = |path| fs::read(path).expect("a file can be read");
    let whole = entries.map(|entry| (entry.file_name(), content(entry.path())));
    // SQLite makes these two while it reads, and they hold nothing.
    let is_lasting = |(name, content): &(OsString, Vec<u8>)| {
        !(name == "journal.sqlite-shm" || (name == "journal.sqlite-wal" && content.is_empty()))
    };
    whole.filter(is_lasting).collect()
}

/// Checks that commands that only read refuse a damaged journal and leave it as it was.
#[track_caller]
fn check_refusal(damage: impl FnOnce(&Path), commands: &[&[&str]], expected: &str) {
    let (folder, _) = played();
    damage(folder.path());
    let before = files(folder.path());
    let elsewhere = TempDir::new().expect("a temporary folder can be created");
    let copy = elsewhere.path().join("copy");
    for command in commands {
        let mut command = command.to_vec();
        if command == ["copy"] {
            command.push(copy.to_str().expect("the path is text"));
        }
        on(folder.path(), &command).refused(3, expected);
        assert!(!copy.exists(), "{command:?} leaves half a copy");
        assert!(files(folder.path()) == before, "{command:?} changes the folder");
    }
}

/// Overwrites a page of the file.
fn overwrite(folder: &Path, page: u64) {
    let mut file = fs::OpenOptions::new()
        .write(true)
        .open(folder.join("journal.sqlite"))
        .expect("the file can be opened");
    let written =
        file.seek(SeekFrom::Start(4096 * page)).and_then(|_| file.write_all(&[0xa5; 4096]));
    written.expect("the file can be written");
}

const READING: [&[&str]; 3] = [&["list"], &["export", "--all"], &["copy"]];

#[test]
fn commands_that_only_read_refuse_a_malformed_file_and_leave_it_alone() {
    // The first page has the schema, the second one the key.
    check_refusal(|folder| overwrite(folder, 1), &READING, "start a server on the folder");
    check_refusal(
        |folder| change(folder, "DELETE FROM facts WHERE name LIKE 'key%'"),
        &READING,
        "its key is missing",
    );
    // The others are noticed when they are read.
    let pages = |folder: &Path| (2..12).for_each(|page| overwrite(folder, page));
    check_refusal(pages, &READING, "Nothing was changed: put back a backup");
}

#[test]
fn a_journal_that_was_not_closed_is_read_and_not_changed() {
    let folder = TempDir::new().unwrap();
    let server = JournalServer::start(folder.path());
    let table = server.played(5);
    drop(server);
    let before = files(folder.path());
    assert!(before.contains_key(&OsString::from("journal.sqlite-wal")), "moves are in it");
    assert!(on(folder.path(), &["list"]).fine().contains(&table.id));
    assert!(on(folder.path(), &["show", &table.id]).fine().contains("8 entries"));
    assert!(files(folder.path()) == before);
    // A server finds that it was not closed.
    assert!(!folder.path().join("journal.closed").exists());
    let server = JournalServer::start(folder.path());
    assert_eq!(server.version(&table), Some(table.entries()));
}

#[test]
fn a_malformed_file_is_found_and_left_alone() {
    let (folder, _) = played();
    let path = folder.path().join("journal.sqlite");
    overwrite(folder.path(), 1);
    let before = fs::read(&path).unwrap();
    let found = on(folder.path(), &["verify", "--json"]);
    assert_eq!(found.code, Some(1));
    let what = found.json()["findings"][0]["what"].as_str().unwrap().to_owned();
    assert!(what.starts_with("The file is malformed"), "{what}");
    assert_eq!(fs::read(&path).unwrap(), before);
    assert!(!folder.path().join("journal-damaged-1.sqlite").exists());
}

#[test]
fn a_log_that_breaks_the_rules_is_found() {
    let (folder, [table, _]) = played();
    // The export has no hashes: a move is changed to one that was made before.
    let path = folder.path().join("all.jsonl");
    let exported = on(folder.path(), &["export", "--all", "--with-key"]).fine();
    let mut lines: Vec<String> = exported.lines().map(str::to_owned).collect();
    let start = lines.iter().position(|line| line.contains(&table.id)).unwrap();
    assert!(lines[start + 6].contains("\"c1\""), "{}", lines[start + 6]);
    lines[start + 6] = lines[start + 6].replace("\"c1\"", "\"b2\"");
    fs::write(&path, lines.join("\n")).unwrap();
    let copy = folder.path().join("copy");
    let both = [path.to_str().unwrap(), copy.to_str().unwrap()];
    crate::command::run(&["copy", both[0], both[1]]).fine();
    let found = on(&copy, &["verify", "--json"]);
    assert_eq!(found.code, Some(1));
    let found = found.json();
    assert_eq!(found["findings"].as_array().unwrap().len(), 1);
    assert_eq!(found["findings"][0]["table"], json!(table.id));
    let what = found["findings"][0]["what"].as_str().unwrap();
    assert!(what.starts_with("Its log does not follow the rules: "), "{what}");
}
