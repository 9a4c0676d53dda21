//! Runs the command.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// The exit code and the output of the command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// The answer of the command.
pub(crate) fn cradle(arguments: &[&str]) -> Answer {
    cradle_reading(arguments, "")
}

/// The answer of the command to this input.
pub(crate) fn cradle_reading(arguments: &[&str], input: &str) -> Answer {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cradle"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command can be run");
    let mut stdin = child.stdin.take().expect("it was piped");
    // A command that refuses its arguments reads nothing.
    drop(stdin.write_all(input.as_bytes()));
    drop(stdin);
    let Output { status, stdout, stderr } = child.wait_with_output().expect("the command ends");
    let text = |bytes| String::from_utf8(bytes).expect("the command speaks text");
    let code = status.code().expect("no signal ends the command");
    Answer { code, out: text(stdout), err: text(stderr) }
}

/// What the command prints when it succeeds.
#[track_caller]
pub(crate) fn printed(arguments: &[&str]) -> String {
    let Answer { code, out, err } = cradle(arguments);
    assert_eq!((code, err.as_str()), (0, ""), "{arguments:?}");
    out
}

/// The exit code and the error of the command, which has one line.
#[track_caller]
pub(crate) fn complaint(arguments: &[&str]) -> (i32, String) {
    let Answer { code, err, .. } = cradle(arguments);
    let words = err.strip_prefix("error: ").and_then(|words| words.strip_suffix('\n'));
    let words = words.expect("it prints an error");
    assert!(!words.contains('\n'), "{words}");
    (code, words.to_owned())
}
