//! One line of a transcript.

use game::{AnyGame, Game, Match, MatchEvent, MoveExplanation, MoveText, Outcome, Seat, seat_name};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::by_seat::BySeat;
use crate::names::RulesFile;

/// One line of a transcript: an event, and the position before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum TranscriptLine {
    /// The match begins.
    Begin(Beginning),
    /// The seats in turn have moved.
    Move {
        position: String,
        moves: BySeat<WrittenMove>,
        #[serde(default, skip_serializing_if = "BySeat::is_empty")]
        why: BySeat<Value>,
    },
    /// Chance has drawn.
    Chance { position: String, drawn: String },
    /// A seat's choice was refused.
    Error {
        position: String,
        seat: String,
        chosen: WrittenMove,
        /// The reasons. The short form has them in words.
        #[serde(default)]
        refusal: Value,
    },
    /// A seat gave up.
    Quit { position: String, seat: String },
    /// The match is over.
    End {
        position: String,
        result: BySeat<i32>,
        /// The lines that won, as the rules announced them: `XWin[0,3,6]`.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        win: Vec<String>,
    },
}

/// The beginning of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Beginning {
    pub(super) game: String,
    /// The file of the rules, if the game is not in the catalog.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) rules: Option<RulesFile>,
    #[serde(default)]
    pub(super) players: BySeat<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) seed: Option<u64>,
    pub(super) position: String,
}

/// A move as it was written: a text, or the number of a square.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum WrittenMove {
    Text(String),
    Number(u32),
}

impl WrittenMove {
    /// The text that the game reads.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Number(number) => number.to_string(),
        }
    }
}

impl TranscriptLine {
    /// The line for an event; `None` if the lines before and after it say the same.
    pub(super) fn of(
        played: &Match<AnyGame>,
        event: &MatchEvent<AnyGame>,
        explanations: &[(Seat, MoveExplanation)],
    ) -> Option<Self> {
        let game = played.game();
        let name = |seat: Seat| seat_name(game, seat).to_owned();
        let written = |text: &MoveText| WrittenMove::Text(text.to_string());
        match event {
            MatchEvent::Move { position, moves } => {
                let moves = moves.iter().map(|(seat, chosen)| (name(*seat), written(chosen)));
                let why = explanations.iter().map(|(seat, why)| (name(*seat), json(why)));
                let (moves, why) = (BySeat(moves.collect()), BySeat(why.collect()));
                Some(Self::Move { position: game.text(position), moves, why })
            }
            MatchEvent::Chance { position, drawn } => {
                Some(Self::Chance { position: game.text(position), drawn: drawn.to_string() })
            }
            MatchEvent::Error { position, seat, chosen, refusal } => Some(Self::Error {
                position: game.text(position),
                seat: name(*seat),
                chosen: written(chosen),
                refusal: json(refusal),
            }),
            MatchEvent::Quit { position, seat } => {
                Some(Self::Quit { position: game.text(position), seat: name(*seat) })
            }
            MatchEvent::End { position, outcome } => {
                let (position, result) = (game.text(position), result(game, outcome));
                Some(Self::End { position, result, win: game.winning_lines(played.history()) })
            }
            _ => None,
        }
    }
}

/// A value as JSON.
pub(super) fn json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).expect("texts and lists of them can be written")
}

/// The scores by seat.
pub(super) fn result(game: &AnyGame, outcome: &Outcome) -> BySeat<i32> {
    let scores = game.seats().into_iter().zip(outcome.scores());
    BySeat(scores.map(|(seat, score)| (seat.to_owned(), *score)).collect())
}
