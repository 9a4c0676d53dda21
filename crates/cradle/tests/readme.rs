//! What the README and the documentation show of the command is what it answers.

use std::process::Command;

/// A command line of a page, and lines of its answer.
#[derive(Debug)]
struct ShownCommand<'a> {
    arguments: Vec<&'a str>,
    lines: Vec<&'a str>,
}

/// The commands in the blocks of a page that are marked as `console`.
fn shown(page: &str) -> Vec<ShownCommand<'_>> {
    let blocks = page.split("```console\n").skip(1);
    let blocks = blocks.filter_map(|rest| rest.split("\n```").next());
    let mut shown: Vec<ShownCommand<'_>> = Vec::new();
    for line in blocks.flat_map(str::lines).filter(|line| !line.is_empty()) {
        match (line.strip_prefix("$ cradle "), shown.last_mut()) {
            (Some(command), _) => shown.push(ShownCommand {
                arguments: command.split_whitespace().collect(),
                lines: Vec::new(),
            }),
            (None, Some(last)) => last.lines.push(line),
            (None, None) => unreachable!("{line:?} answers no command"),
        }
    }
    shown
}

/// Stands for lines of an answer that a page leaves out.
const LEFT_OUT: &str = "…";

/// Whether these lines are the answer, except where lines are marked as left out.
fn is_answer(shown: &[&str], answer: &[&str]) -> bool {
    match (shown.split_first(), answer.split_first()) {
        (None, None) => true,
        (Some((&LEFT_OUT, rest)), _) => {
            (0..=answer.len()).any(|skipped| is_answer(rest, &answer[skipped..]))
        }
        (Some((line, shown)), Some((found, answer))) => line == found && is_answer(shown, answer),
        (None, Some(_)) | (Some(_), None) => false,
    }
}

/// Runs each command of a page: the page shows its whole answer, or marks what it leaves out.
#[track_caller]
fn check(page: &str, commands: usize) {
    let shown = shown(page);
    assert_eq!(shown.len(), commands);
    for ShownCommand { arguments, lines } in shown {
        assert!(!lines.is_empty(), "{arguments:?} is shown without an answer");
        let output = Command::new(env!("CARGO_BIN_EXE_cradle")).args(&arguments).output();
        let output = output.expect("the command can be run");
        let answer = String::from_utf8(output.stdout).expect("the command prints text");
        let answered: Vec<&str> = answer.lines().filter(|line| !line.is_empty()).collect();
        assert!(is_answer(&lines, &answered), "{arguments:?}: {lines:#?} in\n{answer}");
    }
}

#[test]
fn the_readme_shows_what_the_command_answers() {
    check(include_str!("../../../README.md"), 3);
}

#[test]
#[should_panic(expected = "X never loses")]
fn a_page_that_shows_something_else_is_refused() {
    check("```console\n$ cradle verify tic-tac-toe\n…\nX never loses: holds\n…\n```\n", 1);
}

#[test]
fn a_page_that_leaves_out_lines_marks_them() {
    assert!(is_answer(&["a", "b"], &["a", "b"]));
    assert!(is_answer(&["…", "b", "…"], &["a", "b"]));
    for shown in [&["b"][..], &["a"], &["a", "c"], &["…", "a"], &["b", "…"]] {
        assert!(!is_answer(shown, &["a", "b", "c"]), "{shown:?}");
    }
}
