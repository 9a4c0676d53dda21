//! A server whose output cannot be written.

use std::fs::File;
use std::io::{PipeReader, PipeWriter, pipe};
use std::process::Stdio;

use crate::process::Process;

/// An output that fails because the disk is full.
fn full() -> Stdio {
    File::options().write(true).open("/dev/full").expect("Linux has it").into()
}

/// An output that fails because nobody reads it.
fn hung_up() -> Stdio {
    let (reader, writer): (PipeReader, PipeWriter) = pipe().expect("there is a pipe");
    drop(reader);
    writer.into()
}

#[test]
fn a_server_runs_without_a_working_log() {
    for log in [full(), hung_up()] {
        let folder = tempfile::tempdir().expect("there is a folder");
        let server = Process::start_logging(folder.path(), "trace", log);
        for path in ["/healthz", "/readyz", "/api/tables", "/api/games", "/readyz"] {
            assert_eq!(server.status_of(path), Some(200), "{path}");
        }
        assert_eq!(server.stop(), Some(0));
    }
}

#[test]
fn a_server_runs_if_its_announcements_cannot_be_written() {
    for out in [full(), hung_up()] {
        let folder = tempfile::tempdir().expect("there is a folder");
        let server = Process::start_with_output(folder.path(), out);
        assert_eq!(server.status_of("/readyz"), Some(200));
        assert_eq!(server.stop(), Some(0));
    }
}
