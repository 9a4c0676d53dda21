//! Drawings of the states.

use std::fs::read_to_string;
use std::path::{Path, PathBuf};

use expect_test::expect;

use crate::cradle::{verified, verify};

/// A file that belongs to one test.
fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn text(path: &Path) -> &str {
    path.to_str().expect("the folder of the tests has a plain name")
}

#[test]
fn the_states_are_drawn_for_graphviz() {
    let path = file("for_graphviz.dot");
    let arguments = ["--without", "PreventXFork", "--graph-states", "12", "--dot", text(&path)];
    let (code, said) = verified(&arguments);
    expect![[r#"
        digraph states {
          node [shape=circle, fontsize=10];
          0 [label="0", color=red, penwidth=2];
          1 [label="1", color=red, penwidth=2];
          2 [label="2"];
          3 [label="3"];
          4 [label="4"];
          5 [label="5"];
          6 [label="6"];
          7 [label="7"];
          8 [label="8"];
          9 [label="9"];
          10 [label="10", color=red, penwidth=2];
          11 [label="11"];
          12 [label="12", color=red, penwidth=2];
          13 [label="13", color=red, penwidth=2];
          14 [label="14", color=red, penwidth=2];
          15 [label="15", color=red, penwidth=2];
          16 [label="16", color=red, penwidth=2];
          17 [label="17", shape=doublecircle, color=red, penwidth=2];
          0 -> 1 [label="X a1", color=red, penwidth=2];
          0 -> 2 [label="X b1"];
          0 -> 3 [label="X c1"];
          0 -> 4 [label="X a2"];
          0 -> 5 [label="X b2"];
          0 -> 6 [label="X c2"];
          0 -> 7 [label="X a3"];
          0 -> 8 [label="X b3"];
          0 -> 9 [label="X c3"];
          1 -> 10 [label="O b2", color=red, penwidth=2];
          2 -> 11 [label="O b2"];
          10 -> 12 [label="X b3", color=red, penwidth=2];
          12 -> 13 [label="O c1", color=red, penwidth=2];
          13 -> 14 [label="X a3", color=red, penwidth=2];
          14 -> 15 [label="O c3", color=red, penwidth=2];
          15 -> 16 [label="X a2", color=red, penwidth=2];
          16 -> 17 [label="XWin", color=red, penwidth=2];
          more [label="and 614 more states", shape=plaintext];
        }
    "#]]
    .assert_eq(&read_to_string(&path).unwrap());
    let told = format!("18 of 632 states drawn into {}\n", path.display());
    assert!(said.contains(&told), "{said}");
    assert_eq!(code, 1);
}

#[test]
fn the_states_are_drawn_for_mermaid() {
    let path = file("for_mermaid.mmd");
    let arguments = ["--without", "DefaultMoves", "--graph-states", "3", "--mermaid", text(&path)];
    assert_eq!(verified(&arguments).0, 1);
    expect![[r#"
        flowchart TD
          s0(("0"))
          style s0 stroke:red,stroke-width:3px
          s1((("1")))
          style s1 stroke:red,stroke-width:3px
          s2((("2")))
          s0 -->|"X a1"| s1
          linkStyle 0 stroke:red,stroke-width:3px
          s0 -->|"X b1"| s2
          more["and 7 more states"]
    "#]]
    .assert_eq(&read_to_string(&path).unwrap());
}

#[test]
fn five_hundred_states_are_drawn_into_both_files_by_default() {
    let (dot, mermaid) = (file("both.dot"), file("both.mmd"));
    let (code, said) = verified(&["--dot", text(&dot), "--mermaid", text(&mermaid)]);
    assert_eq!(code, 0);
    assert_eq!(said.matches("500 of 641 states drawn into ").count(), 2);
    let drawn = [&dot, &mermaid].map(|path| read_to_string(path).unwrap());
    assert!(drawn[0].starts_with("digraph") && drawn[1].starts_with("flowchart"));
    assert!(drawn.iter().all(|text| text.contains("and 141 more states")));
    assert_eq!(drawn[0].matches(" -> ").count(), drawn[1].matches(" -->").count());
}

#[test]
fn an_earlier_drawing_is_replaced() {
    let path = file("replaced.dot");
    for states in ["100", "2"] {
        assert_eq!(verified(&["--graph-states", states, "--dot", text(&path)]).0, 0);
    }
    let drawn = read_to_string(&path).unwrap();
    assert!(drawn.ends_with("}\n") && drawn.matches(" -> ").count() == 1, "{drawn}");
}

#[test]
fn a_file_that_cannot_be_written_is_refused_in_one_sentence() {
    for option in ["--dot", "--mermaid"] {
        let path = file("no such folder").join("states");
        let answer = verify(&[option, text(&path)]);
        let beginning = format!("error: the drawing cannot be written to {}: ", path.display());
        assert!(answer.err.starts_with(&beginning), "{}", answer.err);
        assert_eq!(answer.err.lines().count(), 1);
        assert_eq!((answer.code, answer.out.as_str()), (2, ""));
    }
}

#[test]
fn two_drawings_need_two_files() {
    let path = file("one.dot");
    let answer = verify(&["--dot", text(&path), "--mermaid", text(&path)]);
    assert_eq!(answer.err, "error: --dot and --mermaid need a file each\n");
    assert_eq!(answer.code, 2);
    assert!(!path.exists());
}

#[test]
fn a_refused_request_touches_no_file() {
    let path = file("untouched.dot");
    assert_eq!(verify(&["--dot", text(&path), "--without", "Nobody"]).code, 2);
    assert!(!path.exists());
}

#[test]
fn a_dash_is_standard_output_and_the_report_goes_to_standard_error() {
    for (option, beginning) in [("--dot", "digraph states {"), ("--mermaid", "flowchart TD")] {
        let answer = verify(&[option, "-", "--graph-states", "3"]);
        assert_eq!(answer.code, 0);
        assert!(answer.out.starts_with(beginning), "{}", answer.out);
        assert!(!answer.out.contains("holds"), "{}", answer.out);
        assert!(answer.err.contains("X never wins: holds\n"), "{}", answer.err);
        let drawn = "3 of 641 states drawn into standard output\n";
        assert!(answer.err.contains(drawn), "{}", answer.err);
    }
    assert!(!Path::new("-").exists());
    let both = verify(&["--dot", "-", "--mermaid", "-"]);
    let refusal = "error: --dot and --mermaid need a file each\n";
    assert_eq!((both.code, both.err.as_str()), (2, refusal));
}
