//! The short form of a transcript, in which Ludorum prints a match.

use std::fmt::Write;

use games::tic_tac_toe::Square;
use serde::Serialize;
use serde::de::Error as _;

use super::by_seat::BySeat;
use super::line::{Line, Said};

/// The line in its short form; `None` for what it does not tell.
///
/// A position in brackets, a tab, and what came of it:
///
/// ```text
/// [  XO O X ]    moves: {"X":6}
/// [X XOOOXXO]    result: {"X":-1,"O":1}
/// ```
pub(super) fn short(game: &str, line: &Line) -> Option<String> {
    match line {
        Line::Begin { .. } => None,
        Line::Move { position, moves, .. } => {
            let moves = moves.0.iter().map(|(seat, said)| (seat.clone(), written(game, said)));
            Some(told(position, "moves", &BySeat(moves.collect())))
        }
        Line::Chance { position, drawn } => Some(told(position, "chance", drawn)),
        Line::Error { position, seat, chosen, refusal } => {
            let chosen = BySeat(vec![(seat.clone(), written(game, chosen))]);
            let mut text = told(position, "error", &chosen);
            if let Some(refusal) = refusal {
                write!(text, "\t{refusal}").expect("text can be added to text");
            }
            Some(text)
        }
        Line::Quit { position, seat } => Some(told(position, "quit", seat)),
        Line::End { position, result, win } => {
            let lines = win.iter().map(|line| format!("\t{line}"));
            Some(told(position, "result", result) + &lines.collect::<String>())
        }
    }
}

fn told(position: &str, word: &str, thing: &impl Serialize) -> String {
    let thing = serde_json::to_string(thing).expect("texts and numbers can be written");
    format!("[{position}]\t{word}: {thing}")
}

/// In tic-tac-toe squares are written as numbers.
fn written(game: &str, said: &Said) -> Said {
    let square = said.text().parse::<Square>().ok().filter(|_| game == "tic-tac-toe");
    square.map_or_else(|| said.clone(), |square| Said::Number(square.number().into()))
}

/// Reads a line in its short form; `None` if it is not in that form.
pub(super) fn read(text: &str) -> Option<Result<Line, serde_json::Error>> {
    let (position, rest) = text.strip_prefix('[')?.split_once("]\t")?;
    let (word, rest) = rest.split_once(": ")?;
    let position = position.to_owned();
    let json = rest.split('\t').next().unwrap_or_default();
    match word {
        "moves" => Some(serde_json::from_str(json).map(|moves| Line::Move {
            position,
            moves,
            why: BySeat::default(),
        })),
        "chance" => Some(serde_json::from_str(json).map(|drawn| Line::Chance { position, drawn })),
        "error" => Some(serde_json::from_str(json).and_then(|chosen| error(position, chosen))),
        "quit" => Some(serde_json::from_str(json).map(|seat| Line::Quit { position, seat })),
        "result" => Some(serde_json::from_str(json).map(|result| {
            let win = rest.split('\t').skip(1).map(str::to_owned).collect();
            Line::End { position, result, win }
        })),
        _ => None,
    }
}

/// The short form names who chose and what, and why it was refused only in words.
fn error(position: String, BySeat(mut chosen): BySeat<Said>) -> Result<Line, serde_json::Error> {
    match (chosen.pop(), chosen.pop()) {
        (Some((seat, chosen)), None) => Ok(Line::Error { position, seat, chosen, refusal: None }),
        _ => Err(serde_json::Error::custom("one seat is refused at a time")),
    }
}
