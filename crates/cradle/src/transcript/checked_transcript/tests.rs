//! Every change of a transcript is noticed, and every cut.

use clap::Parser;
use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::*;
use crate::transcript::PlayMatch;

/// The arguments of a match.
#[derive(Parser)]
struct MatchArguments {
    #[command(flatten)]
    played: PlayMatch,
}

/// The lines that a match prints.
fn played(arguments: &str) -> Vec<String> {
    let arguments = std::iter::once("match").chain(arguments.split(' ')).chain(["--seed", "5"]);
    let mut lines = Vec::new();
    let played = MatchArguments::try_parse_from(arguments).unwrap().played;
    let mut keep = |line: &str| {
        lines.push(line.to_owned());
        Ok(())
    };
    played.play(&mut keep).unwrap();
    lines
}

/// The verdict on a text; an error if it is no transcript.
fn verdict(text: &[u8], game: Option<&str>) -> anyhow::Result<TranscriptVerdict> {
    let game = game.map(|name| names::named_game(name).unwrap());
    check(text, game, |_, _| Ok(())).map(|checked| checked.verdict)
}

fn text(lines: &[String]) -> String {
    lines.join("\n") + "\n"
}

/// A changed transcript, and what was changed.
type Mutant = (String, Vec<String>);

/// Every transcript in which one line is missing, doubled, or exchanged with the next one.
fn line_mutants(lines: &[String]) -> Vec<Mutant> {
    let changed = |what: &str, number: usize, change: &dyn Fn(&mut Vec<String>)| {
        let mut lines = lines.to_vec();
        change(&mut lines);
        (format!("line {}: {what}", number + 1), lines)
    };
    let of_line = |number: usize| {
        let mut mutants = vec![
            changed("removed", number, &|lines| drop(lines.remove(number))),
            changed("doubled", number, &|lines| lines.insert(number, lines[number].clone())),
        ];
        if number + 1 < lines.len() {
            mutants.push(changed("swapped", number, &|lines| lines.swap(number, number + 1)));
        }
        mutants
    };
    (0..lines.len()).flat_map(of_line).collect()
}

/// Every value that differs from this one in one place, with the name of the place.
fn changed_values(value: &Value) -> Vec<(String, Value)> {
    match value {
        Value::Object(fields) => {
            let mut added = fields.clone();
            added.insert("added".to_owned(), json!(0));
            let mut changes = vec![(": added".to_owned(), Value::Object(added))];
            for (key, inner) in fields {
                let mut removed = fields.clone();
                removed.remove(key);
                changes.push((format!(".{key}: removed"), Value::Object(removed)));
                changes.extend(changed_values(inner).into_iter().map(|(name, inner)| {
                    let mut changed = fields.clone();
                    changed.insert(key.clone(), inner);
                    (format!(".{key}{name}"), Value::Object(changed))
                }));
            }
            for (key, other) in fields.keys().zip(fields.keys().skip(1)) {
                let mut swapped = fields.clone();
                swapped.insert(key.clone(), fields[other].clone());
                swapped.insert(other.clone(), fields[key].clone());
                changes.push((format!(".{key}: swapped"), Value::Object(swapped)));
            }
            changes
        }
        Value::Array(items) => {
            let mut changes = vec![(": emptied".to_owned(), json!([]))];
            for (place, item) in items.iter().enumerate() {
                let with = |change: &dyn Fn(&mut Vec<Value>)| {
                    let mut items = items.clone();
                    change(&mut items);
                    Value::Array(items)
                };
                let removed = with(&|items| drop(items.remove(place)));
                changes.push((format!("[{place}]: removed"), removed));
                let doubled = with(&|items| items.insert(place, item.clone()));
                changes.push((format!("[{place}]: doubled"), doubled));
                changes.extend(changed_values(item).into_iter().map(|(name, inner)| {
                    let inner = with(&|items| items[place] = inner.clone());
                    (format!("[{place}]{name}"), inner)
                }));
            }
            changes
        }
        Value::String(text) => vec![
            (": longer".to_owned(), json!(format!("{text}?"))),
            (": emptied".to_owned(), json!("")),
            (": a number".to_owned(), json!(99)),
        ],
        Value::Number(number) => {
            let number = number.as_i64().unwrap();
            vec![(": larger".to_owned(), json!(number + 1)), (": a text".to_owned(), json!("99?"))]
        }
        Value::Bool(_) | Value::Null => vec![(": changed".to_owned(), json!(7))],
    }
}

/// Every transcript in which one place of one JSON object differs.
fn field_mutants(lines: &[String]) -> Vec<Mutant> {
    let of_line = |(number, line): (usize, &String)| {
        let line: Value = serde_json::from_str(line).unwrap();
        let changes = changed_values(&line).into_iter();
        let mutants = changes.map(|(name, changed)| {
            let mut lines = lines.to_vec();
            lines[number] = changed.to_string();
            (format!("line {}{name}", number + 1), lines)
        });
        mutants.collect::<Vec<_>>()
    };
    lines.iter().enumerate().flat_map(of_line).collect()
}

/// Every transcript in short form in which one part of one line differs: a character of the position,
/// the word of the event, its JSON, or a column after that.
fn column_mutants(lines: &[String]) -> Vec<Mutant> {
    let of_line = |(number, line): (usize, &String)| {
        let mut changes = vec![("added".to_owned(), format!("{line}\tadded"))];
        for (place, old) in line.char_indices() {
            let new = if old == '?' { '!' } else { '?' };
            let (before, _) = line.split_at(place);
            let (_, rest) = line.split_at(place + old.len_utf8());
            changes.push((format!("{place}: changed"), format!("{before}{new}{rest}")));
            changes.push((format!("{place}: removed"), format!("{before}{rest}")));
            if old == '\t' {
                changes.push((format!("{place}: cut"), before.to_owned()));
            }
        }
        let mutants = changes.into_iter().map(|(name, changed)| {
            let mut lines = lines.to_vec();
            lines[number] = changed;
            (format!("line {}, {name}", number + 1), lines)
        });
        mutants.collect::<Vec<_>>()
    };
    lines.iter().enumerate().flat_map(of_line).collect()
}

