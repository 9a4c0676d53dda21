//! Passes and bets.

use std::fmt;
use std::str::FromStr;

use game::Seat;

use crate::unreadable::Unreadable;

/// What a seat can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// Add nothing: check, or fold after a bet.
    Pass,
    /// Add one chip: bet, or call after a bet.
    Bet,
}

/// The moves so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Betting([Option<Move>; 3]);

/// The state of the betting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BettingState {
    /// This seat is to move.
    ToMove(Seat),
    /// This seat passed after a bet, and loses what it has staked; nobody shows a card.
    Folded(Seat),
    /// Both show their cards, and the higher one wins this number of chips.
    Showdown(i32),
}

impl Move {
    /// Pass or bet.
    pub const ALL: [Self; 2] = [Self::Pass, Self::Bet];
}

impl Betting {
    pub(super) const fn state(self) -> BettingState {
        use Move::{Bet, Pass};
        match self.0 {
            [None, ..] | [Some(Pass), Some(Bet), None] => BettingState::ToMove(Seat::FIRST),
            [Some(_), None, _] => BettingState::ToMove(Seat::SECOND),
            [Some(Bet), Some(Pass), _] => BettingState::Folded(Seat::SECOND),
            [Some(Pass), Some(Bet), Some(Pass)] => BettingState::Folded(Seat::FIRST),
            [Some(Pass), Some(Pass), _] => BettingState::Showdown(1),
            [Some(Bet), Some(Bet), _] | [Some(Pass), Some(Bet), Some(Bet)] => {
                BettingState::Showdown(2)
            }
        }
    }

    /// One move more, unless there are three.
    pub(super) fn push(&mut self, chosen: Move) {
        if let Some(free) = self.0.iter_mut().find(|place| place.is_none()) {
            *free = Some(chosen);
        }
    }

    pub(super) fn moves(&self) -> impl Iterator<Item = Move> {
        self.0.iter().flatten().copied()
    }

    /// The number of chips that both seats have staked. Each has staked one before the first move.
    pub(super) fn pot(self) -> usize {
        2 + self.moves().filter(|chosen| *chosen == Move::Bet).count()
    }
}

/// The moves with a space before each.
impl fmt::Display for Betting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.moves().try_for_each(|chosen| write!(f, " {chosen}"))
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pass => "pass",
            Self::Bet => "bet",
        })
    }
}

impl FromStr for Move {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        match text {
            "pass" => Ok(Self::Pass),
            "bet" => Ok(Self::Bet),
            _ => Err(Unreadable::new(text, "a move: write pass or bet")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_only_as_they_are_printed() {
        for chosen in Move::ALL {
            assert_eq!(chosen.to_string().parse(), Ok(chosen));
        }
        for text in ["", "fold", "call", "check", "Bet", "pass (JQ)"] {
            assert_eq!(
                text.parse::<Move>().unwrap_err().to_string(),
                format!("{text:?} is not a move: write pass or bet")
            );
        }
    }
}
