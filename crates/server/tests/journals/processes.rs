//! The journal in a file, with a second process.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use server::{Appended, DeleteOutcome, Journal, PreviousStop, Settings, SqliteJournal, TableId};
use tempfile::TempDir;

use crate::fixtures::{FileJournal, entries, entry, log, table};

/// The variable that names the folder of the second process.
const FOLDER: &str = "CRADLE_TEST_FOLDER";

/// Runs one of these tests in a second process, where it does its other half.
fn second_process(test: &str, folder: &Path) -> Child {
    let program = std::env::current_exe().expect("a test has a program");
    let mut command = Command::new(program);
    command.args(["--exact", test, "--nocapture", "--test-threads", "1"]).env(FOLDER, folder);
    command.stdout(Stdio::piped()).spawn().expect("the process starts")
}

/// The lines that a second process prints for us.
fn printed(process: &mut Child) -> impl Iterator<Item = String> + use<> {
    let output = process.stdout.take().expect("the output is piped");
    let lines = BufReader::new(output).lines().map(|line| line.expect("the process prints UTF-8"));
    lines.filter_map(|line| line.strip_prefix("SAYS ").map(str::to_owned))
}

#[test]
fn a_second_process_cannot_use_the_folder() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        let refusal = SqliteJournal::open(folder.as_ref(), &Settings::default()).unwrap_err();
        println!("\nSAYS {refusal}");
        return;
    }
    let first = FileJournal::new();
    let path = first.folder.path();
    let mut second = second_process("processes::a_second_process_cannot_use_the_folder", path);
    let printed: Vec<_> = printed(&mut second).collect();
    let refusal = format!("{} is in use: another server keeps its journal there", path.display());
    assert!(second.wait().unwrap().success());
    assert_eq!(printed, [refusal]);
}

#[tokio::test]
async fn what_was_acknowledged_outlives_a_killed_process() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        let (journal, _) = SqliteJournal::open(folder.as_ref(), &Settings::default()).unwrap();
        // More than the first process waits for before it kills this one.
        for version in 1..1_000_000 {
            let appended = journal.append(table(1), version - 1, vec![entry(version, 0)]).await;
            assert_eq!(appended, Ok(Appended::Committed));
            println!("\nSAYS {version}");
        }
        return;
    }
    let folder = TempDir::new().unwrap();
    let name = "processes::what_was_acknowledged_outlives_a_killed_process";
    let mut second = second_process(name, folder.path());
    let mut acknowledged = printed(&mut second);
    assert_eq!(acknowledged.by_ref().take(200).count(), 200);
    second.kill().unwrap();
    // The last line may be incomplete.
    let last = acknowledged.filter_map(|version| version.parse().ok()).max().unwrap_or(200);
    second.wait().unwrap();
    let (subject, report) = FileJournal::within(folder);
    assert_eq!(report.previous_stop, PreviousStop::Unclean);
    let log = log(&*subject.journal, table(1)).await;
    assert!(log.len() as u64 >= last);
    assert_eq!(log, entries(1..=log.len() as u64));
}

/// The last version of each table that the second process may have compacted or deleted.
const LENGTH: u64 = 400;

#[tokio::test]
async fn what_was_acknowledged_outlives_a_process_that_is_killed_while_it_compacts_and_deletes() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        let (journal, _) = SqliteJournal::open(folder.as_ref(), &Settings::default()).unwrap();
        for version in 1..1_000_000 {
            let appended = journal.append(table(1), version - 1, vec![entry(version, 0)]).await;
            assert_eq!(appended, Ok(Appended::Committed));
            println!("\nSAYS {version}");
            let other = TableId::random().unwrap();
            let appended = journal.append(other, 0, entries(1..=LENGTH)).await;
            assert_eq!(appended, Ok(Appended::Committed));
            journal.compact().await.unwrap();
            let deleted = journal.delete(other, LENGTH).await;
            assert_eq!(deleted, Ok(DeleteOutcome::Deleted));
        }
        return;
    }
    let name = "processes::what_was_acknowledged_outlives_a_process_that_is_killed_while_it_compacts_and_deletes";
    let mut folder = TempDir::new().unwrap();
    let mut known = 0;
    // It is killed at another moment of its work each time.
    for lines in [3, 1, 2, 4, 1, 3, 2, 1] {
        let mut second = second_process(name, folder.path());
        let mut acknowledged = printed(&mut second);
        let heard = acknowledged.by_ref().take(lines).filter_map(|version| version.parse().ok());
        let heard: Option<u64> = heard.max();
        std::thread::sleep(std::time::Duration::from_micros(lines as u64 * 2_700));
        second.kill().unwrap();
        let last = acknowledged.filter_map(|version| version.parse().ok()).max().or(heard);
        second.wait().unwrap();
        let (subject, report) = FileJournal::within(folder);
        assert_eq!(report.salvaged, None);
        let log = log(&*subject.journal, table(1)).await;
        assert!(log.len() as u64 >= last.unwrap_or(known), "{last:?}");
        known = log.len() as u64;
        assert_eq!(log, entries(1..=known));
        for summary in subject.journal.tables(None, usize::MAX).await.unwrap() {
            if summary.id != table(1) {
                assert_eq!(summary.version, LENGTH, "a table is there or not, as a whole");
                let deleted = subject.journal.delete(summary.id, LENGTH).await;
                assert_eq!(deleted, Ok(DeleteOutcome::Deleted));
            }
        }
        // The second process begins with an empty table.
        let deleted = subject.journal.delete(table(1), known).await;
        assert_eq!(deleted, Ok(DeleteOutcome::Deleted));
        folder = subject.killed();
    }
}
