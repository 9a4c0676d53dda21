//! Moves.

use std::fmt;
use std::str::FromStr;

use super::cell::Cell;
use crate::tic_tac_toe::Mark;

/// A move: a cell and, if the player may choose it, the mark to write there.
///
/// It is printed as `b2`, or `Xb2` with a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placement {
    /// The mark, if the player may choose it.
    pub mark: Option<Mark>,
    /// The cell.
    pub cell: Cell,
}

/// The text names no cell.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a move: write the letter of a column and the number of a row, as in b2")]
pub struct NotAPlacement {
    /// The text.
    pub text: String,
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mark {
            Some(mark) => write!(f, "{mark}{}", self.cell),
            None => self.cell.fmt(f),
        }
    }
}

impl FromStr for Placement {
    type Err = NotAPlacement;

    fn from_str(text: &str) -> Result<Self, NotAPlacement> {
        read(text).ok_or_else(|| NotAPlacement { text: text.to_owned() })
    }
}

fn read(text: &str) -> Option<Placement> {
    let (mark, rest) = match text.as_bytes().first()? {
        b'X' => (Some(Mark::X), text.get(1..)?),
        b'O' => (Some(Mark::O), text.get(1..)?),
        _ => (None, text),
    };
    let letter = *rest.as_bytes().first().filter(|letter| letter.is_ascii_lowercase())?;
    let digits =
        rest.get(1..).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()))?;
    let row: u8 = digits.parse().ok().filter(|_| !digits.starts_with('0'))?;
    Some(Placement { mark, cell: Cell { column: letter - b'a', row: row.checked_sub(1)? } })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placements_are_read_as_they_are_written() {
        for text in ["a1", "b2", "Xb2", "Oc3", "s19", "Os19", "z255"] {
            assert_eq!(text.parse::<Placement>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "X", "b", "2", "b0", "b02", "b+2", "B2", "xb2", "b2 ", "b256", "Xé2", "é"]
        {
            assert!(text.parse::<Placement>().is_err(), "{text:?}");
        }
        assert_eq!(
            "x".parse::<Placement>().unwrap_err().to_string(),
            "\"x\" is not a move: write the letter of a column and the number of a row, as in b2"
        );
    }
}
