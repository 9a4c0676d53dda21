//! One line of a transcript.

use game::{
    AnyGame, Game, Match, MatchEvent, MoveExplanation, MoveText, Outcome, Refusal, Seat, seat_name,
};
use serde::{Deserialize, Serialize};

use super::by_seat::BySeat;

/// One line of a transcript: what happened, and the position before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub(super) enum Line {
    /// A match began.
    Begin {
        game: String,
        #[serde(default)]
        players: BySeat<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seed: Option<u64>,
        position: String,
    },
    /// The seats in turn have chosen.
    Move {
        position: String,
        moves: BySeat<Said>,
        #[serde(default, skip_serializing_if = "BySeat::is_empty")]
        why: BySeat<MoveExplanation>,
    },
    /// Something was drawn.
    Chance { position: String, drawn: String },
    /// A seat chose what it may not.
    Error {
        position: String,
        seat: String,
        chosen: Said,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        refusal: Option<Refusal>,
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

/// A move as it was written: a text, or the number of a square.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Said {
    Text(String),
    Number(u32),
}

impl Said {
    /// The move as the game reads it.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Number(number) => number.to_string(),
        }
    }
}

impl Line {
    /// What happened in a match, unless it is told by the line before or after it.
    pub(super) fn of(
        played: &Match<AnyGame>,
        event: &MatchEvent<AnyGame>,
        whys: &[(Seat, MoveExplanation)],
    ) -> Option<Self> {
        let game = played.game();
        let name = |seat: Seat| seat_name(game, seat).to_owned();
        let said = |text: &MoveText| Said::Text(text.to_string());
        match event {
            MatchEvent::Move { position, moves } => {
                let moves = moves.iter().map(|(seat, chosen)| (name(*seat), said(chosen)));
                let whys = whys.iter().map(|(seat, why)| (name(*seat), why.clone()));
                let (moves, why) = (BySeat(moves.collect()), BySeat(whys.collect()));
                Some(Self::Move { position: game.text(position), moves, why })
            }
            MatchEvent::Chance { position, drawn } => {
                Some(Self::Chance { position: game.text(position), drawn: drawn.to_string() })
            }
            MatchEvent::Error { position, seat, chosen, refusal } => Some(Self::Error {
                position: game.text(position),
                seat: name(*seat),
                chosen: said(chosen),
                refusal: Some(refusal.clone()),
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

/// The scores by the names of seats.
pub(super) fn result(game: &AnyGame, outcome: &Outcome) -> BySeat<i32> {
    let scores = game.seats().into_iter().zip(outcome.scores());
    BySeat(scores.map(|(seat, score)| (seat.to_owned(), *score)).collect())
}
