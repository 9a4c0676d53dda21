//! A position, its turn, its legal moves and its chances.

use bthread::Generator;
use rustc_hash::FxHashSet;

use super::chances;
use super::violation::{
    DrawInPosition, MoveInPosition, MovesInPosition, SeatInPosition, Violation,
};
use crate::game::{Game, Viewer, all_seats};
use crate::probability::Probability;
use crate::seat::{Seat, Seats};
use crate::turn::Turn;

/// A position, its turn, its legal moves and its chances, all checked.
pub(super) struct InspectedPosition<'a, G: Game> {
    pub(super) game: &'a G,
    pub(super) position: &'a G::Position,
    pub(super) text: String,
    pub(super) turn: Turn,
    /// The legal moves of every seat, in the order of seats.
    pub(super) legal: Vec<Vec<G::Move>>,
    /// What chance may draw.
    pub(super) chances: Vec<(G::Chance, Probability)>,
}

/// All viewers of a game.
pub(super) fn viewers<G: Game>(game: &G) -> impl Iterator<Item = Viewer> {
    all_seats(game).iter().map(Viewer::Seat).chain([Viewer::Spectator])
}

impl<'a, G: Game> InspectedPosition<'a, G> {
    /// Inspects a position. The generator decides how many moves are skipped in a list.
    pub(super) fn of(
        game: &'a G,
        position: &'a G::Position,
        generator: &mut Generator,
    ) -> Result<Self, Violation> {
        let (text, turn) = (game.text(position), game.turn(position));
        let mut inspected =
            Self { game, position, text, turn, legal: Vec::new(), chances: Vec::new() };
        inspected.check_turn()?;
        for seat in inspected.seats().iter() {
            let moves = inspected.listed(seat)?;
            inspected.check_skipping(seat, &moves, generator)?;
            inspected.legal.push(moves);
        }
        inspected.check_only_seats_in_turn_have_moves()?;
        inspected.chances = chances::checked_chances(&inspected)?;
        Ok(inspected)
    }

    pub(super) fn seats(&self) -> Seats {
        all_seats(self.game)
    }

    pub(super) fn is_legal(&self, seat: Seat, chosen: &G::Move) -> bool {
        self.legal[seat.index()].contains(chosen)
    }

    /// A random legal move of each seat whose turn it is.
    pub(super) fn random_moves(&self, generator: &mut Generator) -> Vec<(Seat, G::Move)> {
        let random_move = |seat: Seat| {
            let moves = &self.legal[seat.index()];
            let place = generator.below(moves.len() as u64);
            (seat, moves[usize::try_from(place).expect("the index is below a length")].clone())
        };
        self.turn.seats().iter().map(random_move).collect()
    }

    pub(super) fn seat_at(&self, seat: Seat) -> SeatInPosition {
        SeatInPosition { position: self.text.clone(), seat }
    }

    pub(super) fn move_at(&self, seat: Seat, chosen: &G::Move) -> MoveInPosition {
        MoveInPosition { position: self.text.clone(), seat, chosen: chosen.to_string() }
    }

    pub(super) fn moves_at(&self, moves: &[(Seat, G::Move)]) -> MovesInPosition {
        let moves = moves.iter().map(|(seat, chosen)| (*seat, chosen.to_string())).collect();
        MovesInPosition { position: self.text.clone(), moves }
    }

    pub(super) fn drawn_at(&self, drawn: &G::Chance) -> DrawInPosition {
        DrawInPosition { position: self.text.clone(), drawn: drawn.to_string() }
    }

    fn check_turn(&self) -> Result<(), Violation> {
        let beyond = self.turn.seats().iter().find(|seat| !self.seats().contains(*seat));
        if let Some(seat) = beyond {
            return Err(Violation::NoSuchSeat(self.seat_at(seat)));
        }
        let position = self.text.clone();
        match &self.turn {
            Turn::Several(seats) if seats.is_empty() => Err(Violation::NobodyInTurn { position }),
            Turn::Over(outcome) if outcome.scores().len() != self.seats().len() => {
                let (scores, seats) = (outcome.scores().len(), self.seats().len());
                Err(Violation::Scores { position, scores, seats })
            }
            Turn::One(_) | Turn::Several(_) | Turn::Chance | Turn::Over(_) => Ok(()),
        }
    }

    /// The legal moves of a seat, which are the same in a second call.
    fn listed(&self, seat: Seat) -> Result<Vec<G::Move>, Violation> {
        let moves = self.counted(seat)?;
        if !self.game.legal_moves(self.position, seat).eq(moves.iter().cloned()) {
            return Err(Violation::LegalMovesChange(self.seat_at(seat)));
        }
        let mut known = FxHashSet::default();
        match moves.iter().find(|chosen| !known.insert(*chosen)) {
            Some(twice) => Err(Violation::LegalTwice(self.move_at(seat, twice))),
            None => Ok(moves),
        }
    }

    /// The legal moves of a seat. After each of them, the iterator has the right length.
    fn counted(&self, seat: Seat) -> Result<Vec<G::Move>, Violation> {
        let wrong = |after, left| Err(Violation::Length { at: self.seat_at(seat), after, left });
        let mut iterator = self.game.legal_moves(self.position, seat);
        let (all, mut moves) = (iterator.len(), Vec::new());
        loop {
            let left = iterator.len();
            if left + moves.len() != all {
                return wrong(moves.len(), left);
            }
            match iterator.next() {
                // This also stops at a list without end.
                Some(_) if left == 0 => return wrong(moves.len(), left),
                Some(chosen) => moves.push(chosen),
                None if left > 0 => return wrong(moves.len(), left),
                None => return Ok(moves),
            }
        }
    }

    /// `nth` returns the same moves as `next`.
    fn check_skipping(
        &self,
        seat: Seat,
        moves: &[G::Move],
        generator: &mut Generator,
    ) -> Result<(), Violation> {
        let any = generator.below(moves.len() as u64 + 1);
        let any = usize::try_from(any).expect("the number is at most a length");
        for skipped in [any, moves.len()] {
            let mut iterator = self.game.legal_moves(self.position, seat);
            let is_right = iterator.nth(skipped).as_ref() == moves.get(skipped)
                && iterator.len() == moves.len().saturating_sub(skipped + 1)
                && iterator.eq(moves.iter().skip(skipped + 1).cloned());
            if !is_right {
                return Err(Violation::Skipping { at: self.seat_at(seat), skipped });
            }
        }
        Ok(())
    }

    fn check_only_seats_in_turn_have_moves(&self) -> Result<(), Violation> {
        for seat in self.seats().iter() {
            let first = self.legal[seat.index()].first();
            match (first, self.turn.seats().contains(seat)) {
                (None, true) => return Err(Violation::NoLegalMove(self.seat_at(seat))),
                (Some(chosen), false) => {
                    return Err(Violation::LegalOutOfTurn(self.move_at(seat, chosen)));
                }
                (None, false) | (Some(_), true) => {}
            }
        }
        Ok(())
    }
}
