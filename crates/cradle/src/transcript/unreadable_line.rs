//! Why a line of a transcript cannot be read, in words that say what to write.

use serde_json::error::Category;
use serde_json::{Error, Map, Value};

/// The events, with the fields that a line of each must and may have.
const EVENTS: [(&str, &[&str], &[&str]); 6] = [
    ("begin", &["game", "position"], &["rules", "players", "seed"]),
    ("move", &["position", "moves"], &["why"]),
    ("chance", &["position", "drawn"], &[]),
    ("error", &["position", "seat", "chosen"], &["refusal"]),
    ("quit", &["position", "seat"], &[]),
    ("end", &["position", "result"], &["win"]),
];

/// Why this text is no line of a transcript. The error is the one of its parser.
pub(super) fn why(text: &str, error: &Error) -> String {
    match error.classify() {
        Category::Eof => "it stops in the middle".to_owned(),
        Category::Data => wrong_data(text).unwrap_or_else(|| own_words(error)),
        Category::Syntax | Category::Io if text.starts_with('{') => {
            format!("it is not JSON from character {} on", error.column())
        }
        Category::Syntax | Category::Io => {
            "write what `cradle match` prints: a JSON object, or a position in brackets, a tab and \
             an event"
                .to_owned()
        }
    }
}

fn wrong_data(text: &str) -> Option<String> {
    let Ok(Value::Object(line)) = serde_json::from_str(text) else {
        return Some("write a JSON object, as `cradle match --json` does".to_owned());
    };
    let Some(Value::String(event)) = line.get("event") else {
        return Some(format!("it needs \"event\": {}", events()));
    };
    let Some((event, needed, allowed)) = EVENTS.iter().find(|(name, ..)| name == event) else {
        return Some(format!("no event is called {event:?}: write {}", events()));
    };
    wrong_field(&line, event, needed, allowed)
}

fn wrong_field(
    line: &Map<String, Value>,
    event: &str,
    needed: &[&str],
    allowed: &[&str],
) -> Option<String> {
    if let Some(missing) = needed.iter().find(|field| !line.contains_key(**field)) {
        return Some(format!("a line with the event {event:?} needs {missing:?}"));
    }
    let is_known =
        |field: &str| field == "event" || needed.contains(&field) || allowed.contains(&field);
    if let Some(unknown) = line.keys().find(|field| !is_known(field)) {
        return Some(format!("a line with the event {event:?} has no {unknown:?}"));
    }
    line.iter().find_map(|(field, value)| {
        let (kind, fits) = kind_of(field)?;
        (!fits(value)).then(|| format!("{field:?} must be {kind}"))
    })
}

/// A kind of values: its name, and whether a value is of this kind.
type JsonKind = (&'static str, fn(&Value) -> bool);

/// What the value of a field must be.
fn kind_of(field: &str) -> Option<JsonKind> {
    Some(match field {
        "game" | "position" | "drawn" | "seat" => ("a text", Value::is_string),
        "seed" => ("a whole number", Value::is_u64),
        "rules" => ("an object with a file and a digest", |value| {
            let has = |field| value.get(field).is_some_and(Value::is_string);
            has("file") && has("digest") && value.as_object().is_some_and(|rules| rules.len() == 2)
        }),
        "players" => {
            ("an object with a player for each seat", |value| of_all(value, Value::is_string))
        }
        "moves" => ("an object with a move for each seat", |value| of_all(value, is_move)),
        "chosen" => ("a move", is_move),
        "why" => ("an object with a reason for each seat", Value::is_object),
        "result" => {
            ("an object with a whole number for each seat", |value| of_all(value, is_score))
        }
        "win" => ("a list of texts", |value| {
            value.as_array().is_some_and(|lines| lines.iter().all(Value::is_string))
        }),
        _ => return None,
    })
}

fn of_all(value: &Value, fits: fn(&Value) -> bool) -> bool {
    value.as_object().is_some_and(|seats| seats.values().all(fits))
}

fn is_move(value: &Value) -> bool {
    value.is_string() || value.as_u64().is_some_and(|number| u32::try_from(number).is_ok())
}

fn is_score(value: &Value) -> bool {
    value.as_i64().is_some_and(|score| i32::try_from(score).is_ok())
}

fn events() -> String {
    let names = EVENTS.map(|(name, ..)| name);
    let (last, others) = names.split_last().expect("there are events");
    format!("{} or {last}", others.join(", "))
}

/// The words of an error that our own readers reported, without the place.
fn own_words(error: &Error) -> String {
    let words = error.to_string();
    let words = words.rsplit_once(" at line ").map_or(words.as_str(), |(words, _)| words);
    match words.strip_prefix("duplicate field ") {
        Some(field) => format!("{} is there twice", field.replace('`', "\"")),
        None => words.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::line::TranscriptLine;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let error = serde_json::from_str::<TranscriptLine>(text).unwrap_err();
        assert_eq!(why(text, &error), expected);
    }

    #[test]
    fn what_is_no_json_is_told_so() {
        check("{\"event\":\"mo", "it stops in the middle");
        check("{\"event\"=1}", "it is not JSON from character 9 on");
        let words = "write what `cradle match` prints: a JSON object, or a position in brackets, \
                     a tab and an event";
        check("nonsense", words);
    }

    #[test]
    fn other_json_is_told_what_to_write() {
        check("3", "write a JSON object, as `cradle match --json` does");
        check("{}", "it needs \"event\": begin, move, chance, error, quit or end");
        let words = "no event is called \"bluff\": write begin, move, chance, error, quit or end";
        check("{\"event\":\"bluff\"}", words);
        check("{\"event\":\"quit\"}", "a line with the event \"quit\" needs \"position\"");
        let quit = |rest: &str| format!("{{\"event\":\"quit\",\"position\":\"\",{rest}}}");
        let words = "a line with the event \"quit\" has no \"\\u{1b}[31m\"";
        check(&quit("\"seat\":\"X\",\"\\u001b[31m\":1"), words);
        check(&quit("\"seat\":3"), "\"seat\" must be a text");
        check(&quit("\"seat\":\"X\",\"seat\":\"X\""), "\"seat\" is there twice");
        let words = "\"result\" must be an object with a whole number for each seat";
        check("{\"event\":\"end\",\"position\":\"\",\"result\":{\"X\":1.5}}", words);
        let words = "\"moves\" must be an object with a move for each seat";
        check("{\"event\":\"move\",\"position\":\"\",\"moves\":[]}", words);
        let words = "\"rules\" must be an object with a file and a digest";
        let begin = |rules: &str| {
            format!("{{\"event\":\"begin\",\"game\":\"nim\",\"position\":\"\",\"rules\":{rules}}}")
        };
        check(&begin("\"nim.cradle\""), words);
        check(&begin("{\"file\":\"nim.cradle\"}"), words);
        check(&begin("{\"file\":\"nim.cradle\",\"digest\":\"0f\",\"more\":1}"), words);
        let words = "\"X\" is there twice";
        check("{\"event\":\"end\",\"position\":\"\",\"result\":{\"X\":1,\"X\":1}}", words);
    }
}
