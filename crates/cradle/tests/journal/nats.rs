//! A journal in NATS.

use std::process::Command;

use tempfile::TempDir;

use crate::command::{on, run, through};
use crate::journal_server::{JournalServer, PlayedTable};
use crate::nats_server::{Flushing, NatsServer};

#[test]
fn a_journal_moves_into_nats_and_back() {
    let Some(nats) = NatsServer::start(Flushing::Always) else { return };
    let (folder, address) = (TempDir::new().unwrap(), nats.settings("moved").address.to_string());
    let data = folder.path().join("data");
    let server = JournalServer::start(&data);
    let mut tables = [server.played(0), server.played(5)];
    server.stop();
    let flags = ["--nats-replicas", "1", "--nats-prefix", "moved"];
    let copy = [&["copy", data.to_str().unwrap(), &address], &flags[..]].concat();
    assert!(run(&copy).fine().contains("2 tables with 11 entries"));
    assert!(
        run(&copy).fine().contains("2 tables with 11 entries"),
        "it continues, and has nothing to do"
    );
    let journal = [&["--journal", &address], &flags[..]].concat();
    let node = JournalServer::with(folder.path(), &journal);
    for table in &mut tables {
        assert_eq!(node.version(table), Some(table.entries()));
        assert_eq!(node.play(table), 200, "the tokens hold their seats");
    }
    run(&copy).refused(2, "is another one in the copy");
    let back = folder.path().join("back");
    through(&node, &["copy", back.to_str().unwrap()]).fine();
    node.stop();
    assert!(on(&back, &["verify"]).fine().contains("nothing is wrong"), "the key is the same");
    let other = folder.path().join("other");
    JournalServer::start(&other).stop();
    let other = [&["copy", other.to_str().unwrap(), &address], &flags[..]].concat();
    run(&other).refused(2, "use another prefix");
}

#[test]
fn a_copy_into_nats_that_was_interrupted_continues_in_the_middle_of_a_log() {
    let Some(nats) = NatsServer::start(Flushing::Always) else { return };
    let (folder, address) = (TempDir::new().unwrap(), nats.settings("begun").address.to_string());
    let data = folder.path().join("data");
    let server = JournalServer::start(&data);
    let mut tables = vec![server.played(2)];
    let flags = ["--nats-replicas", "1", "--nats-prefix", "begun"];
    // It came as far as the first moves of the first table.
    through(&server, &[&["copy", &address], &flags[..]].concat()).fine();
    assert_eq!(server.play(&mut tables[0]), 200);
    tables.push(server.played(4));
    server.stop();
    let copy = [&["copy", data.to_str().unwrap(), &address], &flags[..]].concat();
    assert!(run(&copy).fine().contains("2 tables with 13 entries"));
    let journal = [&["--journal", &address], &flags[..]].concat();
    let node = JournalServer::with(folder.path(), &journal);
    for table in &mut tables {
        assert_eq!(node.version(table), Some(table.entries()));
        assert_eq!(node.play(table), 200, "the tokens hold their seats");
    }
    node.stop();
}

#[test]
fn the_rules_of_games_as_text_are_in_nats() {
    let Some(nats) = NatsServer::start(Flushing::Always) else { return };
    let (folder, address) = (TempDir::new().unwrap(), nats.settings("text").address.to_string());
    let [first, second] = ["first", "second"].map(|name| folder.path().join(name));
    let games = folder.path().join("games");
    for path in [&first, &second, &games] {
        std::fs::create_dir(path).unwrap();
    }
    let nim = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/nim.cradle");
    std::fs::copy(nim, games.join("nim.cradle")).unwrap();
    let flags = ["--journal", &address, "--nats-replicas", "1", "--nats-prefix", "text"];
    let with_games = [&flags[..], &["--games", games.to_str().unwrap()]].concat();
    let offering = JournalServer::with(&first, &with_games);
    let table = offering.table("nim");
    // A server that does not offer the game has its rules from the journal.
    let other = JournalServer::with(&second, &flags);
    let (status, shown) = other.ask("GET", &format!("/api/tables/{}", table.id), "", None);
    assert_eq!(status, 200, "{shown}");
    assert!(shown["view"]["game"].as_str().unwrap().starts_with("nim@"), "{shown}");
    let back = folder.path().join("back");
    through(&other, &["copy", back.to_str().unwrap()]).fine();
    offering.stop();
    other.stop();
    assert!(on(&back, &["verify"]).fine().contains("nothing is wrong"), "the rules are copied");
}

#[test]
fn a_server_refuses_nats_that_could_lose_moves() {
    let Some(nats) = NatsServer::start(Flushing::NowAndThen) else { return };
    let (address, monitor) = (nats.settings("unsafe").address.to_string(), nats.monitor());
    let mut command = Command::new(env!("CARGO_BIN_EXE_cradle"));
    command.args(["serve", "--journal", &address, "--nats-replicas", "1"]);
    let refused = command.args(["--nats-monitors", &monitor]).output().unwrap();
    let said = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(3), "{said}");
    assert!(said.contains("set `sync_interval: always`"), "{said}");
}

#[test]
fn a_journal_in_nats_is_copied_back_when_all_servers_have_stopped() {
    let Some(nats) = NatsServer::start(Flushing::Always) else { return };
    let (folder, address) = (TempDir::new().unwrap(), nats.settings("back").address.to_string());
    let flags = ["--nats-replicas", "1", "--nats-prefix", "back"];
    let back = folder.path().join("data");
    let copy = [&["copy", &address, back.to_str().unwrap()], &flags[..]].concat();
    run(&copy).refused(2, "there is no journal with the prefix back");
    let journal = [&["--journal", &address], &flags[..]].concat();
    let node = JournalServer::with(folder.path(), &journal);
    let mut tables = [node.played(0), node.played(5)];
    let epoch = |node: &JournalServer, table: &PlayedTable| {
        node.ask("GET", &format!("/api/tables/{}", table.id), "", None).1["epoch"].clone()
    };
    let before = epoch(&node, &tables[0]);
    run(&copy).refused(2, "servers use the journal with the prefix back: stop them");
    assert!(!back.exists());
    node.stop();
    assert!(run(&copy).fine().contains("2 tables with 11 entries"));
    let node = JournalServer::with(folder.path(), &journal);
    assert_eq!(epoch(&node, &tables[0]), before, "nothing was changed in NATS");
    node.stop();
    assert!(on(&back, &["verify"]).fine().contains("nothing is wrong"), "the key is the same");
    let server = JournalServer::start(&back);
    for table in &mut tables {
        assert_eq!(server.version(table), Some(table.entries()));
        assert_eq!(server.play(table), 200, "the tokens hold their seats");
    }
    server.stop();
    run(&[&["copy", &address, "nats://127.0.0.1:1"], &flags[..]].concat())
        .refused(2, "copy from NATS into a folder");
}
