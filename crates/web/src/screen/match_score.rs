//! The score of a match: several rounds, until one player has won enough of them.

use game::{Seat, all_seats};

use crate::session::{RoundEnding, SessionView};

/// The number of rounds that win a match.
pub const ROUNDS_TO_WIN: usize = 3;

/// The score of the match that the shown round belongs to. After a match the next one begins at 0 : 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchScore {
    /// The match at this table, counted from 1.
    pub number: usize,
    /// The rounds that each seat of the table has won in this match, with the present one as soon as
    /// it is decided.
    pub wins: Vec<usize>,
    /// The seat of the table that has won the match.
    pub winner: Option<Seat>,
}

impl MatchScore {
    /// The score for a view of a table.
    #[must_use]
    pub fn new(view: &SessionView<'_>) -> Self {
        let state = view.shown;
        let seats: Vec<Seat> = all_seats(state.game()).iter().collect();
        let mut score = Self { number: 1, wins: vec![0; seats.len()], winner: None };
        for loser in state.losers() {
            score.begin_next();
            score.count(*loser, &seats);
        }
        score.begin_next();
        let is_over = view.ending.is_some() || state.outcome().is_some();
        if is_over {
            score.count(present_loser(view, &seats), &seats);
        }
        score
    }

    /// Begins the next match, if this one is over.
    fn begin_next(&mut self) {
        if self.winner.take().is_some() {
            self.number += 1;
            self.wins.fill(0);
        }
    }

    /// Counts a round; a tie has no loser.
    fn count(&mut self, loser: Option<Seat>, seats: &[Seat]) {
        for (seat, wins) in seats.iter().zip(&mut self.wins) {
            *wins += usize::from(loser.is_some_and(|loser| loser != *seat));
        }
        let winner = self.wins.iter().position(|wins| *wins == ROUNDS_TO_WIN);
        self.winner = winner.and_then(|index| seats.get(index).copied());
    }
}

/// The loser of the present round, which is over; a tie has none.
fn present_loser(view: &SessionView<'_>, seats: &[Seat]) -> Option<Seat> {
    let state = view.shown;
    if let Some(loser) = view.ending.and_then(RoundEnding::loser) {
        return Some(loser);
    }
    let before =
        |seat: Seat| state.losers().iter().flatten().filter(|loser| **loser != seat).count();
    let has_won = |seat: &Seat| state.wins(*seat) > before(*seat);
    let is_decided = seats.iter().any(has_won);
    seats.iter().copied().find(|seat| is_decided && !has_won(seat))
}
