//! Games and programs in files: `cradle check`, `fmt`, `verify` and `play`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use expect_test::{Expect, expect};
use tempfile::TempDir;

const NIM: &str = include_str!("../../../notation/tests/programs/nim.cradle");
const DINING: &str = include_str!("../../../notation/tests/programs/dining.cradle");
const CROSSING: &str = include_str!("../../../notation/tests/programs/crossing.cradle");

struct Texts(TempDir);

impl Texts {
    /// A folder with one text.
    fn with(name: &str, text: &str) -> Self {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join(name), text).unwrap();
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
        .unwrap();
    // A command that refuses its arguments does not read.
    drop(child.stdin.take().unwrap().write_all(input.as_bytes()));
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code(), text(stdout), text(stderr))
}

/// What the command says, after its exit code.
fn check(texts: &Texts, arguments: &[&str], expected: &Expect) {
    let (code, out, err) = texts.run(arguments, "");
    expected.assert_eq(&format!("{}\n{out}{err}", code.unwrap()));
}

#[test]
fn check_tells_all_mistakes_at_once() {
    let text =
        NIM.replace("wait for take(first)", "wait for taks(first)").replace("..most", "..mots");
    let texts = Texts::with("nim.cradle", &text);
    check(&texts, &["check", "nim.cradle"], &expect![[r#""#]]);
}

#[test]
fn check_finds_nothing_in_a_text_without_mistakes() {
    let texts = Texts::with("nim.cradle", NIM);
    check(&texts, &["check", "nim.cradle", "most=4"], &expect![[r#""#]]);
    check(&texts, &["check", "nim.cradle", "mots=4"], &expect![[r#""#]]);
    check(&texts, &["check", "nim.cradle", "--json"], &expect![[r#""#]]);
}

#[test]
fn check_answers_editors_as_json() {
    let texts =
        Texts::with("a.cradle", "program a\nevent b\nevent c\nthread A: request c, wait for d\n");
    check(&texts, &["check", "a.cradle", "--json"], &expect![[r#""#]]);
}

#[test]
fn a_file_that_does_not_exist_is_wrong_usage() {
    let texts = Texts::with("nim.cradle", NIM);
    check(&texts, &["check", "min.cradle"], &expect![[r#""#]]);
    check(&texts, &["play", "min.cradle"], &expect![[r#""#]]);
}

#[test]
fn fmt_writes_a_file_in_one_form_once() {
    let texts = Texts::with(
        "nim.cradle",
        &NIM.replace("  wait for win\n", "      wait  for   win # over\n")
            .replace("  block any\n", "      block any\n"),
    );
    check(&texts, &["fmt", "--check", "nim.cradle"], &expect![[r#""#]]);
    check(&texts, &["fmt", "nim.cradle"], &expect![[r#""#]]);
    check(&texts, &["fmt", "nim.cradle"], &expect![[r#""#]]);
    let formatted = fs::read_to_string(texts.path("nim.cradle")).unwrap();
    assert_eq!(formatted, NIM.replace("  wait for win\n", "  wait for win  # over\n"));
    assert_eq!(fs::read_dir(texts.0.path()).unwrap().count(), 1, "nothing is left behind");
}

#[test]
fn fmt_does_not_change_a_file_with_mistakes() {
    let texts = Texts::with("a.cradle", "program a\nevent (\n");
    check(&texts, &["fmt", "a.cradle"], &expect![[r#""#]]);
    assert_eq!(fs::read_to_string(texts.path("a.cradle")).unwrap(), "program a\nevent (\n");
}

#[test]
fn verify_proves_a_text_or_shows_what_breaks_it_with_lines() {
    let texts = Texts::with("dining.cradle", DINING);
    check(&texts, &["verify", "dining.cradle", "n=3"], &expect![[r#""#]]);
    let texts = Texts::with("crossing.cradle", CROSSING);
    check(&texts, &["verify", "crossing.cradle"], &expect![[r#""#]]);
    let arguments = ["verify", "crossing.cradle", "--without", "Signal", "--property", "NoCrash"];
    check(&texts, &arguments, &expect![[r#""#]]);
    check(&texts, &["verify", "crossing.cradle", "--property", "NoCrsh"], &expect![[r#""#]]);
    check(&texts, &["verify", "crossing.cradle", "--max-states", "3"], &expect![[r#""#]]);
    check(&texts, &["verify", "crossing.cradle", "--dot", "-"], &expect![[r#""#]]);
}

#[test]
fn verify_answers_as_json() {
    let texts = Texts::with("dining.cradle", DINING);
    check(&texts, &["verify", "dining.cradle", "n=2", "--json"], &expect![[r#""#]]);
}

#[test]
fn a_text_is_played_line_by_line() {
    let texts = Texts::with("nim.cradle", NIM);
    let arguments = ["play", "nim.cradle", "most=1", "--against", "human"];
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
    check(&texts, &["play", "dining.cradle"], &expect![[r#""#]]);
}
