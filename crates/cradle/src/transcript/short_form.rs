//! The short form of a transcript, in which Ludorum prints a match.

use std::fmt::Write;

use games::tic_tac_toe::Square;
use serde::Serialize;
use serde::de::Error as _;

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
            let mut text = event(position, "error", &chosen);
            if let Some(refusal) = refusal {
                write!(text, "\t{refusal}").expect("a string can grow");
            }
            Some(text)
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

/// Reads a line in its short form; `None` if it is in another form.
pub(super) fn read(text: &str) -> Option<Result<TranscriptLine, serde_json::Error>> {
    let (position, rest) = text.strip_prefix('[')?.split_once("]\t")?;
    let (word, rest) = rest.split_once(": ")?;
    let position = position.to_owned();
    let json = rest.split('\t').next().unwrap_or_default();
    match word {
        "moves" => Some(serde_json::from_str(json).map(|moves| TranscriptLine::Move {
            position,
            moves,
            why: BySeat::default(),
        })),
        "chance" => {
            Some(serde_json::from_str(json).map(|drawn| TranscriptLine::Chance { position, drawn }))
        }
        "error" => Some(serde_json::from_str(json).and_then(|chosen| error(position, chosen))),
        "quit" => {
            Some(serde_json::from_str(json).map(|seat| TranscriptLine::Quit { position, seat }))
        }
        "result" => Some(serde_json::from_str(json).map(|result| {
            let win = rest.split('\t').skip(1).map(str::to_owned).collect();
            TranscriptLine::End { position, result, win }
        })),
        _ => None,
    }
}

/// A refusal. The short form has its reasons only in words, which are not checked.
fn error(
    position: String,
    BySeat(mut chosen): BySeat<WrittenMove>,
) -> Result<TranscriptLine, serde_json::Error> {
    match (chosen.pop(), chosen.pop()) {
        (Some((seat, chosen)), None) => {
            Ok(TranscriptLine::Error { position, seat, chosen, refusal: None })
        }
        _ => Err(serde_json::Error::custom("one seat is refused at a time")),
    }
}
