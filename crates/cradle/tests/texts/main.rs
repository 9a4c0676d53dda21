//! Games and programs in files: `cradle check`, `fmt`, `verify`, `run`, `draw` and `play`.

mod drawing;
mod language_server;
#[path = "../play/pseudo_terminal.rs"]
mod pseudo_terminal;
mod replaying;
mod running;
mod typing;
mod verifying;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use expect_test::{Expect, expect};
use tempfile::TempDir;

const NIM: &str = include_str!("../../../../games/nim.cradle");
const DINING: &str = include_str!("../../../../games/dining.cradle");
const CROSSING: &str = include_str!("../../../../games/crossing.cradle");

struct Texts(TempDir);

impl Texts {
    /// A folder with one text.
    fn with(name: &str, text: &str) -> Self {
        let folder = TempDir::new().expect("a folder can be created");
        fs::write(folder.path().join(name), text).expect("the file can be written");
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The exit code, standard output and standard error of the command in the folder.
    fn run(&self, arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
        run(self.0.path(), arguments, input)
    }
}

fn run(folder: &Path, arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_cradle"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command can be launched");
    // A command that refuses its arguments does not read.
    drop(child.stdin.take().expect("the input is piped").write_all(input.as_bytes()));
    let Output { status, stdout, stderr } = child.wait_with_output().expect("the command ends");
    let text = |bytes| String::from_utf8(bytes).expect("the output is text");
    (status.code(), text(stdout), text(stderr))
}

/// What the command says, after its exit code.
fn check(texts: &Texts, arguments: &[&str], expected: &Expect) {
    let (code, out, err) = texts.run(arguments, "");
    let out = steady(&out);
    expected.assert_eq(&format!("{}\n{out}{err}", code.expect("no signal ended the command")));
}

/// The output without time, threads and memory.
fn steady(out: &str) -> String {
    let is_cost = |line: &&str| line.contains(" of memory at most");
    let lines = out.split_inclusive('\n');
    lines.filter(|line| !is_cost(line)).collect()
}

