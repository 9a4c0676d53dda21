//! `cradle journal` as a process.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::journal_server::JournalServer;

/// The result of the command.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Done {
    /// The output of a command that succeeded.
    #[track_caller]
    pub(crate) fn fine(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.out
    }

    /// The output as JSON.
    #[track_caller]
    pub(crate) fn json(self) -> Value {
        let json = serde_json::from_str(&self.out);
        assert!(json.is_ok(), "{self:?}");
        json.unwrap_or_default()
    }

    /// Checks the code and a part of what is printed on standard error.
    #[track_caller]
    pub(crate) fn refused(self, code: i32, part: &str) {
        assert!(self.code == Some(code) && self.err.contains(part), "{self:?}");
    }
}

/// The command with these arguments, without the environment of the test.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cradle"));
    command.arg("journal").args(arguments).env_remove("CRADLE_DATA");
    command
}

pub(crate) fn run(arguments: &[&str]) -> Done {
    done(command(arguments).output().expect("the command can be run"))
}

fn done(Output { status, stdout, stderr }: Output) -> Done {
    let text = |bytes| String::from_utf8(bytes).expect("the command prints text");
    Done { code: status.code(), out: text(stdout), err: text(stderr) }
}

/// Runs the command on a folder.
pub(crate) fn on(folder: &Path, arguments: &[&str]) -> Done {
    done(command(arguments).arg("--data").arg(folder).output().expect("the command can be run"))
}

/// Runs the command on a running server.
pub(crate) fn through(server: &JournalServer, arguments: &[&str]) -> Done {
    let mut command = command(arguments);
    command.args(["--server", &server.admin, "--token-file"]).arg(&server.token_file);
    done(command.output().expect("the command can be run"))
}
