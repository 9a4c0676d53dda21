//! The lines of a grid.

use crate::limits::{Bound, Budget, Exceeded};
use crate::symbols::NamedSet;
use crate::values::TextValue;

/// The directions of lines, as columns to the right and rows down: rows, columns, falling and
/// rising diagonals.
const DIRECTIONS: [(i64, i64); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

/// All lines of a length whose squares are in a set; straight ones are rows and columns.
pub(super) fn lines_of(
    squares: &NamedSet,
    columns: u32,
    length: u32,
    is_straight: bool,
    budget: &mut Budget,
) -> Result<Vec<TextValue>, Exceeded> {
    // A line of one square is the same in all directions.
    let directions = match (length, is_straight) {
        (1, _) => &DIRECTIONS[..1],
        (_, true) => &DIRECTIONS[..2],
        (_, false) => &DIRECTIONS[..],
    };
    let mut lines = Vec::new();
    for direction in directions {
        for square in squares.members.iter() {
            budget.steps(1)?;
            let line = line_from(squares, square, *direction, (columns, length), budget)?;
            if let Some(line) = line {
                budget.spend(Bound::Values, line.len())?;
                lines.push(TextValue::set(line));
            }
        }
    }
    Ok(lines)
}

/// The line that begins at a square, if all of it is in the set.
fn line_from(
    squares: &NamedSet,
    first: &TextValue,
    (right, down): (i64, i64),
    (columns, length): (u32, u32),
    budget: &mut Budget,
) -> Result<Option<Vec<TextValue>>, Exceeded> {
    let TextValue::Member(list, place) = *first else { return Ok(None) };
    let (column, row) = (i64::from(place % columns), i64::from(place / columns));
    let mut line = Vec::new();
    for step in 0..i64::from(length) {
        budget.steps(1)?;
        let (column, row) = (column + right * step, row + down * step);
        if column < 0 || column >= i64::from(columns) {
            return Ok(None);
        }
        let Ok(place) = u32::try_from(row * i64::from(columns) + column) else { return Ok(None) };
        let square = TextValue::Member(list, place);
        if squares.place(&square).is_none() {
            return Ok(None);
        }
        line.push(square);
    }
    Ok(Some(line))
}
