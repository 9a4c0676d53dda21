//! `cradle lsp`: the protocol as an editor speaks it, and the grammar for colours.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use crate::{NIM, Texts};

/// A message as it is sent.
fn framed(message: &Value) -> String {
    let body = message.to_string();
    format!("Content-Length: {}\r\n\r\n{body}", body.len())
}

/// The messages in an output.
fn messages(output: &str) -> Vec<Value> {
    let mut rest = output;
    let mut found = Vec::new();
    while let Some((head, after)) = rest.split_once("\r\n\r\n") {
        let length: usize =
            head.rsplit(' ').next().and_then(|text| text.parse().ok()).expect("it is a length");
        let (body, next) = after.split_at(length);
        found.push(serde_json::from_str(body).expect("it is JSON"));
        rest = next;
    }
    found
}

const URI: &str = "file:///nim.cradle";

/// What the server says to these requests and notifications about a text, after it was opened.
fn said(text: &str, asked: &[(&str, Value)]) -> Vec<Value> {
    let opened = json!({"textDocument":
        {"uri": URI, "languageId": "cradle", "version": 1, "text": text}});
    let mut all = vec![
        json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"capabilities": {}}}),
        json!({"jsonrpc": "2.0", "method": "initialized", "params": {}}),
        json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": opened}),
    ];
    for (id, (method, params)) in (1..).zip(asked) {
        let mut message = json!({"jsonrpc": "2.0", "method": method, "params": params});
        if !method.contains("/did") {
            message["id"] = json!(id);
        }
        all.push(message);
    }
    all.push(json!({"jsonrpc": "2.0", "id": 99, "method": "shutdown"}));
    all.push(json!({"jsonrpc": "2.0", "method": "exit"}));
    let input: String = all.iter().map(framed).collect();
    let texts = Texts::with("nim.cradle", text);
    let (code, out, err) = texts.run(&["lsp"], &input);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let answers = messages(&out);
    assert_eq!(answers[0]["result"]["serverInfo"]["name"], "cradle");
    assert_eq!(answers[answers.len() - 1]["id"], 99);
    answers[1..answers.len() - 1].to_vec()
}

/// The place of the first character of a part of a text.
fn place(text: &str, part: &str) -> Value {
    let (before, _) = text.split_once(part).expect("the text has the part");
    let line = before.matches('\n').count();
    let character = before.rsplit('\n').next().unwrap_or_default().chars().count();
    json!({"textDocument": {"uri": URI}, "position": {"line": line, "character": character}})
}

fn check(value: &Value, expected: &Expect) {
    expected.assert_eq(&serde_json::to_string_pretty(value).expect("it is JSON"));
}

