//! The log of a server.

use std::fs::{self, File};
use std::process::Command;

use serde_json::Value;

use crate::process::Process;

/// Serves some requests with this format of log lines, and returns the log and the secrets.
fn log_of(format: &str) -> (String, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder can be created");
    let path = folder.path().join("log");
    let mut command = Command::new(env!("CARGO_BIN_EXE_cradle"));
    command.args(["serve", "--listen", "127.0.0.1:0", "--log-format", format, "--data"]);
    command
        .arg(folder.path().join("data"))
        .stderr(File::create(&path).expect("the file can be written"));
    let server = Process::spawn(command);
    let body = r#"{"game":"tic-tac-toe","name":"Ada"}"#;
    let created = server.request("POST", "/api/tables", body);
    let (_, created) = created.split_once("\r\n\r\n").expect("the answer has a body");
    let created: Value = serde_json::from_str(created).expect("the body is JSON");
    let text = |name: &str| created[name].as_str().expect("the table has it").to_owned();
    let (id, code, token) = (text("id"), text("code"), text("token"));
    server.request("GET", &format!("/api/tables/{id}"), "");
    server.request("GET", &format!("/api/codes/{code}"), "");
    server.request("GET", &format!("/socket/longpoll?vsn=2.0.0&token={token}"), "");
    server.request("GET", &format!("/secret/{token}"), "");
    server.request("BREW", "/", "");
    assert_eq!(server.stop(), Some(0));
    (fs::read_to_string(path).expect("the file can be read"), vec![id, code, token])
}

#[test]
fn every_request_has_a_line_without_secrets() {
    let (log, secrets) = log_of("json");
    for secret in secrets {
        assert!(!log.contains(&secret), "{secret} is in {log}");
    }
    let lines: Vec<Value> =
        log.lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect();
    let access = lines.iter().filter(|line| line["target"] == "access");
    let access: Vec<_> =
        access.map(|line| (&line["method"], &line["route"], &line["status"])).collect();
    let expected = [
        ("POST", "/api/tables", 201),
        ("GET", "/api/tables/{id}", 200),
        ("GET", "/api/codes/{code}", 200),
        ("GET", "/socket/longpoll", 200),
        ("GET", "unmatched", 404),
        ("other", "/", 405),
    ];
    let expected =
        expected.map(|(method, route, status)| (method.into(), route.into(), status.into()));
    let expected: Vec<_> =
        expected.iter().map(|(method, route, status)| (method, route, status)).collect();
    assert_eq!(access, expected, "{log}");
    for line in lines.iter().filter(|line| line["target"] == "access") {
        assert_eq!(line["client"], "127.0.0.1");
        assert!(line["ms"].as_f64().is_some_and(|ms| ms > 0.0), "{line}");
        assert!(line["bytes"].is_u64() && line["request"].is_u64(), "{line}");
    }
    let messages: Vec<&str> = lines.iter().filter_map(|line| line["message"].as_str()).collect();
    assert_eq!(messages.first(), Some(&"the server has started"), "{log}");
    assert_eq!(messages.last(), Some(&"the server has stopped"), "{log}");
    let ending = lines.iter().find(|line| line["message"] == "the server is shutting down");
    assert_eq!(ending.map(|line| &line["why"]), Some(&"SIGTERM".into()), "{log}");
    assert_eq!(lines[0]["version"], env!("CARGO_PKG_VERSION"));
}

#[test]
fn a_log_for_people_says_the_same() {
    let (log, secrets) = log_of("text");
    for secret in secrets {
        assert!(!log.contains(&secret), "{secret} is in {log}");
    }
    for words in ["the server has started", "route=\"/api/tables/{id}\" status=200", "SIGTERM"] {
        assert!(log.contains(words), "{words} is missing in {log}");
    }
}
