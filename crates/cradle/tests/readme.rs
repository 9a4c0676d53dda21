//! What the README and the documentation show of the command is what it answers.

use std::process::Command;

/// A command line of a page, and lines of its answer.
#[derive(Debug)]
struct Shown<'a> {
    arguments: Vec<&'a str>,
    lines: Vec<&'a str>,
}

/// The commands in the blocks of a page that are marked as `console`.
fn shown(page: &str) -> Vec<Shown<'_>> {
    let blocks = page.split("```console\n").skip(1);
    let blocks = blocks.filter_map(|rest| rest.split("\n```").next());
    let mut shown: Vec<Shown<'_>> = Vec::new();
    for line in blocks.flat_map(str::lines).filter(|line| !line.is_empty()) {
        match (line.strip_prefix("$ cradle "), shown.last_mut()) {
            (Some(command), _) => shown
                .push(Shown { arguments: command.split_whitespace().collect(), lines: Vec::new() }),
            (None, Some(last)) => last.lines.push(line),
            (None, None) => unreachable!("{line:?} answers no command"),
        }
    }
    shown
}

/// Runs each command of a page; the lines that the page shows are in its answer, in this order.
#[track_caller]
fn check(page: &str, commands: usize) {
    let shown = shown(page);
    assert_eq!(shown.len(), commands);
    for Shown { arguments, lines } in shown {
        assert!(!lines.is_empty(), "{arguments:?} is shown without an answer");
        let output = Command::new(env!("CARGO_BIN_EXE_cradle")).args(&arguments).output();
        let output = output.expect("the command can be run");
        let answer = String::from_utf8(output.stdout).expect("the command prints text");
        let mut answered = answer.lines();
        for line in lines {
            assert!(answered.any(|found| found == line), "{arguments:?}: {line:?} in\n{answer}");
        }
    }
}

#[test]
fn the_readme_shows_what_the_command_answers() {
    check(include_str!("../../../README.md"), 3);
}

#[test]
fn the_page_about_the_command_shows_what_it_answers() {
    check(include_str!("../../../docs/command.md"), 1);
}

#[test]
#[should_panic(expected = "X never loses")]
fn a_page_that_shows_something_else_is_refused() {
    check("```console\n$ cradle verify tic-tac-toe\nX never loses: holds\n```\n", 1);
}
