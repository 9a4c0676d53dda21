//! Odds and Evens: both seats show one or two fingers at the same time.
//!
//! If the sum is odd, Odds wins; otherwise Evens does. There is one round.
//!
//! ```
//! use game::{Game, Seat};
//! use games::odds_and_evens::{Fingers, OddsAndEvens};
//!
//! let game = OddsAndEvens;
//! let both = [(Seat::FIRST, Fingers::One), (Seat::SECOND, Fingers::Two)];
//! let position = game.play_all(&game.start(), &both)?;
//! assert_eq!(game.text(&position), "Odds shows 1, Evens shows 2");
//! let outcome = game.turn(&position).outcome();
//! assert_eq!(outcome.and_then(|outcome| outcome.winner()), Some(Seat::FIRST));
//! # Ok::<(), game::Refusal>(())
//! ```

use std::fmt;
use std::str::FromStr;

use game::{Game, NoChance, Outcome, Picture, Seat, Seats, Turn, Viewer};

use crate::unreadable::Unreadable;

/// One round of Odds and Evens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct OddsAndEvens;

/// What the seats have shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Position {
    shown: [Option<Fingers>; 2],
}

/// A number of fingers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fingers {
    /// One finger.
    One,
    /// Two fingers.
    Two,
}

impl Fingers {
    /// One or two fingers.
    pub const ALL: [Self; 2] = [Self::One, Self::Two];
}

impl Position {
    /// The fingers of Odds and Evens, once both have shown theirs.
    #[must_use]
    pub const fn shown(&self) -> Option<[Fingers; 2]> {
        match self.shown {
            [Some(odds), Some(evens)] => Some([odds, evens]),
            _ => None,
        }
    }
}

impl Game for OddsAndEvens {
    type Position = Position;
    type Move = Fingers;
    type Chance = NoChance;

    fn name(&self) -> String {
        "odds-and-evens".to_owned()
    }

    fn seats(&self) -> Vec<&str> {
        vec!["Odds", "Evens"]
    }

    fn start(&self) -> Position {
        Position::default()
    }

    fn turn(&self, position: &Position) -> Turn {
        match position.shown() {
            None => Turn::Several(Seats::first(2)),
            // One and two are the only different numbers, and the only ones with an odd sum.
            Some([odds, evens]) if odds != evens => Turn::Over(Outcome::won_by(Seat::FIRST)),
            Some(_) => Turn::Over(Outcome::won_by(Seat::SECOND)),
        }
    }

    fn legal_moves<'a>(
        &'a self,
        position: &'a Position,
        seat: Seat,
    ) -> impl ExactSizeIterator<Item = Fingers> + 'a {
        let may_show = position.shown().is_none() && Seats::first(2).contains(seat);
        let fingers: &[Fingers] = if may_show { &Fingers::ALL } else { &[] };
        fingers.iter().copied()
    }

    fn apply(&self, position: &mut Position, seat: Seat, chosen: &Fingers) {
        position.shown[seat.index()] = Some(*chosen);
    }

    fn text(&self, position: &Position) -> String {
        match position.shown() {
            None => "Odds and Evens have shown nothing".to_owned(),
            Some([odds, evens]) => format!("Odds shows {odds}, Evens shows {evens}"),
        }
    }

    fn picture(&self, position: &Position, _: Viewer) -> Picture {
        Picture::in_words([self.text(position)])
    }

    fn label(&self, chosen: &Fingers) -> String {
        match chosen {
            Fingers::One => "one finger".to_owned(),
            Fingers::Two => "two fingers".to_owned(),
        }
    }
}

impl fmt::Display for Fingers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::One => "1",
            Self::Two => "2",
        })
    }
}

impl FromStr for Fingers {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        match text {
            "1" => Ok(Self::One),
            "2" => Ok(Self::Two),
            _ => Err(Unreadable::new(text, "a number of fingers: write 1 or 2")),
        }
    }
}

