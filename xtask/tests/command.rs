//! The answers of the command.

use std::process::Command;

/// Runs the command; returns its exit code, its output and its complaints.
fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask"))
        .args(arguments)
        .output()
        .expect("the command was built with this test");
    let text = |bytes| String::from_utf8(bytes).expect("the command speaks text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Compares the exit code and the beginning of the complaint.
fn check(arguments: &[&str], code: i32, beginning: &str) {
    let (answered, _, complaint) = run(arguments);
    assert_eq!(answered, Some(code), "{complaint}");
    assert!(complaint.starts_with(beginning), "{complaint}");
}

#[test]
fn help_is_an_answer() {
    for arguments in [["help"], ["--help"], ["-h"]] {
        let (code, answer, complaint) = run(&arguments);
        assert_eq!((code, complaint.as_str()), (Some(0), ""));
        assert!(answer.starts_with("Usage:\n  cargo xtask serve"), "{answer}");
    }
}

#[test]
fn wrong_usage_is_answered_with_the_usage() {
    check(&[], 2, "Usage:\n  cargo xtask serve");
    check(
        &["tests"],
        2,
        "`cargo xtask tests` is not a command, or does not take these arguments.\nUsage:\n",
    );
}

#[test]
fn steps_are_chosen_by_their_names() {
    check(&["test", "twice"], 2, "Nothing was tested: write `--only NAME,NAME` or `--from NAME`");
    check(
        &["test", "--only", "moon"],
        2,
        "Nothing was tested: no step is called `moon`; there are",
    );
    let (code, answer, _) = run(&["test", "--help"]);
    assert_eq!(code, Some(0));
    for step in xtask::test_steps() {
        assert!(answer.contains(&format!("\n  {} ", step.name)), "{answer}");
    }
}

#[test]
fn a_chosen_step_runs_alone() {
    let (code, answer, complaint) = run(&["test", "--only", "format"]);
    assert!(answer.starts_with("[1/1] format: "), "{answer}{complaint}");
    assert!(answer.contains("Summary\n  format: "), "{answer}{complaint}");
    assert_eq!(code == Some(0), answer.contains("\npassed after "), "{answer}{complaint}");
}
