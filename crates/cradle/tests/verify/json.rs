//! The report as JSON.

use expect_test::expect;
use serde_json::Value;

use crate::cradle::{STRATEGIES, verify};

/// The report as JSON.
fn json(arguments: &[&str]) -> Value {
    let answer = verify(&[arguments, &["--json"]].concat());
    assert_eq!(answer.err, "", "{arguments:?}");
    serde_json::from_str(&answer.out).expect("the answer is JSON")
}

/// The report without what differs from run to run.
fn steady(arguments: &[&str]) -> Value {
    let mut json = json(arguments);
    for name in ["seconds", "peak_memory_bytes", "threads"] {
        json[name] = Value::Null;
    }
    json
}

fn texts<'a>(value: &'a Value, name: &str) -> Vec<&'a str> {
    let items = value[name].as_array().expect("it is a list");
    items.iter().map(|item| item.as_str().expect("of texts")).collect()
}

fn items<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().expect("it is a list")
}

fn word(value: &Value) -> &str {
    value.as_str().expect("it is text")
}

#[test]
fn the_report_of_a_proof_has_these_fields() {
    let mut json = steady(&[]);
    let alone = json["rules_alone"].take();
    assert_eq!([&alone["full"]["states"], &alone["reduced"]["states"]], [6404, 903]);
    assert_eq!(alone["symmetries"], 8);
    let text = serde_json::to_string_pretty(&json).unwrap();
    expect![[r#"
        {
          "about": "O by its strategies against every X",
          "counts": {
            "depth": 10,
            "edges": 783,
            "states": 641,
            "stuck": 0,
            "terminal": 130
          },
          "coverage": "complete",
          "drawings": [],
          "game": "tic-tac-toe",
          "identity": "exact",
          "peak_memory_bytes": null,
          "properties": [
            {
              "cases": 0,
              "found": null,
              "name": "XNeverWins",
              "sentence": "X never wins",
              "trace": null,
              "verdict": "holds"
            },
            {
              "cases": 0,
              "found": null,
              "name": "ExactlyOneResult",
              "sentence": "Every game ends with exactly one result",
              "trace": null,
              "verdict": "holds"
            }
          ],
          "results": [
            {
              "result": "XWin",
              "states": 0
            },
            {
              "result": "OWin",
              "states": 121
            },
            {
              "result": "draw",
              "states": 9
            }
          ],
          "rules_alone": null,
          "seconds": null,
          "threads": null,
          "verdict": "holds",
          "without": []
        }"#]]
    .assert_eq(&text);
}

#[test]
fn the_report_of_a_violation_has_these_fields() {
    let json = steady(&["--without", "DefaultMoves"]);
    let text = serde_json::to_string_pretty(&json["properties"][1]).unwrap();
    expect![[r#"
        {
          "cases": 9,
          "found": "the program ends while ExactlyOneResult is hot",
          "name": "ExactlyOneResult",
          "sentence": "Every game ends with exactly one result",
          "trace": {
            "blocked": [
              {
                "blocked_by": [
                  "EnforceTurns",
                  "SquareTaken(a1)"
                ],
                "events": [
                  "X a1",
                  "X b1",
                  "X c1",
                  "X a2",
                  "X b2",
                  "X c2",
                  "X a3",
                  "X b3",
                  "X c3"
                ],
                "thread": "AnyX"
              }
            ],
            "cycle_from": null,
            "events": [
              "X a1"
            ],
            "start": ". . .\n. . .\n. . .",
            "steps": [
              {
                "board": "X . .\n. . .\n. . .",
                "by": "AnyX",
                "choice_of": "X",
                "event": "X a1",
                "instead_of": []
              }
            ]
          },
          "verdict": "violated"
        }"#]]
    .assert_eq(&text);
}

#[test]
fn time_threads_and_memory_are_numbers() {
    let json = json(&["--threads", "2"]);
    assert!(json["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0));
    assert_eq!(json["threads"], 2);
    let memory = &json["peak_memory_bytes"];
    let is_known = memory.as_u64().is_some_and(|bytes| bytes > 1 << 19);
    assert!(is_known || (memory.is_null() && !cfg!(target_os = "linux")), "{memory}");
}

#[test]
fn a_search_that_is_cut_short_says_by_what() {
    let json = json(&["--max-states", "50"]);
    assert_eq!(json["coverage"], serde_json::json!({"cut_short_by_states": 50}));
    assert_eq!(json["verdict"], "unknown");
}

#[test]
fn drawings_are_listed() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("listed.dot");
    let path = path.to_str().unwrap();
    let json = json(&["--dot", path, "--graph-states", "7"]);
    let expected = serde_json::json!([{"file": path, "language": "dot", "states": 7}]);
    assert_eq!(json["drawings"], expected);
}

#[test]
fn one_thread_and_two_answer_alike() {
    for strategy in STRATEGIES {
        let by = |threads| steady(&["--all", "--without", strategy, "--threads", threads]);
        assert_eq!(by("1"), by("2"), "{strategy}");
    }
}

#[test]
fn text_and_json_hold_the_same_facts() {
    let mut questions = vec![vec![], vec!["--max-states", "50"], vec!["--without", "AnyX"]];
    questions.extend(STRATEGIES.map(|strategy| vec!["--without", strategy]));
    questions.extend(STRATEGIES.map(|strategy| vec!["--all", "--without", strategy]));
    for arguments in questions {
        let (text, json) = (verify(&arguments), json(&arguments));
        let codes = [("holds", 0), ("violated", 1), ("unknown", 3)];
        let code = codes.iter().find(|(verdict, _)| json["verdict"] == *verdict).unwrap().1;
        assert_eq!(text.code, code, "{arguments:?}");
        compare(&text.out, &json);
    }
}

/// Compares the facts in a text with those in JSON.
fn compare(text: &str, json: &Value) {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let has = |fact: &str| assert!(words.contains(fact), "{fact:?} is missing in\n{text}");
    has(&format!("{}: {}", word(&json["game"]), word(&json["about"])));
    let without = texts(json, "without").join(", ");
    assert_eq!(text.contains("\nwithout "), !without.is_empty());
    has(&without);
    let counts = &json["counts"];
    has(&format!(
        "{} state{}, {} edges, depth {}, {} terminal, {} stuck",
        counts["states"],
        if counts["states"] == 1 { "" } else { "s" },
        counts["edges"],
        counts["depth"],
        counts["terminal"],
        counts["stuck"]
    ));
    has(match &json["coverage"] {
        Value::String(word) if word == "complete" => "Complete: every state was seen.",
        Value::String(_) => "Stopped at the first violation;",
        _ => "Cut short by --max-states 50:",
    });
    for property in items(json, "properties") {
        let verdict = word(&property["verdict"]).replace("unknown", "not settled");
        has(&format!("{}: {verdict}", word(&property["sentence"])));
        if verdict == "violated" {
            has(&format!("{verdict}: {}", word(&property["found"])));
            compare_games(text, &words, &property["trace"]);
        }
    }
}

/// Compares a counterexample with JSON; `words` is the text with single spaces.
fn compare_games(text: &str, words: &str, trace: &Value) {
    let steps = items(trace, "steps");
    let events: Vec<&str> = steps.iter().map(|step| word(&step["event"])).collect();
    assert_eq!(events, texts(trace, "events"));
    for (number, step) in (1..).zip(steps) {
        let reason = match step["choice_of"].as_str() {
            Some(player) => format!("{player}'s choice"),
            None => format!("wanted by {}", word(&step["by"])),
        };
        let line = format!("{number} {} {reason}", word(&step["event"]));
        assert!(words.contains(&line), "{line:?} is missing in\n{text}");
        for line in word(&step["board"]).lines() {
            assert!(text.contains(line), "{line:?} is missing in\n{text}");
        }
        for wish in items(step, "instead_of") {
            let wish = format!("{} wanted {}", word(&wish["thread"]), word(&wish["event"]));
            assert!(words.contains(&wish), "{wish:?} is missing in\n{text}");
        }
    }
    for thwarted in items(trace, "blocked") {
        let blockers = texts(thwarted, "blocked_by").join(" and ");
        let first = format!("{} wants {}", word(&thwarted["thread"]), word(&thwarted["events"][0]));
        assert!(words.contains(&first) && words.contains(&format!("blocked by {blockers}")));
    }
}
