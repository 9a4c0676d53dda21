//! Outputs that cannot be written, and texts that must not reach a terminal as they are.

use std::fs::File;
use std::process::{Command, Output, Stdio};

fn cradle(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cradle"));
    command.args(arguments).stdin(Stdio::null());
    command
}

/// An output that fails because the disk is full.
fn full() -> File {
    File::options().write(true).open("/dev/full").expect("Linux has it")
}

#[test]
fn an_output_that_cannot_be_written_is_a_failure() {
    for arguments in [
        &["--help"][..],
        &["--version"],
        &["play", "--help"],
        &["games"],
        &["verify", "tic-tac-toe"],
    ] {
        let output = cradle(arguments).stdout(full()).output().expect("it can be run");
        assert_eq!(output.status.code(), Some(3), "{arguments:?}");
        let said = String::from_utf8(output.stderr).expect("it speaks text");
        assert!(said.starts_with("error: standard output cannot be written: "), "{said}");
    }
}

#[test]
fn a_report_on_standard_error_that_cannot_be_written_is_a_failure() {
    let arguments = ["verify", "tic-tac-toe", "--dot", "-"];
    let status = cradle(&arguments).stdout(Stdio::null()).stderr(full()).status();
    assert_eq!(status.expect("it can be run").code(), Some(3));
    let fine = cradle(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
    assert_eq!(fine.expect("it can be run").code(), Some(0));
}

#[test]
fn no_argument_commands_the_terminal() {
    const RED: &str = "\u{1b}[31mred\u{7}";
    for arguments in [
        &[RED][..],
        &["--", RED],
        &["play", RED],
        &["play", "--seat", RED],
        &["play", "--seed", RED],
        &["play", "--against", RED],
        &["play", "--charset", RED],
        &["match", "pig", RED, "random"],
        &["match", "pig", "random", "random", RED],
        &["replay", RED],
        &["replay", "-", "--game", RED],
        &["perft", "pig", RED],
        &["verify", RED],
        &["verify", "tic-tac-toe", "--without", RED],
        &["verify", "tic-tac-toe", "--dot", "no/\u{1b}[31m/folder"],
    ] {
        let Output { status, stdout, stderr } = cradle(arguments).output().expect("it can be run");
        assert_eq!(status.code(), Some(2), "{arguments:?}");
        let is_command = |byte: &u8| byte.is_ascii_control() && *byte != b'\n';
        assert!(!stdout.iter().chain(&stderr).any(is_command), "{arguments:?}");
        assert!(!stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn a_number_that_cannot_be_read_is_answered_with_what_to_write() {
    for (arguments, expected) in [
        (&["play", "--seed", "ten"][..], "write a whole number from 0 to 18446744073709551615"),
        (&["perft", "pig", "101"], "write a whole number from 0 to 100"),
        (&["verify", "tic-tac-toe", "--threads", "0"], "write a whole number from 1 to 256"),
    ] {
        let output = cradle(arguments).output().expect("it can be run");
        let said = String::from_utf8(output.stderr).expect("it speaks text");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(said.contains(expected), "{said}");
    }
}
