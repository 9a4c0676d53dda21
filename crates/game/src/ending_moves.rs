//! Moves that end a game at once.

use crate::game::Game;
use crate::seat::Seat;
use crate::turn::{Outcome, Turn};

/// The moves of a position that end the game at once; see [`Game::find_ending_moves`].
///
/// A search asks in thousands of positions, so the memory is used again.
#[derive(Clone, Debug)]
pub struct EndingMoves<P> {
    ends: Vec<(usize, Outcome)>,
    next: Option<P>,
}

impl<P> Default for EndingMoves<P> {
    fn default() -> Self {
        Self { ends: Vec::new(), next: None }
    }
}

impl<P: Clone> EndingMoves<P> {
    /// Forgets what was found before.
    pub fn clear(&mut self) {
        self.ends.clear();
    }

    /// Notes that the move at this place of the [legal moves](Game::legal_moves) ends the game.
    pub fn note(&mut self, place: usize, outcome: Outcome) {
        self.ends.push((place, outcome));
    }

    /// Makes the move at this place on a copy of the position, and notes it if that ends the game.
    pub fn try_move<G: Game<Position = P>>(
        &mut self,
        game: &G,
        position: &P,
        seat: Seat,
        place: usize,
    ) {
        match &mut self.next {
            Some(next) => next.clone_from(position),
            None => self.next = Some(position.clone()),
        }
        let next = self.next.as_mut().expect("it was just made");
        if game.apply_nth(next, seat, place)
            && let Turn::Over(outcome) = game.turn(next)
        {
            self.note(place, outcome);
        }
    }

    /// The places of the moves among the legal moves, each with its outcome.
    #[must_use]
    pub fn ends(&self) -> &[(usize, Outcome)] {
        &self.ends
    }
}