#[cfg(test)]
mod tests {
    use game::{Code, Refusal, perft};

    use super::*;

    const SEATS: [Seat; 2] = [Seat::FIRST, Seat::SECOND];

    /// The position after what both show.
    fn after(odds: Fingers, evens: Fingers) -> Position {
        check(&[(Seat::FIRST, odds), (Seat::SECOND, evens)]).unwrap()
    }

    fn check(moves: &[(Seat, Fingers)]) -> Result<Position, Refusal> {
        OddsAndEvens.play_all(&OddsAndEvens.start(), moves)
    }

    #[test]
    fn odds_wins_with_an_odd_sum_and_evens_with_an_even_one() {
        use Fingers::{One, Two};
        let scores = |odds, evens| {
            let outcome = OddsAndEvens.turn(&after(odds, evens)).outcome().unwrap();
            <[i32; 2]>::try_from(outcome.scores()).unwrap()
        };
        assert_eq!(scores(One, One), [-1, 1]);
        assert_eq!(scores(One, Two), [1, -1]);
        assert_eq!(scores(Two, One), [1, -1]);
        assert_eq!(scores(Two, Two), [-1, 1]);
    }

    #[test]
    fn there_are_four_games_of_one_step() {
        let counted = [0, 1, 2].map(|depth| perft(&OddsAndEvens, &OddsAndEvens.start(), depth));
        assert_eq!(counted, [1, 4, 0]);
    }

    #[test]
    fn both_seats_choose_at_the_same_time_and_neither_alone() {
        let start = OddsAndEvens.start();
        assert_eq!(OddsAndEvens.turn(&start), Turn::Several(Seats::first(2)));
        for seat in SEATS {
            assert!(OddsAndEvens.legal_moves(&start, seat).eq(Fingers::ALL));
            assert_eq!(OddsAndEvens.check(&start, seat, &Fingers::One), Ok(()));
            let refusal = check(&[(seat, Fingers::One)]).unwrap_err();
            assert_eq!(refusal.code(), &Code::INCOMPLETE);
        }
        let third = Seat::new(2).unwrap();
        assert_eq!(OddsAndEvens.legal_moves(&start, third).len(), 0);
        let refusal = OddsAndEvens.check(&start, third, &Fingers::One).unwrap_err();
        assert_eq!(refusal.to_string(), "It is not your turn");
    }

    #[test]
    fn there_is_no_second_round() {
        let over = after(Fingers::One, Fingers::One);
        for seat in SEATS {
            assert_eq!(OddsAndEvens.legal_moves(&over, seat).len(), 0);
            let refusal = OddsAndEvens.check(&over, seat, &Fingers::Two).unwrap_err();
            assert_eq!(refusal.to_string(), "The game is lost, you need to forfeit");
        }
    }

    #[test]
    fn the_text_and_the_picture_show_both_hands() {
        let drawn = |position| {
            let picture = OddsAndEvens.picture(&position, Viewer::Spectator);
            assert_eq!(picture.to_string(), OddsAndEvens.text(&position));
            picture.to_string()
        };
        assert_eq!(drawn(OddsAndEvens.start()), "Odds and Evens have shown nothing");
        assert_eq!(drawn(after(Fingers::Two, Fingers::One)), "Odds shows 2, Evens shows 1");
        assert_eq!(OddsAndEvens.start().shown(), None);
        let both = [Fingers::Two, Fingers::One];
        assert_eq!(after(both[0], both[1]).shown(), Some(both));
    }

    #[test]
    fn fingers_are_read_only_as_they_are_printed() {
        for fingers in Fingers::ALL {
            assert_eq!(fingers.to_string().parse(), Ok(fingers));
        }
        for text in ["", "0", "3", "one", "1 "] {
            assert_eq!(
                text.parse::<Fingers>().unwrap_err().to_string(),
                format!("{text:?} is not a number of fingers: write 1 or 2")
            );
        }
    }
}
