//! Moves that are taken back, if the other player agrees.

use game::{AnyPosition, Game, Ply, Reason, Refusal, Seat};

use super::TableState;
use crate::wire::codes;

/// What players have said about taking a move back, since the last move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Takebacks {
    /// The seat that waits for an answer.
    asked: Option<Seat>,
    /// The seats whose wish was declined. They may ask again after the next move.
    declined: Vec<Seat>,
}

impl TableState {
    /// The seat that has asked to take its last move back, and waits for an answer.
    #[must_use]
    pub const fn takeback(&self) -> Option<Seat> {
        self.takebacks.asked
    }

    /// The number of moves that stay on the board if this seat takes its last one back.
    pub(crate) fn moves_before_last_of(&self, seat: Seat) -> Option<u32> {
        let in_game = self.in_game(seat);
        let is_own = |ply: &Ply<_, _>| match ply {
            Ply::Moves(moves) => moves.iter().any(|(mover, _)| *mover == in_game),
            Ply::Chance(_) => false,
        };
        u32::try_from(self.history.iter().rposition(is_own)?).ok()
    }

    /// The reasons against taking anything back at this table now, whoever asks.
    pub(crate) fn against_takebacks(&self) -> Option<Reason> {
        // What was seen cannot be unseen: a draw, a hidden card, the choice of a player who chose at the
        // same time.
        let is_open = |ply: &Ply<_, _>| matches!(ply, Ply::Moves(moves) if moves.len() == 1);
        let is_alone = self.game.turn(&self.position).seats().len() == 1;
        let why = if self.game.hides() {
            "Moves are not taken back in games that hide something"
        } else if !self.history.iter().all(is_open) || !is_alone && self.outcome().is_none() {
            "Moves are not taken back in games of chance, or where players choose at the same time"
        } else if self.occupants.len() != 2 {
            "Moves are taken back only at tables of two"
        } else {
            return None;
        };
        Some(Reason::new(codes::NO_TAKEBACK, why))
    }

    /// Checks that a seat can ask for its last move.
    pub(crate) fn may_ask_takeback(&self, seat: Seat) -> Result<(), Refusal> {
        let over = self.outcome().map(|outcome| Reason::game_over(&outcome));
        let none = self.moves_before_last_of(seat).is_none();
        let none = none.then(|| Reason::new(codes::NO_TAKEBACK, "You have no move to take back"));
        let asked = match self.takebacks.asked {
            Some(other) if other == seat => Some("You have asked already"),
            Some(_) => Some("The other player has asked already: answer first"),
            None if self.takebacks.declined.contains(&seat) => {
                Some("This was declined already: you may ask again after the next move")
            }
            None => None,
        };
        let asked = asked.map(|why| Reason::new(codes::ALREADY_ASKED, why));
        let reasons = over.into_iter().chain(self.against_takebacks()).chain(none).chain(asked);
        Refusal::if_any(reasons)
    }

    /// Checks that a seat can answer: the other one has asked.
    pub(crate) fn may_answer_takeback(&self, seat: Seat) -> Result<Seat, Refusal> {
        match self.takebacks.asked {
            Some(asker) if asker != seat && seat.index() < self.occupants.len() => Ok(asker),
            _ => {
                let why = "Nobody has asked you to take a move back";
                Err(Reason::new(codes::NOT_ASKED, why).into())
            }
        }
    }

    /// The position of this round after its first moves, none of which was drawn.
    pub(super) fn position_after(&self, moves: u32) -> Result<AnyPosition, Refusal> {
        let mut position = self.game.start();
        let kept = usize::try_from(moves).unwrap_or(usize::MAX);
        for ply in self.history.iter().take(kept) {
            match ply {
                Ply::Moves(moves) => self.game.advance_all(&mut position, moves)?,
                Ply::Chance(drawn) => self.game.advance_chance(&mut position, drawn)?,
            }
        }
        Ok(position)
    }

    pub(super) fn ask_takeback(&mut self, seat: Seat) {
        self.takebacks.asked = Some(seat);
    }

    pub(super) fn decline_takeback(&mut self) {
        let asker = self.takebacks.asked.take();
        self.takebacks.declined.extend(asker);
    }
}
