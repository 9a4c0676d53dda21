//! Listing, showing and exporting.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::command::{on, run, through};
use crate::journal_server::{JournalServer, PlayedTable};

#[test]
fn tables_are_listed_on_a_folder_and_on_a_server_alike() {
    let folder = TempDir::new().unwrap();
    let server = JournalServer::start(folder.path());
    let (first, second) = (server.played(3), server.table("connect-four"));
    let running = through(&server, &["list"]).fine();
    for table in [&first, &second] {
        assert!(running.contains(&table.id), "{running}");
    }
    let four = through(&server, &["list", "--game", "connect-four"]).fine();
    assert!(four.contains(&second.id) && !four.contains(&first.id), "{four}");
    let locked = on(folder.path(), &["list"]);
    locked.refused(2, "use --server and --token-file");
    server.stop();
    assert_eq!(on(folder.path(), &["list", "--older-than", "1d"]).fine(), "");
    let lines = on(folder.path(), &["list", "--json"]).fine();
    let tables: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(tables.len(), 2);
    let one = tables.iter().find(|table| table["id"] == first.id.as_str()).unwrap();
    assert_eq!(one["version"], json!(6));
    assert_eq!(one["record"]["game"], json!("tic-tac-toe"));
    // The next start is no new epoch.
    assert!(folder.path().join("journal.closed").exists());
}

#[test]
fn a_table_is_shown_as_people_see_it() {
    let folder = TempDir::new().unwrap();
    let server = JournalServer::start(folder.path());
    let table = server.played(3);
    let shown = through(&server, &["show", &table.id]).fine();
    for part in [
        "of tic-tac-toe",
        "6 entries",
        "no code, because all seats are taken",
        "Seat X: Ada",
        "Seat O: Bob",
        "Round 1, 3 moves: Bob to move",
        "Ada takes seat X.",
        "Ada plays b2.",
        "Bob plays a1.",
    ] {
        assert!(shown.contains(part), "{part} is not in\n{shown}");
    }
    assert!(!shown.contains(&table.code), "{shown}");
    let waiting = json!({"game": "tic-tac-toe", "name": "Ada"});
    let (_, waiting) = server.ask("POST", "/api/tables", "", Some(&waiting));
    let [id, code] = ["id", "code"].map(|name| waiting[name].as_str().unwrap().to_owned());
    let open = through(&server, &["show", &id]).fine();
    assert!(open.contains(&format!("not listed, code {code}")), "{open}");
    let is_valid =
        |id: &str| through(&server, &["show", "--json", id]).json()["code_is_valid"].clone();
    assert_eq!((is_valid(&id), is_valid(&table.id)), (json!(true), json!(false)));
    let json = through(&server, &["show", "--json", &table.id]).json();
    assert_eq!(json["views"][0]["round"], json!(1));
    assert_eq!(json["entries"].as_array().unwrap().len(), 6);
    assert!(!json.to_string().contains("\"token\""), "tokens are secret");
    let unknown = "AAAAAAAAAAAAAAAAAAAAAA";
    through(&server, &["show", unknown]).refused(2, "there is no table");
    through(&server, &["show", "moon"]).refused(2, "22 letters");
    server.stop();
    assert_eq!(on(folder.path(), &["show", &table.id]).fine(), shown);
}

#[test]
fn hidden_information_is_shown_only_if_it_is_asked_for() {
    let folder = TempDir::new().unwrap();
    let server = JournalServer::start(folder.path());
    let table = server.table("kuhn-poker");
    let chance = |shown: &str| {
        let line = shown.lines().find(|line| line.contains("Chance draws"));
        line.expect("the cards are dealt").rsplit("Chance").next().unwrap().to_owned()
    };
    let hidden = through(&server, &["show", &table.id]);
    assert!(!hidden.err.contains("Warning"), "{hidden:?}");
    let revealed = through(&server, &["show", "--reveal", &table.id]);
    assert!(revealed.err.contains("Warning"), "{revealed:?}");
    assert!(revealed.out.contains("Ada sees:") && revealed.out.contains("Bob sees:"));
    assert_ne!(chance(&hidden.fine()), chance(&revealed.fine()));
}

#[test]
fn an_export_is_private_and_complete() {
    let folder = TempDir::new().unwrap();
    let server = JournalServer::start(folder.path());
    let tables = [server.played(0), server.played(9)];
    let path = folder.path().join("all.jsonl");
    let file = path.to_str().unwrap();
    assert_eq!(through(&server, &["export", "--all", "--output", file]).fine(), "");
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0], json!({"line": "start", "format": 2}), "the key was not asked for");
    let entries: u64 = tables.iter().map(PlayedTable::entries).sum();
    assert_eq!(*lines.last().unwrap(), json!({"line": "end", "tables": 2, "entries": entries}));
    assert_eq!(lines.len() as u64, entries + 2 + 2);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }
    through(&server, &["export", "--all", "--output", file]).refused(2, "exists already");
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    let one = through(&server, &["export", &tables[1].id]).fine();
    assert!(one.contains(&tables[1].id) && !one.contains(&tables[0].id));
}

#[test]
fn a_wrong_place_is_refused() {
    let folder = TempDir::new().unwrap();
    on(folder.path(), &["list"]).refused(2, "there is no journal in");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing was created");
    run(&["list", "--token-file", "x"]).refused(2, "--token-file needs --server");
    let server = JournalServer::start(folder.path());
    let wrong = folder.path().join("wrong");
    fs::write(&wrong, "0123456789abcdef0123456789abcdef\n").unwrap();
    std::process::Command::new("chmod").arg("600").arg(&wrong).status().unwrap();
    let wrong = wrong.to_str().unwrap();
    run(&["list", "--server", &server.admin, "--token-file", wrong])
        .refused(2, "refuses the token");
    run(&["list", "--server", "https://x", "--token-file", wrong]).refused(2, "as in http://");
    let folder = folder.path().to_str().unwrap();
    assert_eq!(run(&["list", "--server", &server.admin, "--data", folder]).fine(), "");
    let gone = server.admin.clone();
    server.stop();
    run(&["list", "--server", &gone, "--token-file", wrong]).refused(3, "failed");
}
