//! The short form of a transcript, in which Ludorum prints a match.

use game::Refusal;
use games::tic_tac_toe::Square;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::by_seat::BySeat;
use super::line::{TranscriptLine, WrittenMove};

/// The line in its short form, which has no line for the beginning.
///
/// It is the position in brackets, a tab, and the event:
///
/// ```text
/// [  XO O X ]    moves: {"X":6}
/// [X XOOOXXO]    result: {"X":-1,"O":1}
/// ```
pub(super) fn short_form(game: &str, line: &TranscriptLine) -> Option<String> {
    match line {
        TranscriptLine::Begin(_) => None,
        TranscriptLine::Move { position, moves, .. } => {
            let moves = moves.0.iter().map(|(seat, chosen)| (seat.clone(), written(game, chosen)));
            Some(event(position, "moves", &BySeat(moves.collect())))
        }
        TranscriptLine::Chance { position, drawn } => Some(event(position, "chance", drawn)),
        TranscriptLine::Error { position, seat, chosen, refusal } => {
            let chosen = BySeat(vec![(seat.clone(), written(game, chosen))]);
            Some(format!("{}\t{}", event(position, "error", &chosen), in_words(refusal)))
        }
        TranscriptLine::Quit { position, seat } => Some(event(position, "quit", seat)),
        TranscriptLine::End { position, result, win } => {
            let lines = win.iter().map(|line| format!("\t{line}"));
            Some(event(position, "result", result) + &lines.collect::<String>())
        }
    }
}

fn event(position: &str, word: &str, value: &impl Serialize) -> String {
    let value = serde_json::to_string(value).expect("texts and numbers can be written");
    format!("[{position}]\t{word}: {value}")
}

/// The move as the short form writes it: in tic-tac-toe, the number of a square.
fn written(game: &str, chosen: &WrittenMove) -> WrittenMove {
    let square = chosen.text().parse::<Square>().ok().filter(|_| game == "tic-tac-toe");
    square.map_or_else(|| chosen.clone(), |square| WrittenMove::Number(square.number().into()))
}

/// A refusal in words.
fn in_words(refusal: &Value) -> String {
    let read = serde_json::from_value::<Refusal>(refusal.clone());
    read.map_or_else(|_| refusal.to_string(), |refusal| refusal.to_string())
}

/// Reads a line in its short form; `None` if it is in another form.
pub(super) fn read(text: &str) -> Option<Result<TranscriptLine, String>> {
    let (position, rest) = text.strip_prefix('[')?.split_once("]\t")?;
    let (word, rest) = rest.split_once(": ")?;
    let position = position.to_owned();
    let mut columns = rest.split('\t');
    let json = columns.next().unwrap_or_default();
    let columns: Vec<String> = columns.map(str::to_owned).collect();
    Some(match (word, columns.as_slice()) {
        ("moves", []) => value(json, "an object with a move for each seat")
            .map(|moves| TranscriptLine::Move { position, moves, why: BySeat::default() }),
        ("chance", []) => value(json, "what was drawn, as a text")
            .map(|drawn| TranscriptLine::Chance { position, drawn }),
        ("error", words) => error(position, json, words),
        ("quit", []) => value(json, "the name of a seat, as a text")
            .map(|seat| TranscriptLine::Quit { position, seat }),
        ("result", _) => value(json, "an object with a whole number for each seat")
            .map(|result| TranscriptLine::End { position, result, win: columns }),
        ("moves" | "chance" | "quit", _) => Err(format!("nothing follows after {json}")),
        _ => return None,
    })
}

fn value<T: DeserializeOwned>(json: &str, kind: &str) -> Result<T, String> {
    serde_json::from_str(json).ok().ok_or_else(|| format!("{json:?} is not {kind}"))
}

/// A refusal, whose reasons are in words.
fn error(position: String, json: &str, words: &[String]) -> Result<TranscriptLine, String> {
    let kind = "an object with the move of one seat";
    let BySeat(mut chosen) = value::<BySeat<WrittenMove>>(json, kind)?;
    let refusal = match words {
        [] => Value::Null,
        words => Value::String(words.join("\t")),
    };
    match (chosen.pop(), chosen.pop()) {
        (Some((seat, chosen)), None) => {
            Ok(TranscriptLine::Error { position, seat, chosen, refusal })
        }
        _ => Err(format!("{json:?} is not {kind}")),
    }
}
