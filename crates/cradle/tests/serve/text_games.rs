//! Games that are written as text, from the folder that `--games` names.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::process::{Process, cradle};
use crate::two_players::{body, get, play, seat_both, table};

const NIM: &str = include_str!("../../../../games/nim.cradle");

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().expect("the path is text").to_owned()
}

/// A server with its journal and its games in a folder.
fn start(folder: &Path) -> Process {
    Process::start_with(&["--data", &path(folder, "data"), "--games", &path(folder, "games")])
}

fn write(folder: &Path, file: &str, text: &str) {
    fs::create_dir_all(folder.join("games")).expect("the folder can be created");
    fs::write(folder.join("games").join(file), text).expect("the file can be written");
}

#[test]
fn an_old_table_keeps_its_rules_when_the_file_changes() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "nim.cradle", NIM);
    write(folder.path(), "water.cradle", include_str!("../../../../games/hot-and-cold.cradle"));
    let server = start(folder.path());
    let games = get(&server, "/api/games")["games"].clone();
    let names = games.as_array().unwrap().iter().map(|game| game["name"].as_str().unwrap());
    let texts: Vec<&str> = names.filter(|name| name.contains('@')).collect();
    assert!(matches!(&*texts, [nim] if nim.starts_with("nim@")), "{texts:?}");
    let old = table(&server, "nim");
    assert_eq!(get(&server, &format!("/api/tables/{old}"))["view"]["game"], texts[0]);
    assert!(play(&server, &old, 0, "a-3").starts_with("HTTP/1.1 200"));
    let refused = body(&play(&server, &old, 1, "a-1"));
    assert_eq!(refused["refusal"]["message"], "There are not so many on that heap", "{refused}");
    assert_eq!(server.stop(), Some(0));

    let smaller = NIM.replace("parameter most = 3", "parameter most = 2");
    write(folder.path(), "nim.cradle", &smaller);
    let server = start(folder.path());
    let new = table(&server, "nim");
    let refused = play(&server, &new, 0, "a-3");
    assert!(refused.starts_with("HTTP/1.1 4"), "{refused}");
    for (ply, chosen) in [(1, "b-3"), (2, "c-3")] {
        let answer = play(&server, &old, ply, chosen);
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
    let view = get(&server, &format!("/api/tables/{old}"))["view"].clone();
    assert_eq!((&view["game"], &view["wins"]), (&json!(texts[0]), &json!([1, 0])));
    assert_ne!(get(&server, &format!("/api/tables/{new}"))["view"]["game"], texts[0]);
    assert_eq!(server.stop(), Some(0));

    // Copies of the journal have both texts: from the folder, from an export, and from a server.
    let data = path(folder.path(), "data");
    let [copy, second, export] = ["copy", "second", "all.jsonl"].map(|to| path(folder.path(), to));
    cradle(&["journal", "copy", &data, &copy]);
    cradle(&["journal", "--data", &copy, "export", "--all", "--with-key", "--output", &export]);
    cradle(&["journal", "copy", &export, &second]);
    for data in [&data, &copy, &second] {
        let verified = cradle(&["journal", "--data", data, "verify"]);
        assert!(
            verified.contains("2 tables") && verified.contains("nothing is wrong"),
            "{verified}"
        );
    }
    // A text that is lost is a finding, and no copy pretends to be whole.
    cradle(&["journal", "--data", &second, "delete", "--yes", &new]);
    let journal = rusqlite::Connection::open(Path::new(&second).join("journal.sqlite")).unwrap();
    let lost = journal.execute("DELETE FROM facts WHERE name LIKE 'rules %'", []).unwrap();
    assert_eq!(lost, 1, "the text of the deleted table is gone already");
    drop(journal);
    let finding = run(&["journal", "--data", &second, "verify"]);
    assert!(finding.contains("are not in the journal"), "{finding}");
    let refused = run(&["journal", "copy", &second, &path(folder.path(), "third")]);
    assert!(refused.contains("cannot be played: its rules"), "{refused}");
}

/// What the command prints when it fails.
fn run(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_cradle")).args(arguments).output();
    let output = output.expect("the command can be run");
    assert!(!output.status.success());
    String::from_utf8([output.stdout, output.stderr].concat()).expect("it is text")
}

/// Creates a table with rules of its own; returns the answer.
fn bring(server: &Process, rules: &str) -> Value {
    body(&server.request("POST", "/api/tables", &json!({"rules": rules}).to_string()))
}

