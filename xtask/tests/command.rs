//! What the command answers.

use std::process::Command;

/// Runs the command and compares its exit code and the beginning of what it says.
fn check(arguments: &[&str], code: i32, beginning: &str) {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask"))
        .args(arguments)
        .output()
        .expect("the command was built with this test");
    let said = String::from_utf8(output.stderr).expect("the command speaks text");
    assert_eq!(output.status.code(), Some(code), "{said}");
    assert!(said.starts_with(beginning), "{said}");
}

#[test]
fn wrong_usage_is_answered_with_the_usage() {
    for arguments in [&[][..], &["help"], &["tests"], &["test", "twice"]] {
        check(arguments, 2, "Usage: cargo xtask serve");
    }
}

#[test]
fn serve_says_that_there_is_nothing_to_serve() {
    check(&["serve"], 1, "There is nothing to serve yet");
}
