//! Two seats hold the numbers 1, 2 and 3. Three times both show one at the same time, and the
//! higher number wins a point.

use std::fmt;
use std::str::FromStr;

use game::{Code, Game, NoChance, Outcome, Picture, Reason, Seat, Seats, Turn, Viewer};

#[derive(Clone, Debug)]
pub(crate) struct Duel;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct DuelPosition {
    /// Whether each seat still holds each number.
    holds: [[bool; 3]; 2],
    /// The number that the first seat shows, until the second seat shows one.
    shown: Option<Number>,
    /// The points of the first seat minus those of the second.
    lead: i32,
}

/// A number from 1 to 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Number(pub(crate) u8);

impl Number {
    const ALL: [Self; 3] = [Self(1), Self(2), Self(3)];
}

impl DuelPosition {
    fn has(&self, seat: Seat, number: Number) -> bool {
        self.holds[seat.index()][usize::from(number.0) - 1]
    }

    fn hand(&self, seat: Seat) -> Vec<Number> {
        Number::ALL.into_iter().filter(|number| self.has(seat, *number)).collect()
    }
}

impl Game for Duel {
    type Position = DuelPosition;
    type Move = Number;
    type Chance = NoChance;

    fn name(&self) -> String {
        "duel".to_owned()
    }

    fn seats(&self) -> Vec<&str> {
        vec!["Left", "Right"]
    }

    fn start(&self) -> DuelPosition {
        DuelPosition { holds: [[true; 3]; 2], shown: None, lead: 0 }
    }

    fn turn(&self, position: &DuelPosition) -> Turn {
        if position.holds == [[false; 3]; 2] {
            return Turn::Over(Outcome::scored(&[position.lead, -position.lead]));
        }
        Turn::Several(Seats::first(2))
    }

    fn legal_moves<'a>(
        &'a self,
        position: &'a DuelPosition,
        seat: Seat,
    ) -> impl ExactSizeIterator<Item = Number> + 'a {
        position.hand(seat).into_iter()
    }

    fn objections(&self, position: &DuelPosition, seat: Seat, chosen: &Number) -> Vec<Reason> {
        if position.has(seat, *chosen) {
            return Vec::new();
        }
        vec![Reason::new(Code::ALREADY_TAKEN, format!("You have shown {chosen} already"))]
    }

    fn apply(&self, position: &mut DuelPosition, seat: Seat, chosen: &Number) {
        position.holds[seat.index()][usize::from(chosen.0) - 1] = false;
        match position.shown.take() {
            None => position.shown = Some(*chosen),
            Some(left) => position.lead += left.cmp(chosen) as i32,
        }
    }

    fn text(&self, position: &DuelPosition) -> String {
        let hand = |seat| position.hand(seat).iter().map(ToString::to_string).collect::<String>();
        format!("{}-{} {:+}", hand(Seat::FIRST), hand(Seat::SECOND), position.lead)
    }

    fn picture(&self, position: &DuelPosition, _: Viewer) -> Picture {
        Picture::in_words([self.text(position)])
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Number {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = Self::ALL.into_iter().find(|number| number.to_string() == text);
        number.ok_or("Show 1, 2 or 3")
    }
}