/// The changes after which a transcript is still accepted.
fn unnoticed(mutants: Vec<Mutant>, whole: &[String], game: Option<&str>) -> Vec<String> {
    let whole: Vec<String> = whole.iter().map(|line| canonical(line)).collect();
    let is_changed =
        |(_, lines): &Mutant| lines.iter().map(|line| canonical(line)).collect::<Vec<_>>() != whole;
    let is_accepted = |(_, lines): &Mutant| {
        matches!(verdict(text(lines).as_bytes(), game), Ok(TranscriptVerdict::True(_)))
    };
    let accepted = mutants.into_iter().filter(is_changed).filter(is_accepted);
    accepted.map(|(name, _)| name).collect()
}

/// JSON with its keys in order.
fn canonical(line: &str) -> String {
    serde_json::from_str::<Value>(line).map_or_else(|_| line.to_owned(), |value| value.to_string())
}

/// Checks which changes of a match as JSON are not noticed: each is listed with its reason.
#[track_caller]
fn check_json(arguments: &str, expected: &Expect) {
    let lines = played(&format!("{arguments} --json"));
    let whole = verdict(text(&lines).as_bytes(), None).unwrap();
    assert!(matches!(whole, TranscriptVerdict::True(_)), "{whole:?}");
    let mutants = [line_mutants(&lines), field_mutants(&lines)].concat();
    assert!(mutants.len() > 100, "{}", mutants.len());
    expected.assert_eq(&unnoticed(mutants, &lines, None).join("\n"));
}

/// Checks which changes of a match in short form are not noticed.
#[track_caller]
fn check_short(game: &str, rest: &str, expected: &Expect) {
    let lines = played(&format!("{game} {rest}"));
    let whole = verdict(text(&lines).as_bytes(), Some(game)).unwrap();
    assert!(matches!(whole, TranscriptVerdict::True(_)), "{whole:?}");
    let mutants = [line_mutants(&lines), column_mutants(&lines)].concat();
    assert!(mutants.len() > 100, "{}", mutants.len());
    expected.assert_eq(&unnoticed(mutants, &lines, Some(game)).join("\n"));
}

#[test]
fn every_change_of_random_matches_is_noticed() {
    for game in ["tic-tac-toe", "wild", "connect-four", "pig:20", "kuhn-poker"] {
        check_json(&format!("{game} random random"), &expect![""]);
    }
}

#[test]
fn every_change_of_a_match_with_reasons_is_noticed() {
    // The match ends before the last move of the script. The strategies draw nothing, so that every
    // seed makes the same match.
    check_json(
        "tic-tac-toe scripted:b2/c3/a3/c2/b1 bthreads",
        &expect![[r#"
        line 1.players.X: longer
        line 1.seed: larger"#]],
    );
}

#[test]
fn every_change_of_a_match_with_a_win_or_a_refusal_is_noticed() {
    // Scripts draw nothing, so that every seed makes the same match.
    check_json("tic-tac-toe scripted:a1/a2/a3 scripted:b1/b2", &expect!["line 1.seed: larger"]);
    check_json("tic-tac-toe scripted:b2/b2 scripted:a1", &expect!["line 1.seed: larger"]);
    check_json("ultimate scripted:a1/a1 scripted:b2", &expect!["line 1.seed: larger"]);
}

#[test]
fn every_change_of_the_short_form_is_noticed() {
    check_short("tic-tac-toe", "scripted:a1/a2/a3 scripted:b1/b2", &expect![""]);
    check_short("tic-tac-toe", "scripted:b2/b2 scripted:a1", &expect![""]);
    check_short("connect-four", "random random", &expect![""]);
    check_short("pig:20", "random random", &expect![""]);
    check_short("kuhn-poker", "random random", &expect![""]);
}

#[test]
fn a_transcript_that_is_cut_anywhere_is_cut_short() {
    for (arguments, game) in [
        ("tic-tac-toe scripted:a1/a2/a3 scripted:b1/b2 --json", None),
        ("tic-tac-toe scripted:a1/a2/a3 scripted:b1/b2", Some("tic-tac-toe")),
        ("tic-tac-toe scripted:b2/b2 scripted:a1", Some("tic-tac-toe")),
        ("wild random random --json", None),
        ("pig:20 random random", Some("pig:20")),
    ] {
        let whole = text(&played(arguments));
        for length in 0..whole.len() - 1 {
            let found = verdict(&whole.as_bytes()[..length], game).unwrap();
            assert!(matches!(found, TranscriptVerdict::Cut(_)), "{length}: {found:?}");
        }
        for length in [whole.len() - 1, whole.len()] {
            let found = verdict(&whole.as_bytes()[..length], game).unwrap();
            assert!(matches!(found, TranscriptVerdict::True(_)), "{length}: {found:?}");
        }
    }
}

#[test]
fn a_move_may_be_written_in_every_way_that_the_game_reads() {
    let whole = text(&played("tic-tac-toe scripted:a1/a2/a3 scripted:b1/b2 --json"));
    for written in ["\"0\"", "\"0,0\"", "0"] {
        let changed = whole.replacen("{\"X\":\"a1\"}", &format!("{{\"X\":{written}}}"), 1);
        assert_ne!(changed, whole);
        let found = verdict(changed.as_bytes(), None).unwrap();
        assert!(matches!(found, TranscriptVerdict::True(_)), "{written}: {found:?}");
    }
}
