//! A server whose words nobody takes.

use std::fs::File;
use std::io::{PipeReader, PipeWriter, pipe};
use std::process::Stdio;

use crate::process::Process;

/// A place where every write fails: the disk is full.
fn full() -> Stdio {
    File::options().write(true).open("/dev/full").expect("Linux has it").into()
}

/// A place where every write fails: nobody reads any more.
fn hung_up() -> Stdio {
    let (reader, writer): (PipeReader, PipeWriter) = pipe().expect("there is a pipe");
    drop(reader);
    writer.into()
}

#[test]
fn a_log_that_cannot_be_written_stops_no_server() {
    for log in [full(), hung_up()] {
        let folder = tempfile::tempdir().expect("there is a folder");
        let server = Process::start_logging(folder.path(), "trace", log);
        for path in ["/healthz", "/readyz", "/api/tables", "/api/games", "/readyz"] {
            assert_eq!(server.asked_for(path), Some(200), "{path}");
        }
        assert_eq!(server.stop(), Some(0));
    }
}

#[test]
fn a_server_serves_even_if_nobody_takes_its_greeting_and_its_goodbye() {
    for out in [full(), hung_up()] {
        let folder = tempfile::tempdir().expect("there is a folder");
        let server = Process::start_unheard(folder.path(), out);
        assert_eq!(server.asked_for("/readyz"), Some(200));
        assert_eq!(server.stop(), Some(0));
    }
}
