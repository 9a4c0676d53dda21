//! The die.

use std::fmt;
use std::str::FromStr;

use crate::unreadable::Unreadable;

/// A side of the die.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Die {
    /// Nothing is added, and the turn is lost.
    One,
    /// Two points.
    Two,
    /// Three points.
    Three,
    /// Four points.
    Four,
    /// Five points.
    Five,
    /// Six points.
    Six,
}

impl Die {
    /// All sides, the lowest first.
    pub const ALL: [Self; 6] =
        [Self::One, Self::Two, Self::Three, Self::Four, Self::Five, Self::Six];

    /// The number of points on this side.
    #[must_use]
    pub const fn points(self) -> u32 {
        self as u32 + 1
    }
}

impl fmt::Display for Die {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.points().fmt(f)
    }
}

impl FromStr for Die {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        let named = Self::ALL.into_iter().find(|die| die.to_string() == text);
        named.ok_or_else(|| Unreadable::new(text, "a side of the die: write 1 to 6"))
    }
}
