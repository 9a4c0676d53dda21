//! Metrics: their names, their descriptions, and the dashboard that shows them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use server::{Settings, SqliteJournal};

use crate::socket::Socket;
use crate::test_server::{ADMIN_TOKEN, Setup, TestServer};

const DOCS: &str = include_str!("../../../../docs/server.md");
const DASHBOARD: &str = include_str!("../../../../docs/grafana-dashboard.json");

/// The metrics of a server that has done a little of everything.
async fn metrics() -> String {
    let folder = tempfile::tempdir().expect("a folder can be created");
    let (journal, _) =
        SqliteJournal::open(folder.path(), &Settings::default()).expect("the journal opens");
    let setup = Setup::on(&std::sync::Arc::new(journal)).limit("analyses_at_once", 0);
    let server = setup.start().await;
    let table = server.table("tic-tac-toe").await;
    server.play(&table, 0, 0, "b2").await;
    server.act(&table, 1, &server.move_at(1, "b2")).await.problem(409);
    let analysis = format!("/api/tables/{}/analysis?version=4", table.id);
    server.get(&analysis).send().await.problem(429);
    let mut socket = Socket::open(&server).await;
    socket.join_as_spectator(&table).await;
    all(&server).await
}

async fn all(server: &TestServer) -> String {
    server.admin_get("/metrics").bearer(ADMIN_TOKEN).send().await.text
}

/// The families in a text: name, type, unit and help.
fn families(text: &str) -> BTreeMap<String, [String; 3]> {
    let mut families: BTreeMap<String, [String; 3]> = BTreeMap::new();
    for line in text.lines().filter(|line| line.starts_with("# ") && *line != "# EOF") {
        let mut words = line.splitn(4, ' ').skip(1);
        let (kind, name) = (words.next().expect("a kind"), words.next().expect("a name"));
        let place =
            ["TYPE", "UNIT", "HELP"].iter().position(|known| *known == kind).expect("a known kind");
        words
            .next()
            .expect("a value")
            .clone_into(&mut families.entry(name.to_owned()).or_default()[place]);
    }
    families
}

/// The names of samples, as queries use them.
fn samples(text: &str) -> BTreeSet<&str> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split(['{', ' ']).next().expect("a name")).collect()
}

#[tokio::test]
async fn names_and_units_follow_the_conventions_of_prometheus() {
    let text = metrics().await;
    for (name, [kind, unit, help]) in families(&text) {
        assert!(name.starts_with("cradle_") || name.starts_with("process_"), "{name}");
        assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{name}");
        assert!(["gauge", "counter", "histogram", "info"].contains(&kind.as_str()), "{name}");
        assert!(!name.contains(kind.as_str()), "{name} names its type");
        assert!(!name.ends_with("_total") && !name.ends_with("_count"), "{name}");
        assert!(help.len() > 10, "{name} has no sentence: {help:?}");
        for base in ["seconds", "bytes"] {
            assert_eq!(name.ends_with(&format!("_{base}")), unit == base, "{name} in {unit}");
        }
        for other in ["_ms", "_milliseconds", "_minutes", "_kilobytes", "_percent"] {
            assert!(!name.contains(other), "{name}");
        }
    }
}

#[tokio::test]
async fn the_docs_describe_exactly_the_metrics_that_exist() {
    let text = metrics().await;
    let existing: BTreeSet<String> = families(&text)
        .into_iter()
        .map(|(name, [kind, ..])| match kind.as_str() {
            "counter" => format!("{name}_total"),
            "info" => format!("{name}_info"),
            _ => name,
        })
        .collect();
    let section = DOCS.split("\n## Metrics\n").nth(1).expect("there is a heading");
    let section = section.split("\n## ").next().unwrap();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `"));
    let described: BTreeSet<String> =
        rows.map(|row| row.split(['`', '{']).next().unwrap().to_owned()).collect();
    assert_eq!(described, existing);
}

#[tokio::test]
async fn the_dashboard_shows_metrics_that_exist() {
    let dashboard: Value = serde_json::from_str(DASHBOARD).expect("it is JSON");
    let panels = dashboard["panels"].as_array().expect("there are panels");
    let (mut ids, mut shown) = (BTreeSet::new(), BTreeSet::new());
    let text = metrics().await;
    let existing = samples(&text);
    for panel in panels {
        assert!(ids.insert(panel["id"].as_u64().unwrap()), "{panel} has the id of another");
        assert!(panel["title"].is_string() && panel["gridPos"]["w"].is_u64(), "{panel}");
        for target in panel["targets"].as_array().unwrap() {
            let query = target["expr"].as_str().unwrap();
            let words = query.split(|c: char| !c.is_ascii_lowercase() && c != '_');
            for name in words.filter(|w| w.starts_with("cradle_") || w.starts_with("process_")) {
                assert!(existing.contains(name), "{name} does not exist: {query}");
                shown.insert(name.to_owned());
            }
        }
    }
    for name in families(&text).keys() {
        let is_shown = shown.iter().any(|shown| shown.starts_with(name.as_str()));
        assert!(is_shown, "no panel shows {name}");
    }
}

#[tokio::test]
async fn strangers_cannot_invent_labels() {
    let server = TestServer::usual().await;
    for path in ["/moon", "/api/moon", "/api/tables/AAAAAAAAAAAAAAAAAAAAAA", "/api/codes/moon"] {
        for method in ["GET", "BREW", "FLY"] {
            crate::http::TestRequest::new(server.address, method, path).send().await;
        }
    }
    let text = all(&server).await;
    for invented in ["moon", "AAAA", "BREW", "FLY"] {
        assert!(!text.contains(invented), "{invented}");
    }
    let known = "method=\"other\",route=\"/api/tables/{id}\",status=\"4xx\"";
    assert!(text.contains(known), "{text}");
}

#[tokio::test]
async fn tables_are_counted_by_status_while_they_are_in_memory() {
    let server = Setup::new().limit("table_idle", 50).start().await;
    let waiting = server.create(&json!({"game": "tic-tac-toe", "name": "Ada"})).await;
    let path = format!("/api/tables/{}/stream", waiting["id"].as_str().unwrap());
    let lines = server.get(&path).lines().await;
    server.until_metric("tables{status=\"waiting\"}", 1).await;
    server.join(waiting["id"].as_str().unwrap(), &json!({"name": "Bob"})).await.of(200);
    server.until_metric("tables{status=\"playing\"}", 1).await;
    assert_eq!(server.metric("tables{status=\"waiting\"}").await, 0);
    drop(lines);
    server.until_metric("tables{status=\"playing\"}", 0).await;
}
