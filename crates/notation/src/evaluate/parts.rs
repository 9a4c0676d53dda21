//! Parts of values: `square.up`, `seat.next`.

use crate::code::ValuePart;
use crate::symbols::Symbols;
use crate::values::TextValue;

/// A part of a value; missing if there is none.
pub(super) fn part(symbols: &Symbols, whole: &TextValue, part: ValuePart) -> TextValue {
    match (whole, part) {
        (TextValue::Row(table, row), ValuePart::Field(column)) => {
            symbols.tables[*table as usize].rows[*row as usize][column].clone()
        }
        (_, ValuePart::NextIn(set)) => around(symbols, whole, set, 1),
        (_, ValuePart::PreviousIn(set)) => around(symbols, whole, set, -1),
        (TextValue::Member(list, place), _) => member_part(symbols, *list, *place, part),
        _ => TextValue::Missing,
    }
}

/// The value that is this far away in a ring.
fn around(symbols: &Symbols, value: &TextValue, set: u32, step: i64) -> TextValue {
    let set = symbols.set(set);
    let moved = set.place(value).and_then(|place| turned(place, set.members.len(), step));
    moved.and_then(|place| set.members.get(place).cloned()).unwrap_or(TextValue::Missing)
}

fn turned(place: u32, length: usize, step: i64) -> Option<usize> {
    let length = i64::try_from(length).ok()?;
    usize::try_from((i64::from(place) + step).rem_euclid(length)).ok()
}

fn member_part(symbols: &Symbols, list: u32, place: u32, part: ValuePart) -> TextValue {
    let names = &symbols.lists[list as usize];
    let at = |place: Option<usize>| {
        let place = place.and_then(|place| u32::try_from(place).ok());
        place.map_or(TextValue::Missing, |place| TextValue::Member(list, place))
    };
    let step = match part {
        ValuePart::Next => return at(turned(place, names.names.len(), 1)),
        ValuePart::Previous => return at(turned(place, names.names.len(), -1)),
        ValuePart::Up => (0, -1),
        ValuePart::Down => (0, 1),
        ValuePart::Left => (-1, 0),
        ValuePart::Right => (1, 0),
        ValuePart::Row | ValuePart::Column | ValuePart::Neighbours | ValuePart::Diagonals => (0, 0),
        ValuePart::NextIn(_) | ValuePart::PreviousIn(_) | ValuePart::Field(_) => {
            return TextValue::Missing;
        }
    };
    let Some(columns) = names.columns.filter(|columns| *columns > 0) else {
        return TextValue::Missing;
    };
    let size = (columns, u32::try_from(names.names.len()).unwrap_or(u32::MAX) / columns);
    let (column, row) = (place % columns, place / columns);
    let moved = |(right, down): (i32, i32)| at(stepped((column, row), size, right, down));
    let all = |steps: &[(i32, i32)]| TextValue::set(steps.iter().copied().map(moved).collect());
    match part {
        ValuePart::Row => TextValue::Number(i64::from(row) + 1),
        ValuePart::Column => TextValue::Number(i64::from(column) + 1),
        ValuePart::Neighbours => all(&[(0, -1), (0, 1), (-1, 0), (1, 0)]),
        ValuePart::Diagonals => all(&[(-1, -1), (1, -1), (-1, 1), (1, 1)]),
        _ => moved(step),
    }
}

/// The place of the square that is this far away, if it is on the grid.
fn stepped(
    (column, row): (u32, u32),
    (columns, rows): (u32, u32),
    right: i32,
    down: i32,
) -> Option<usize> {
    let column = column.checked_add_signed(right).filter(|column| *column < columns)?;
    let row = row.checked_add_signed(down).filter(|row| *row < rows)?;
    Some((row * columns + column) as usize)
}
