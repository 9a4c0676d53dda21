//! Seats of a game.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A seat of a game, counted from 0. The game knows its name: `X`, `Odds`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(maximum = 7))]
#[serde(try_from = "u8", into = "u8")]
pub struct Seat(u8);

/// No game has a seat of this number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no seat {number}: a game has at most {most}, counted from 0", most = Seat::MOST)]
pub struct NoSuchSeat {
    /// The number.
    pub number: u8,
}

/// A set of seats.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seats(u8);

impl Seat {
    /// The most seats that a game can have.
    pub const MOST: u8 = 8;

    /// The first seat, which opens most games.
    pub const FIRST: Self = Self(0);

    /// The second seat.
    pub const SECOND: Self = Self(1);

    /// The seat of this number, if it is below [`Seat::MOST`].
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if number < Self::MOST { Some(Self(number)) } else { None }
    }

    /// The number, counted from 0.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The number as an index.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The other seat of a game of two.
    #[must_use]
    pub const fn opponent(self) -> Self {
        Self(1 - self.0 % 2)
    }
}

impl TryFrom<u8> for Seat {
    type Error = NoSuchSeat;

    fn try_from(number: u8) -> Result<Self, NoSuchSeat> {
        Self::new(number).ok_or(NoSuchSeat { number })
    }
}

impl From<Seat> for u8 {
    fn from(seat: Seat) -> Self {
        seat.0
    }
}

/// For where no game is at hand to name the seat.
impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat {}", self.0)
    }
}

impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Seats {
    /// No seat.
    pub const NONE: Self = Self(0);

    /// The first `count` seats.
    ///
    /// # Panics
    /// If `count` is more than [`Seat::MOST`].
    #[must_use]
    pub const fn first(count: usize) -> Self {
        assert!(count <= Seat::MOST as usize, "a game has at most eight seats");
        Self(if count == 0 { 0 } else { u8::MAX >> (Seat::MOST as usize - count) })
    }

    /// One seat.
    #[must_use]
    pub const fn one(seat: Seat) -> Self {
        Self(1 << seat.0)
    }

    /// The same seats and one more.
    #[must_use]
    pub const fn with(self, seat: Seat) -> Self {
        Self(self.0 | 1 << seat.0)
    }

    /// Whether the set contains a seat.
    #[must_use]
    pub const fn contains(self, seat: Seat) -> bool {
        self.0 >> seat.0 & 1 == 1
    }

    /// The number of seats in the set.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The seats in order.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        let mut left = self;
        std::iter::from_fn(move || {
            // An empty set has eight trailing zeros, and no seat has the number 8.
            let seat = Seat::new(u8::try_from(left.0.trailing_zeros()).ok()?)?;
            left.0 &= left.0 - 1;
            Some(seat)
        })
    }
}

impl FromIterator<Seat> for Seats {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Self {
        seats.into_iter().fold(Self::NONE, Self::with)
    }
}

impl fmt::Debug for Seats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_are_numbered_from_zero_to_seven() {
        assert_eq!(Seat::new(7).map(Seat::number), Some(7));
        assert_eq!(Seat::new(8), None);
        assert_eq!(
            Seat::try_from(9).unwrap_err().to_string(),
            "there is no seat 9: a game has at most 8, counted from 0"
        );
    }

    #[test]
    fn sets_contain_the_seats_that_were_added() {
        for count in 0..=8 {
            let seats = Seats::first(count);
            assert_eq!(seats.len(), count);
            assert_eq!(seats.iter().collect::<Seats>(), seats);
            assert!(seats.iter().map(Seat::index).eq(0..count));
        }
        assert_eq!(Seats::NONE.with(Seat::SECOND), Seats::one(Seat::SECOND));
        assert!(!Seats::one(Seat::SECOND).contains(Seat::FIRST));
    }
}
