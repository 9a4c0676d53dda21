//! Two seats take a coin from either end of a row in turn. Each wins by how much more it has taken.

use std::fmt;
use std::str::FromStr;

use game::{Game, NoChance, Outcome, Picture, Seat, Turn, Viewer};

#[derive(Clone, Debug)]
pub(crate) struct CoinRow(pub(crate) Vec<i8>);

/// The coins that are left, and the lead of the first seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CoinsLeft {
    first: usize,
    end: usize,
    lead: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum RowEnd {
    Left,
    Right,
}

impl CoinRow {
    /// The lead of the first seat if nobody makes a mistake, by looking at all games.
    pub(crate) fn best_lead(&self) -> i32 {
        self.lead_from(&self.start())
    }

    fn lead_from(&self, position: &CoinsLeft) -> i32 {
        let Turn::One(seat) = self.turn(position) else { return position.lead };
        let leads = [RowEnd::Left, RowEnd::Right].map(|side| {
            let mut next = *position;
            self.apply(&mut next, seat, &side);
            self.lead_from(&next)
        });
        let [left, right] = leads;
        if seat == Seat::FIRST { left.max(right) } else { left.min(right) }
    }
}

impl Game for CoinRow {
    type Position = CoinsLeft;
    type Move = RowEnd;
    type Chance = NoChance;

    fn name(&self) -> String {
        format!("coins:{:?}", self.0)
    }

    fn seats(&self) -> Vec<&str> {
        vec!["Ann", "Ben"]
    }

    fn start(&self) -> CoinsLeft {
        CoinsLeft { first: 0, end: self.0.len(), lead: 0 }
    }

    fn turn(&self, position: &CoinsLeft) -> Turn {
        let taken = self.0.len() - (position.end - position.first);
        match position.end - position.first {
            0 => Turn::Over(Outcome::scored(&[position.lead, -position.lead])),
            _ if taken.is_multiple_of(2) => Turn::One(Seat::FIRST),
            _ => Turn::One(Seat::SECOND),
        }
    }

    fn legal_moves<'a>(
        &'a self,
        position: &'a CoinsLeft,
        seat: Seat,
    ) -> impl ExactSizeIterator<Item = RowEnd> + 'a {
        let moves = if self.turn(position) == Turn::One(seat) { 2 } else { 0 };
        [RowEnd::Left, RowEnd::Right].into_iter().take(moves)
    }

    fn apply(&self, position: &mut CoinsLeft, seat: Seat, chosen: &RowEnd) {
        let coin = match chosen {
            RowEnd::Left => {
                position.first += 1;
                self.0[position.first - 1]
            }
            RowEnd::Right => {
                position.end -= 1;
                self.0[position.end]
            }
        };
        position.lead += if seat == Seat::FIRST { i32::from(coin) } else { -i32::from(coin) };
    }

    fn text(&self, position: &CoinsLeft) -> String {
        format!("{:?} with a lead of {}", &self.0[position.first..position.end], position.lead)
    }

    fn picture(&self, position: &CoinsLeft, _: Viewer) -> Picture {
        Picture::in_words([self.text(position)])
    }
}

impl fmt::Display for RowEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Left => "left",
            Self::Right => "right",
        })
    }
}

impl FromStr for RowEnd {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "left" => Ok(Self::Left),
            "right" => Ok(Self::Right),
            _ => Err("Write left or right"),
        }
    }
}
