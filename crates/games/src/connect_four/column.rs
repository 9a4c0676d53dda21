//! The seven columns.

use std::fmt;
use std::str::FromStr;

use crate::unreadable::Unreadable;

/// One of the seven columns, numbered 0 to 6 from the left.
///
/// It is printed as a letter. The letter and the number counted from 1 are read.
///
/// ```
/// use games::connect_four::Column;
///
/// for text in ["c", "3"] {
///     assert_eq!(text.parse(), Ok(Column::C));
/// }
/// assert_eq!(Column::C.to_string(), "c");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Column(u8);

impl Column {
    /// The leftmost.
    pub const A: Self = Self(0);
    /// The second from the left.
    pub const B: Self = Self(1);
    /// The third from the left.
    pub const C: Self = Self(2);
    /// In the middle.
    pub const D: Self = Self(3);
    /// The third from the right.
    pub const E: Self = Self(4);
    /// The second from the right.
    pub const F: Self = Self(5);
    /// The rightmost.
    pub const G: Self = Self(6);

    /// All columns from the left.
    pub const ALL: [Self; 7] = [Self::A, Self::B, Self::C, Self::D, Self::E, Self::F, Self::G];

    /// The column of this number, if it is at most 6.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if number < 7 { Some(Self(number)) } else { None }
    }

    /// The number, 0 to 6.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", char::from(b'a' + self.0))
    }
}

impl fmt::Debug for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Column {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        match text.as_bytes() {
            [letter @ b'a'..=b'g'] => Ok(Self(letter - b'a')),
            [digit @ b'1'..=b'7'] => Ok(Self(digit - b'1')),
            _ => Err(Unreadable::new(text, "a column: write a to g or 1 to 7")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_is_read_by_letter_and_by_number_and_printed_as_a_letter() {
        let letters: Vec<String> = Column::ALL.iter().map(Column::to_string).collect();
        assert_eq!(letters.concat(), "abcdefg");
        for (number, column) in (0..).zip(Column::ALL) {
            assert_eq!(Column::new(number), Some(column));
            assert_eq!(column.number(), number);
            assert_eq!(column.to_string().parse(), Ok(column));
            assert_eq!((number + 1).to_string().parse(), Ok(column));
        }
        assert_eq!(Column::new(7), None);
    }

    #[test]
    fn a_text_that_is_not_a_column_is_refused_with_advice() {
        for text in ["", "0", "8", "h", "A", " a", "a1", "\u{b2}"] {
            let unreadable = text.parse::<Column>().unwrap_err();
            assert_eq!(
                unreadable.to_string(),
                format!("{text:?} is not a column: write a to g or 1 to 7")
            );
        }
    }
}