#[test]
fn mistakes_and_warnings_are_told_when_a_text_is_opened_and_changed() {
    let wrong = NIM.replace("request win(who)", "request wni(who)");
    let change = json!({"textDocument": {"uri": URI, "version": 2},
        "contentChanges": [{"text": wrong}]});
    let close = json!({"textDocument": {"uri": URI}});
    let said = said(NIM, &[("textDocument/didChange", change), ("textDocument/didClose", close)]);
    assert_eq!(said[0]["params"]["diagnostics"], json!([]));
    check(
        &said[1],
        &expect![[r#"
        {
          "jsonrpc": "2.0",
          "method": "textDocument/publishDiagnostics",
          "params": {
            "diagnostics": [
              {
                "code": "unknown-event",
                "message": "no event is called `wni`; did you mean `win`?",
                "range": {
                  "end": {
                    "character": 13,
                    "line": 33
                  },
                  "start": {
                    "character": 10,
                    "line": 33
                  }
                },
                "severity": 1,
                "source": "cradle"
              }
            ],
            "uri": "file:///nim.cradle"
          }
        }"#]],
    );
    assert_eq!(said[2]["params"]["diagnostics"], json!([]));
}

#[test]
fn a_warning_is_told_as_one() {
    let text = NIM.replace("event win(seat)", "event lost\nevent win(seat)");
    let said = said(&text, &[]);
    let told = &said[0]["params"]["diagnostics"];
    assert_eq!(told[0]["message"], "no b-thread requests `lost`, and no seat offers it");
    assert_eq!((&told[0]["code"], &told[0]["severity"]), (&json!("unused-event"), &json!(2)));
    assert_eq!(told.as_array().map(Vec::len), Some(1));
}

#[test]
fn parts_are_listed_after_a_dot() {
    let labels = |text: &str, part: &str| -> Vec<String> {
        let said = said(text, &[("textDocument/completion", place(text, part))]);
        let items = said[1]["result"].as_array().unwrap();
        items.iter().map(|item| item["label"].as_str().unwrap().to_owned()).collect()
    };
    let maze = "program p\ngrid s = 2 x 2\nrows way(here: s, there: s)\n  a1 b1\nevent a(s)\n\
                thread T(s)\n  request a(s.ri), a(way.th)\n";
    let parts = ["up", "down", "left", "right", "row", "column", "neighbours", "diagonals"];
    let expected: Vec<&str> = parts.into_iter().chain(["here", "there"]).collect();
    assert_eq!(labels(maze, "ri), a"), expected);
    assert_eq!(labels(maze, "th)"), expected);
    let nim = NIM.replace("win(who)", "win(who.ne)");
    assert_eq!(labels(&nim, "ne), block"), ["next", "previous"]);
    // Two dots are a range.
    assert!(labels(NIM, "most\nset left").iter().any(|label| label == "most"));
}

#[test]
fn a_name_says_what_it_stands_for_and_where_it_is_declared() {
    let asked = |part: &str| {
        [("textDocument/hover", place(NIM, part)), ("textDocument/definition", place(NIM, part))]
    };
    let parts =
        ["take(heap, count > left)", "most\n  while left", "who), block take", "Heap(heap)"];
    let asked: Vec<(&str, Value)> = parts.iter().flat_map(|part| asked(part)).collect();
    let said = said(NIM, &asked);
    let lines: Vec<String> = said[1..]
        .chunks(2)
        .map(|pair| {
            let hover = &pair[0]["result"]["contents"]["value"];
            let start = &pair[1]["result"]["range"]["start"];
            format!("{} at {start}", hover.as_str().unwrap())
        })
        .collect();
    expect![[r#"
        ```cradle
        event take(seat, heap, count)  move of seat, shows left of heap
        ```

        18 events: take(first, a, 1), take(first, a, 2), take(first, a, 3), take(first, b, 1), take(first, b, 2), take(first, b, 3), take(first, c, 1), take(first, c, 2), take(first, c, 3), take(second, a, 1), take(second, a, 2), take(second, a, 3), … at {"character":6,"line":9}

        ```cradle
        parameter most = 3
        ```

        now 3 at {"character":10,"line":3}

        ```cradle
        wait for take(?who, _, ?n)
        ``` at {"character":19,"line":31}

        ```cradle
        rule Heap(heap) "There are not so many on that heap"
        ```

        3 b-threads: Heap(a), Heap(b), Heap(c) at {"character":5,"line":21}"#]].assert_eq(&lines.join("\n\n"));
}

#[test]
fn words_that_can_stand_at_the_cursor_are_listed() {
    let text = format!("{NIM}\n");
    let end = json!({"textDocument": {"uri": URI},
        "position": {"line": text.matches('\n').count(), "character": 0}});
    let asked =
        [("textDocument/completion", place(NIM, "left > 0")), ("textDocument/completion", end)];
    let said = said(&text, &asked);
    let labels = |answer: &Value| -> Vec<String> {
        let items = answer["result"].as_array().unwrap();
        items.iter().map(|item| item["label"].as_str().unwrap().to_owned()).collect()
    };
    let inside = labels(&said[1]);
    for word in ["take", "left", "n", "heap", "first", "most", "wait", "block"] {
        assert!(inside.iter().any(|label| label == word), "{word} in {inside:?}");
    }
    assert!(!inside.iter().any(|label| label == "total" || label == "rule"), "{inside:?}");
    assert_eq!(labels(&said[2]), notation::DECLARATION_WORDS);
}

#[test]
fn a_text_is_formatted_as_a_whole_and_a_malformed_one_is_left_alone() {
    let loose = NIM
        .replace("  wait for win\n", "     wait   for win\n")
        .replace("  block any", "     block any");
    let options = json!({"textDocument": {"uri": URI},
        "options": {"tabSize": 2, "insertSpaces": true}});
    let formatted = said(&loose, &[("textDocument/formatting", options.clone())]);
    assert_eq!(formatted[1]["result"][0]["newText"], NIM);
    let fine = said(NIM, &[("textDocument/formatting", options.clone())]);
    assert_eq!(fine[1]["result"], json!([]));
    let malformed = said("program p\nevent (\n", &[("textDocument/formatting", options)]);
    assert_eq!(malformed[1]["result"], Value::Null);
}

#[test]
fn what_is_not_understood_is_refused_and_the_server_goes_on() {
    let asked = [
        ("textDocument/rename", json!({})),
        ("textDocument/hover", json!({"position": "here"})),
        ("textDocument/hover", place(NIM, "take(seat")),
    ];
    let said = said(NIM, &asked);
    assert_eq!(said[1]["error"]["code"], -32601);
    assert_eq!(said[2]["error"]["code"], -32602);
    assert!(said[3]["result"].is_object());
}

/// The grammar colours every word of the notation, and sentences, comments and numbers.
#[test]
fn the_grammar_knows_all_words() {
    let grammar = include_str!("../../../../editors/cradle.tmLanguage.json");
    let grammar: Value = serde_json::from_str(grammar).unwrap();
    let patterns = grammar["patterns"].as_array().unwrap();
    let words =
        [&notation::DECLARATION_WORDS[..], &notation::STATEMENT_WORDS, &notation::MEANING_WORDS];
    let words = words.into_iter().chain([&notation::VALUE_WORDS[..]]);
    let listed: Vec<&str> = patterns
        .iter()
        .filter_map(|pattern| pattern["match"].as_str())
        .flat_map(|regex| regex.split(['(', ')']))
        .flat_map(|group| group.split('|'))
        .collect();
    for word in words.flatten() {
        assert!(listed.contains(word), "{word} has no colour");
    }
}