#[test]
fn two_people_play_by_rules_that_one_of_them_wrote() {
    let server = Process::start_with(&["--journal", "memory"]);
    let created = bring(&server, NIM);
    let id = created["id"].as_str().expect("the table is created").to_owned();
    seat_both(&server, &id);
    let view = get(&server, &format!("/api/tables/{id}"))["view"].clone();
    assert_eq!(view["own_rules"], true, "{view}");
    assert_eq!(get(&server, &format!("/api/tables/{id}/rules"))["text"], NIM);
    for (ply, chosen) in ["a-3", "b-3", "c-3"].into_iter().enumerate() {
        let answer = play(&server, &id, ply, chosen);
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
    assert_eq!(get(&server, &format!("/api/tables/{id}"))["view"]["wins"], json!([1, 0]));
    assert_eq!(server.stop(), Some(0));
}

#[test]
fn rules_with_mistakes_and_hostile_rules_are_refused_with_sentences() {
    let server = Process::start_with(&["--journal", "memory"]);
    let refused = bring(&server, &NIM.replace("take(first)", "taek(first)"));
    let detail = refused["detail"].as_str().unwrap_or_default();
    assert!(detail.contains("no event is called `taek`; did you mean `take`?"), "{refused}");
    assert!(detail.contains("rules:") && detail.contains('^'), "{detail}");
    let head =
        "game g\nseats X, O\nevent m(seat)  move of seat\nevent w(seat)  win of seat\nevent a\n";
    for (hostile, sentence) in [
        ("set n = 1..9999\n", "more than 5000 values"),
        ("set n = 1..60\nevent b(x: n, y: n)\nrule A: request b\n", "more than 2000 events"),
        ("set n = 1..60\nrule A(x: n, y: n): wait for a\n", "more than 2000 b-threads"),
        (
            "set n = 1..90\nrule A(n)\n  keep i = 0\n  while i < 900\n    wait for a\n    i = i + 1\n",
            "more than 40000 states",
        ),
        (
            "set n = 1..900\nrule A(n)\n  keep i = 0\n  while i < 3000: i = i + 1\n  wait for a\n",
            "more than 4000000 steps",
        ),
        ("rule A: forever: request a\n", "did not end after 1000 events"),
    ] {
        let refused = bring(&server, &format!("{head}{hostile}"));
        let detail = refused["detail"].as_str().unwrap_or_default();
        assert!(detail.contains(sentence), "{hostile}: {refused}");
        assert_eq!(refused["code"], "bad_rules");
    }
    let program = bring(&server, "program p\nevent a\nthread A: request a\n");
    assert!(program["detail"].as_str().unwrap_or_default().contains("is a program"), "{program}");
    // What follows from a move is bounded as well, and the table goes on.
    let endless = format!("{head}rule A\n  wait for m(X), block m(O)\n  forever: request a\n");
    let id = bring(&server, &endless)["id"].as_str().expect("nothing is wrong yet").to_owned();
    seat_both(&server, &id);
    let answer = play(&server, &id, 0, "m");
    assert!(answer.contains("broken_rules"), "{answer}");
    assert_eq!(get(&server, &format!("/api/tables/{id}"))["view"]["ply"], 0);
    assert_eq!(server.stop(), Some(0));
}

/// The exit code and the message of a server that does not start.
fn refused(folder: &Path) -> (Option<i32>, String) {
    let (data, games) = (path(folder, "data"), path(folder, "games"));
    let given = ["serve", "--listen", "127.0.0.1:0", "--data", &data, "--games", &games];
    let output = Command::new(env!("CARGO_BIN_EXE_cradle")).args(given).output();
    let output = output.expect("the command can be run");
    (output.status.code(), String::from_utf8(output.stderr).expect("it is text"))
}

#[test]
fn a_server_does_not_start_with_a_mistake_in_a_game() {
    let folder = tempfile::tempdir().unwrap();
    let (code, error) = refused(folder.path());
    assert!(error.contains("games is no folder of games"), "{error}");
    assert_eq!(code, Some(2));
    write(folder.path(), "nim.cradle", &NIM.replace("take(first)", "taek(first)"));
    let (code, error) = refused(folder.path());
    assert!(error.contains("nim.cradle has 2 mistakes"), "{error}");
    assert!(error.contains("no event is called `taek`; did you mean `take`?"), "{error}");
    assert_eq!(code, Some(2));
    write(folder.path(), "nim.cradle", NIM);
    write(folder.path(), "other.cradle", &NIM.replace("parameter most = 3", "parameter most = 4"));
    let (code, error) = refused(folder.path());
    assert!(error.contains("call their game nim"), "{error}");
    assert_eq!(code, Some(2));
}