#[test]
fn check_tells_all_mistakes_at_once() {
    let text =
        NIM.replace("wait for take(first)", "wait for taks(first)").replace("..most", "..mots");
    let texts = Texts::with("nim.cradle", &text);
    check(
        &texts,
        &["check", "nim.cradle"],
        &expect![[r#"
        1
        nim.cradle:7:16: mistake [unknown-name]: nothing is called `mots`; did you mean `most`?
          |
        7 | set count = 1..mots
          |                ^^^^
        nim.cradle:8:15: mistake [unknown-name]: nothing is called `mots`; did you mean `most`?
          |
        8 | set left = 0..mots
          |               ^^^^
        nim.cradle:19:14: mistake [unknown-event]: no event is called `taks`
           |
        19 |     wait for taks(first), block take(second)
           |              ^^^^
        nim.cradle: 3 mistakes, 0 warnings
    "#]],
    );
}

#[test]
fn check_finds_nothing_in_a_text_without_mistakes() {
    let texts = Texts::with("nim.cradle", NIM);
    check(
        &texts,
        &["check", "nim.cradle", "most=4"],
        &expect![[r#"
        0
        nim.cradle: 0 mistakes, 0 warnings
    "#]],
    );
    check(
        &texts,
        &["check", "nim.cradle", "mots=4"],
        &expect![[r#"
        1
        nim.cradle:1:1: mistake [unknown-parameter]: no parameter is called `mots`: there are most; did you mean `most`?
          |
        1 | # Take from one heap; who takes the last one wins.
          | ^
        nim.cradle: 1 mistake, 0 warnings
    "#]],
    );
    check(
        &texts,
        &["check", "nim.cradle", "--json"],
        &expect![[r#"
        0
        {
          "file": "nim.cradle",
          "diagnostics": []
        }
    "#]],
    );
}

#[test]
fn check_answers_editors_as_json() {
    let texts =
        Texts::with("a.cradle", "program a\nevent b\nevent c\nthread A: request c, wait for d\n");
    check(
        &texts,
        &["check", "a.cradle", "--json"],
        &expect![[r#"
        1
        {
          "file": "a.cradle",
          "diagnostics": [
            {
              "code": "unknown-event",
              "severity": "mistake",
              "message": "no event is called `d`",
              "start": {
                "line": 4,
                "column": 31
              },
              "end": {
                "line": 4,
                "column": 32
              }
            }
          ]
        }
    "#]],
    );
}

#[test]
fn a_file_that_does_not_exist_is_wrong_usage() {
    let texts = Texts::with("nim.cradle", NIM);
    check(
        &texts,
        &["check", "min.cradle"],
        &expect![[r#"
        2
        error: min.cradle cannot be read: No such file or directory (os error 2)
    "#]],
    );
    check(
        &texts,
        &["play", "min.cradle"],
        &expect![[r#"
        2
        error: min.cradle cannot be read: No such file or directory (os error 2)
    "#]],
    );
}

#[test]
fn what_is_no_regular_file_is_refused_instead_of_being_waited_for() {
    let texts = Texts::with("nim.cradle", NIM);
    let made = Command::new("mkfifo").arg(texts.path("pipe.cradle")).status();
    assert!(made.expect("coreutils provides mkfifo").success());
    fs::create_dir(texts.path("folder.cradle")).unwrap();
    for file in ["pipe.cradle", "folder.cradle", "/dev/null"] {
        for command in ["check", "fmt"] {
            let (code, out, err) = texts.run(&[command, file], "");
            let expected = format!("error: {file} is no regular file, so it was not read\n");
            assert_eq!((code, out.as_str(), err), (Some(2), "", expected));
        }
    }
    let (code, _, err) = texts.run(&["run", "nim.cradle", "--from", "pipe.cradle"], "");
    assert_eq!(code, Some(2));
    assert!(err.contains("no regular file"), "{err}");
}

#[test]
fn standard_input_is_checked_and_formatted() {
    let texts = Texts::with("nim.cradle", NIM);
    let (code, out, _) = texts.run(&["check", "-"], NIM);
    assert_eq!((code, out.as_str()), (Some(0), "standard input: 0 mistakes, 0 warnings\n"));
    let (code, out, _) = texts.run(&["check", "-"], "program p\nevnt a\n");
    assert_eq!(code, Some(1));
    assert!(out.starts_with("standard input:2:1: mistake [unknown-word]"), "{out}");
    let untidy = NIM.replace("  block any\n", "      block   any\n");
    let (code, out, _) =
        texts.run(&["fmt", "-"], &untidy.replace("  wait for win", "      wait for win"));
    assert_eq!((code, out.as_str()), (Some(0), NIM));
    let (code, out, _) = texts.run(&["fmt", "--check", "-"], NIM);
    assert_eq!((code, out.as_str()), (Some(0), ""));
}

#[test]
fn fmt_writes_a_file_in_one_form_once() {
    let texts = Texts::with(
        "nim.cradle",
        &NIM.replace("  wait for win\n", "      wait  for   win # over\n")
            .replace("  block any\n", "      block any\n"),
    );
    check(
        &texts,
        &["fmt", "--check", "nim.cradle"],
        &expect![[r#"
        1
        nim.cradle is not in form
    "#]],
    );
    check(
        &texts,
        &["fmt", "nim.cradle"],
        &expect![[r#"
        0
        nim.cradle was changed
    "#]],
    );
    check(
        &texts,
        &["fmt", "nim.cradle"],
        &expect![[r#"
        0
    "#]],
    );
    let formatted = fs::read_to_string(texts.path("nim.cradle")).unwrap();
    assert_eq!(formatted, NIM.replace("  wait for win\n", "  wait for win  # over\n"));
    assert_eq!(fs::read_dir(texts.0.path()).unwrap().count(), 1, "nothing is left behind");
}

#[test]
fn a_file_from_windows_is_read_and_put_in_form() {
    for text in [format!("\u{feff}{NIM}"), NIM.replace('\n', "\r\n")] {
        let texts = Texts::with("nim.cradle", &text);
        let (code, out, err) = texts.run(&["check", "nim.cradle"], "");
        assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
        assert_eq!(texts.run(&["fmt", "--check", "nim.cradle"], "").0, Some(1));
        assert_eq!(texts.run(&["fmt", "nim.cradle"], "").0, Some(0));
        assert_eq!(fs::read_to_string(texts.path("nim.cradle")).unwrap(), NIM);
        assert_eq!(texts.run(&["fmt", "--check", "nim.cradle"], "").0, Some(0));
    }
}

#[test]
fn fmt_does_not_change_a_file_with_mistakes() {
    let texts = Texts::with("a.cradle", "program a\nevent (\n");
    check(
        &texts,
        &["fmt", "a.cradle"],
        &expect![[r#"
        1
        a.cradle has 1 mistake
        a.cradle:2:7: mistake [unexpected]: expected the name of the event, but found `(`
          |
        2 | event (
          |       ^
        a.cradle was not changed
    "#]],
    );
    assert_eq!(fs::read_to_string(texts.path("a.cradle")).unwrap(), "program a\nevent (\n");
}

#[test]
fn verify_proves_a_text_or_shows_what_breaks_it_with_lines() {
    let texts = Texts::with("dining.cradle", DINING);
    check(
        &texts,
        &["verify", "dining.cradle", "n=3"],
        &expect![[r#"
            1
            dining:n=3: Philosophers around a table

            NobodyStarves: violated: every requested event is blocked (in 1 state)

            A shortest run in which every requested event is blocked:

              1  pick(1, 1)  wanted by Philosopher(1) (line 10)
              2  pick(2, 2)  wanted by Philosopher(2) (line 10)
              3  pick(3, 3)  wanted by Philosopher(3) (line 10)

            Then nothing can happen: Philosopher(1) wants pick(1, 2), blocked by Stick(2);
            Philosopher(2) wants pick(2, 3), blocked by Stick(3); Philosopher(3) wants
            pick(3, 1), blocked by Stick(1).

            35 states, 75 edges, depth 7, 1 terminal, 1 stuck
            Complete: every state was seen.
        "#]],
    );
    let texts = Texts::with("crossing.cradle", CROSSING);
    check(
        &texts,
        &["verify", "crossing.cradle"],
        &expect![[r#"
            0
            crossing: A level crossing

            NoCrash: holds
            TrainsPass: holds
            NobodyIsStuck: holds

            7 states, 10 edges, depth 4, 0 terminal, 0 stuck
            Complete: every state was seen.
        "#]],
    );
    let arguments = ["verify", "crossing.cradle", "--without", "Signal", "--property", "NoCrash"];
    check(
        &texts,
        &arguments,
        &expect![[r#"
            1
            crossing: A level crossing
            without Signal

            NoCrash: violated: a car meets a train (in 13 states)

            A shortest run in which a car meets a train:

              1  approach  wanted by Train (line 12)
              2  lower     wanted by Barrier (line 23)
              3  enter     wanted by Train (line 12)
              4  leave     wanted by Train (line 12)
              5  approach  wanted by Train (line 12)
              6  enter     wanted by Train (line 12)
              7  raise     wanted by Barrier (line 23)
              8  car_in    wanted by Cars (line 18)

            25 states, 40 edges, depth 17, 0 terminal, 0 stuck
            Complete: every state was seen.
        "#]],
    );
}

#[test]
fn verify_says_what_it_did_not_find_out_and_what_it_cannot_do() {
    let texts = Texts::with("crossing.cradle", CROSSING);
    check(
        &texts,
        &["verify", "crossing.cradle", "--property", "NoCrsh"],
        &expect![[r#"
        2
        error: no property is called "NoCrsh"; known, nearest first: NoCrash, NobodyIsStuck, TrainsPass
    "#]],
    );
    check(
        &texts,
        &["verify", "crossing.cradle", "--max-states", "3"],
        &expect![[r#"
            3
            crossing: A level crossing

            NoCrash: not settled
            TrainsPass: not settled
            NobodyIsStuck: not settled

            3 states, 4 edges, depth 1, 0 terminal, 0 stuck
            Cut short by --max-states 3: more states follow.
        "#]],
    );
}

#[test]
fn verify_answers_as_json() {
    let texts = Texts::with("dining.cradle", DINING);
    let (code, out, err) = texts.run(&["verify", "dining.cradle", "n=2", "--json"], "");
    assert_eq!((code, err.as_str()), (Some(1), ""));
    let answer: serde_json::Value = serde_json::from_str(&out).expect("the answer is JSON");
    assert_eq!((&answer["game"], &answer["verdict"]), (&"dining:n=2".into(), &"violated".into()));
    assert_eq!((&answer["counts"]["states"], &answer["counts"]["edges"]), (&10.into(), &14.into()));
    let property = &answer["properties"][0];
    assert_eq!(property["name"], "NobodyStarves");
    assert_eq!(property["found"], "every requested event is blocked");
    let trace = &property["trace"];
    assert_eq!(trace["events"], serde_json::json!(["pick(1, 1)", "pick(2, 2)"]));
    assert_eq!(trace["steps"][0]["by"], "Philosopher(1) (line 10)");
    assert_eq!(trace["blocked"][1]["blocked_by"], serde_json::json!(["Stick(1)"]));
}

#[test]
fn a_text_is_played_line_by_line() {
    let texts = Texts::with("nim.cradle", NIM);
    let arguments = ["play", "nim.cradle:most=1", "--against", "human"];
    let (code, out, err) = texts.run(&arguments, "a-1\na-1\nb-1\nc-1\nquit\n");
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(out.contains("There are not so many on that heap"), "{out}");
    assert!(out.contains("first"), "{out}");
}

#[test]
fn a_text_is_counted_and_a_program_is_not_played() {
    let texts = Texts::with("nim.cradle", NIM);
    let (code, out, _) = texts.run(&["perft", "nim.cradle:most=1", "3"], "");
    assert_eq!(code, Some(0));
    let counts: Vec<&str> =
        out.lines().skip(1).filter_map(|line| line.split_whitespace().nth(1)).collect();
    assert_eq!(counts, ["1", "3", "6", "6"]);
    let texts = Texts::with("dining.cradle", DINING);
    check(
        &texts,
        &["play", "dining.cradle"],
        &expect![[r#"
        2
        error: dining is a program and has no moves: begin with `game` to have some
    "#]],
    );
}

#[test]
fn the_texts_of_the_repository_have_no_mistakes_and_no_warnings_and_are_in_form() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let mut files: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    assert_eq!(files.len(), 21, "the tests of the crate notation list them all: {files:?}");
    for file in files {
        let (code, out, err) = run(&folder, &["check", &file], "");
        assert_eq!((code, out), (Some(0), format!("{file}: 0 mistakes, 0 warnings\n")), "{err}");
        assert_eq!(run(&folder, &["fmt", "--check", &file], "").0, Some(0), "{file}");
    }
}
