//! A position, who must act in it and what may be chosen or drawn.

use bthread::Generator;
use rustc_hash::FxHashSet;

use super::chances;
use super::violation::{DrawnAt, MoveAt, MovesAt, SeatAt, Violation};
use crate::game::{Game, Viewer, all_seats};
use crate::probability::Probability;
use crate::seat::{Seat, Seats};
use crate::turn::Turn;

/// A position, who must act in it and what may be chosen or drawn, all of which is in order.
pub(super) struct Scene<'a, G: Game> {
    pub(super) game: &'a G,
    pub(super) position: &'a G::Position,
    pub(super) text: String,
    pub(super) turn: Turn,
    /// The legal moves of every seat, in the order of seats.
    pub(super) legal: Vec<Vec<G::Move>>,
    /// What may be drawn.
    pub(super) chances: Vec<(G::Chance, Probability)>,
}

/// Everybody who can look at a game.
pub(super) fn viewers<G: Game>(game: &G) -> impl Iterator<Item = Viewer> {
    all_seats(game).iter().map(Viewer::Seat).chain([Viewer::Spectator])
}

impl<'a, G: Game> Scene<'a, G> {
    /// Looks at a position; the generator decides where lists of moves are tried.
    pub(super) fn of(
        game: &'a G,
        position: &'a G::Position,
        generator: &mut Generator,
    ) -> Result<Self, Violation> {
        let (text, turn) = (game.text(position), game.turn(position));
        let mut scene = Self { game, position, text, turn, legal: Vec::new(), chances: Vec::new() };
        scene.turn_is_in_order()?;
        for seat in scene.seats().iter() {
            let moves = scene.listed(seat)?;
            scene.goes_on_after_skipping(seat, &moves, generator)?;
            scene.legal.push(moves);
        }
        scene.only_seats_in_turn_have_moves()?;
        scene.chances = chances::listed(&scene)?;
        Ok(scene)
    }

    pub(super) fn seats(&self) -> Seats {
        all_seats(self.game)
    }

    pub(super) fn is_legal(&self, seat: Seat, chosen: &G::Move) -> bool {
        self.legal[seat.index()].contains(chosen)
    }

    /// A legal move of every seat in turn.
    pub(super) fn any_moves(&self, generator: &mut Generator) -> Vec<(Seat, G::Move)> {
        let any_move = |seat: Seat| {
            let moves = &self.legal[seat.index()];
            let place = generator.below(moves.len() as u64);
            (seat, moves[usize::try_from(place).expect("below a length")].clone())
        };
        self.turn.seats().iter().map(any_move).collect()
    }

    pub(super) fn seat_at(&self, seat: Seat) -> SeatAt {
        SeatAt { position: self.text.clone(), seat }
    }

    pub(super) fn move_at(&self, seat: Seat, chosen: &G::Move) -> MoveAt {
        MoveAt { position: self.text.clone(), seat, chosen: chosen.to_string() }
    }

    pub(super) fn moves_at(&self, moves: &[(Seat, G::Move)]) -> MovesAt {
        let moves = moves.iter().map(|(seat, chosen)| (*seat, chosen.to_string())).collect();
        MovesAt { position: self.text.clone(), moves }
    }

    pub(super) fn drawn_at(&self, drawn: &G::Chance) -> DrawnAt {
        DrawnAt { position: self.text.clone(), drawn: drawn.to_string() }
    }

    fn turn_is_in_order(&self) -> Result<(), Violation> {
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

    /// The legal moves of a seat, which are the same ones again when they are asked for again.
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

    /// The legal moves of a seat, of which the iterator knew at every moment how many were left.
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
                // A list without end is noticed here, too.
                Some(_) if left == 0 => return wrong(moves.len(), left),
                Some(chosen) => moves.push(chosen),
                None if left > 0 => return wrong(moves.len(), left),
                None => return Ok(moves),
            }
        }
    }

    /// Skipping comes to the same moves as going through them.
    fn goes_on_after_skipping(
        &self,
        seat: Seat,
        moves: &[G::Move],
        generator: &mut Generator,
    ) -> Result<(), Violation> {
        let any = generator.below(moves.len() as u64 + 1);
        let any = usize::try_from(any).expect("at most a length");
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

    fn only_seats_in_turn_have_moves(&self) -> Result<(), Violation> {
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
