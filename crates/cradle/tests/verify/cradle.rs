//! Runs the command.

use std::process::{Command, Output};

/// The strategies of O, highest priority first.
pub(crate) const STRATEGIES: [&str; 6] = [
    "AddThirdO",
    "PreventThirdX",
    "PreventXFork",
    "PreventAnotherXFork",
    "PreventYetAnotherXFork",
    "DefaultMoves",
];

/// The exit code and the output of the command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// The command, not yet running.
pub(crate) fn cradle(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cradle"));
    command.args(arguments);
    command
}

/// The answer of a command.
pub(crate) fn answer(command: &mut Command) -> Answer {
    let Output { status, stdout, stderr } = command.output().expect("the command can be run");
    let text = |bytes| String::from_utf8(bytes).expect("the command speaks text");
    let code = status.code().expect("no signal ends the command");
    Answer { code, out: text(stdout), err: text(stderr) }
}

/// The answer of `cradle verify tic-tac-toe` with these further arguments.
pub(crate) fn verify(arguments: &[&str]) -> Answer {
    answer(cradle(&["verify", "tic-tac-toe"]).args(arguments))
}

/// The exit code and the report of a search, without what differs from run to run.
pub(crate) fn verified(arguments: &[&str]) -> (i32, String) {
    let answer = verify(arguments);
    assert_eq!(answer.err, "", "{arguments:?}");
    (answer.code, masked(&answer.out))
}

/// The text without time, threads and memory.
pub(crate) fn masked(text: &str) -> String {
    let (before, cost) = text.trim_end().rsplit_once('\n').expect("there are several lines");
    assert!(cost.contains("s, ") && cost.contains(" thread"), "{cost}");
    format!("{before}\n(time, threads, memory)\n")
}
