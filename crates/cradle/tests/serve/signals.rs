//! How a server stops.

use std::path::Path;

use crate::process::Process;

const UNCLEAN: &str = "not shut down cleanly";

/// The words of a server that starts in a folder and is stopped at once.
fn words_of_next_start(data: &Path) -> String {
    let server = Process::start(data);
    server.signal("TERM");
    let (code, printed) = server.ended();
    assert_eq!(code, Some(0));
    printed
}

#[test]
fn signals_that_end_a_server_leave_a_clean_journal() {
    for signal in ["INT", "TERM", "QUIT", "USR1"] {
        let folder = tempfile::tempdir().unwrap();
        let server = Process::start(folder.path());
        server.signal(signal);
        let (code, printed) = server.ended();
        assert_eq!(code, Some(0), "{signal}");
        assert!(printed.ends_with("All moves are saved. Goodbye.\n"), "{signal}: {printed}");
        assert!(!words_of_next_start(folder.path()).contains(UNCLEAN), "{signal}");
    }
}

#[test]
fn a_server_that_is_killed_begins_a_new_epoch() {
    let folder = tempfile::tempdir().unwrap();
    let server = Process::start(folder.path());
    server.signal("KILL");
    assert_eq!(server.ended().0, None);
    assert!(words_of_next_start(folder.path()).contains(UNCLEAN));
}

#[test]
fn a_draining_server_is_not_ready_and_a_second_signal_ends_it_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let server = Process::start_with(&["--data", data, "--limit", "drain=600000"]);
    let table = r#"{"game":"tic-tac-toe","name":"Ada"}"#;
    assert!(server.request("POST", "/api/tables", table).starts_with("HTTP/1.1 201"));
    server.signal("TERM");
    let is_ready = |server: &Process| server.status_of("/readyz") != Some(503);
    server.wait_until("it is not ready", |server| !is_ready(server));
    assert_eq!(server.status_of("/healthz"), Some(200));
    let refused = server.request("POST", "/api/tables", table);
    assert!(refused.starts_with("HTTP/1.1 503"), "{refused}");
    assert!(refused.contains("The server is about to restart"), "{refused}");
    server.signal("TERM");
    assert_eq!(server.ended().0, Some(0));
    assert!(!words_of_next_start(folder.path()).contains(UNCLEAN));
}
