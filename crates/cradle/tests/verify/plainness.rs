//! Answers to pipes, to readers that leave, and to full disks.

use std::io::pipe;
use std::process::Stdio;

use crate::cradle::{STRATEGIES, answer, cradle, verify};

#[test]
fn a_pipe_gets_plain_text_and_no_progress() {
    for strategy in STRATEGIES {
        let answer = verify(&["--without", strategy]);
        assert!(!answer.out.contains('\x1b') && answer.err.is_empty(), "{answer:?}");
        assert!(answer.out.is_ascii(), "{}", answer.out);
        assert!(answer.out.lines().all(|line| line == line.trim_end()), "{}", answer.out);
    }
}

#[test]
fn no_color_and_a_pipe_mean_plain_text() {
    let mut command = cradle(&["verify", "tic-tac-toe", "--without", "PreventXFork"]);
    let plain = answer(command.env("NO_COLOR", "1"));
    assert!(!plain.out.contains('\x1b') && plain.err.is_empty());
    let coloured = answer(command.env("CLICOLOR_FORCE", "1").env_remove("NO_COLOR"));
    assert!(!coloured.out.contains('\x1b'), "a pipe stays plain");
}

#[test]
fn a_reader_that_leaves_is_no_failure() {
    for arguments in [&["verify", "tic-tac-toe"][..], &["verify", "tic-tac-toe", "--json"]] {
        let (reader, writer) = pipe().expect("there are pipes");
        drop(reader);
        let mut command = cradle(arguments);
        let output = command.stdout(writer).stderr(Stdio::piped()).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        assert_eq!(output.status.code(), Some(0));
    }
}

#[test]
fn a_violation_has_its_exit_code_even_if_nobody_reads_it() {
    let (reader, writer) = pipe().expect("there are pipes");
    drop(reader);
    let mut command = cradle(&["verify", "tic-tac-toe", "--without", "DefaultMoves"]);
    assert_eq!(command.stdout(writer).status().unwrap().code(), Some(1));
}

#[test]
fn an_error_that_nobody_reads_is_no_panic() {
    let (reader, writer) = pipe().expect("there are pipes");
    drop(reader);
    let mut command = cradle(&["verify", "checkers"]);
    assert_eq!(command.stderr(writer).status().unwrap().code(), Some(2));
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_cuts_the_answer_short() {
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = cradle(&["verify", "tic-tac-toe"]);
    let output = command.stdout(full()).stderr(Stdio::piped()).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with("error: standard output cannot be written: "), "{said}");
    assert_eq!((said.lines().count(), output.status.code()), (1, Some(3)));

    let answer = verify(&["--dot", "/dev/full"]);
    assert!(answer.err.starts_with("error: the drawing cannot be written to /dev/full: "));
    assert_eq!((answer.err.lines().count(), answer.code), (1, 3));
}
