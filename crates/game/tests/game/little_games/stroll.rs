//! The seats take one pace each in turn, for ever or until an end.

use std::fmt;
use std::str::FromStr;

use game::{Game, NoChance, Outcome, Picture, Seat, Turn, Viewer};

#[derive(Clone, Debug)]
pub(crate) struct Stroll {
    pub(crate) seats: &'static [&'static str],
    /// The number of paces until the end, and the outcome.
    pub(crate) end: Option<(u16, Outcome)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Pace;

impl Stroll {
    /// A game that never ends.
    pub(crate) fn endless(seats: &'static [&'static str]) -> Self {
        Self { seats, end: None }
    }
}

impl Game for Stroll {
    type Position = u16;
    type Move = Pace;
    type Chance = NoChance;

    fn name(&self) -> String {
        "stroll".to_owned()
    }

    fn seats(&self) -> Vec<&str> {
        self.seats.to_vec()
    }

    fn start(&self) -> u16 {
        0
    }

    fn score_unit(&self) -> Option<&str> {
        let has_points =
            |(_, outcome): &(u16, Outcome)| outcome.scores().iter().any(|each| *each > 1);
        self.end.as_ref().is_some_and(has_points).then_some("points")
    }

    fn turn(&self, position: &u16) -> Turn {
        match self.end {
            Some((paces, outcome)) if paces == *position => Turn::Over(outcome),
            Some(_) | None => {
                let number = usize::from(*position) % self.seats.len();
                let seat = u8::try_from(number).ok().and_then(Seat::new);
                Turn::One(seat.expect("the number of seats is small"))
            }
        }
    }

    fn legal_moves<'a>(
        &'a self,
        position: &'a u16,
        seat: Seat,
    ) -> impl ExactSizeIterator<Item = Pace> + 'a {
        (self.turn(position) == Turn::One(seat)).then_some(Pace).into_iter()
    }

    fn apply(&self, position: &mut u16, _: Seat, _: &Pace) {
        let round = if self.end.is_some() { u16::MAX } else { 4 };
        *position = (*position + 1) % round;
    }

    fn text(&self, position: &u16) -> String {
        position.to_string()
    }

    fn picture(&self, position: &u16, _: Viewer) -> Picture {
        Picture::in_words([self.text(position)])
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("pace")
    }
}

impl FromStr for Pace {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "pace" { Ok(Self) } else { Err("There is nothing but a pace") }
    }
}
