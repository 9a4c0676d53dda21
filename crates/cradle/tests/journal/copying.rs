//! Copying a journal.

use std::fs;
use std::path::Path;

use serde_json::json;
use tempfile::TempDir;

use crate::command::{command, on, run, through};
use crate::journal_server::{JournalServer, PlayedTable};

/// Checks that a server on the copy continues where the original was.
fn check(copy: &Path, tables: &[PlayedTable]) {
    let verified = on(copy, &["verify"]).fine();
    assert!(verified.contains("nothing is wrong"), "{verified}");
    let server = JournalServer::start(copy);
    for table in tables {
        let mut table = table.clone();
        assert_eq!(server.version(&table), Some(table.entries()));
        assert_eq!(server.play(&mut table), 200, "the tokens hold their seats");
    }
}

#[test]
fn a_copy_of_a_folder_or_a_server_is_a_whole_journal() {
    let folder = TempDir::new().unwrap();
    let (data, copies) = (folder.path().join("data"), folder.path().join("copies"));
    fs::create_dir(&copies).unwrap();
    let server = JournalServer::start(&data);
    let tables = [server.played(0), server.played(5)];
    let first = copies.join("first");
    let copied = through(&server, &["copy", "--json", first.to_str().unwrap()]).json();
    assert_eq!(copied, json!({"tables": 2, "entries": 11}));
    server.stop();
    let second = copies.join("second");
    run(&["copy", data.to_str().unwrap(), second.to_str().unwrap()]).fine();
    let third = copies.join("third");
    on(&data, &["copy", third.to_str().unwrap()]).fine();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&second), mode(&second.join("journal.sqlite"))), (0o700, 0o600));
    }
    for copy in [first, second, third] {
        check(&copy, &tables);
    }
    assert_eq!(fs::read_dir(&copies).unwrap().count(), 3, "nothing is left over");
}

#[test]
fn a_copy_never_overwrites() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("data");
    let server = JournalServer::start(&data);
    server.played(1);
    server.stop();
    let data = data.to_str().unwrap();
    run(&["copy", data, data]).refused(2, "is not empty");
    let full = folder.path().join("full");
    fs::create_dir(&full).unwrap();
    fs::write(full.join("letter"), "dear").unwrap();
    run(&["copy", data, full.to_str().unwrap()]).refused(2, "is not empty");
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).unwrap();
    run(&["copy", data, empty.to_str().unwrap()]).fine();
    on(&empty, &["verify"]).fine();
}

#[test]
fn an_export_with_its_key_can_be_copied() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("data");
    let server = JournalServer::start(&data);
    let tables = [server.played(2)];
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (keyless, whole) = (path("keyless"), path("whole"));
    through(&server, &["export", "--all", "--output", &keyless]).fine();
    through(&server, &["export", "--all", "--with-key", "--output", &whole]).fine();
    server.stop();
    run(&["copy", &keyless, &path("no")]).refused(2, "export with --with-key");
    let text = fs::read_to_string(&whole).unwrap();
    let without_end: Vec<_> = text.lines().take(text.lines().count() - 1).collect();
    fs::write(path("cut"), without_end.join("\n")).unwrap();
    run(&["copy", &path("cut"), &path("no")]).refused(2, "ends too early");
    let without_entry = text.lines().enumerate().filter(|(number, _)| *number != 6);
    let without_entry: Vec<_> = without_entry.map(|(_, line)| line).collect();
    fs::write(path("short"), without_entry.join("\n")).unwrap();
    run(&["copy", &path("short"), &path("no")]).refused(2, "is incomplete");
    fs::write(path("letter"), "dear\n").unwrap();
    run(&["copy", &path("letter"), &path("no")]).refused(2, "line 1 makes no sense");
    for name in ["no", "no.copying"] {
        assert!(!Path::new(&path(name)).exists(), "{name}");
    }
    run(&["copy", &whole, &path("yes")]).fine();
    check(Path::new(&path("yes")), &tables);
}

#[test]
fn a_copy_that_was_interrupted_continues_unless_it_is_of_another_journal() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    let server = JournalServer::start(&path("data"));
    let mut tables = vec![server.played(2)];
    let begun = path("copy.copying");
    through(&server, &["copy", begun.to_str().unwrap()]).fine();
    // The copy was interrupted after the first moves of the first table.
    assert_eq!(server.play(&mut tables[0]), 200);
    tables.push(server.played(4));
    server.stop();
    JournalServer::start(&path("other")).stop();
    let copy = |from: &str, to: &str| {
        run(&["copy", path(from).to_str().unwrap(), path(to).to_str().unwrap()]).fine()
    };
    fs::write(begun.join("letter"), "dear").unwrap();
    assert!(copy("data", "copy").contains("2 tables with 13 entries"));
    assert!(path("copy").join("letter").exists(), "it went on with what was there");
    check(&path("copy"), &tables);
    // What is left of the copy of another journal is replaced.
    fs::rename(path("copy"), path("next.copying")).unwrap();
    copy("other", "next");
    assert!(!path("next").join("letter").exists());
    assert!(!on(&path("next"), &["list"]).fine().contains(&tables[0].id));
}

#[test]
fn a_copy_that_is_killed_is_not_there_and_can_be_made_again() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("data");
    let server = JournalServer::start(&data);
    let tables: Vec<_> = (0..40).map(|_| server.played(1)).collect();
    server.stop();
    let (from, to) = (data.to_str().unwrap(), folder.path().join("copy"));
    let mut was_interrupted = false;
    for milliseconds in [5, 20, 40, 60, 80, 120] {
        let mut copying = command(&["copy", from, to.to_str().unwrap()]).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(milliseconds));
        copying.kill().unwrap();
        copying.wait().unwrap();
        if to.exists() {
            break;
        }
        was_interrupted |= folder.path().join("copy.copying").exists();
    }
    assert!(was_interrupted, "every copy was killed too early or too late");
    if !to.exists() {
        run(&["copy", from, to.to_str().unwrap()]).fine();
    }
    assert!(!folder.path().join("copy.copying").exists());
    check(&to, &tables[..3]);
    assert!(on(&data, &["verify"]).fine().contains("nothing is wrong"), "the original is whole");
}
