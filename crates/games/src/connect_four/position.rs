//! The stones in the columns.

use game::{Generator, Seat};

use super::column::Column;
use crate::x_and_o::XoStatus;

/// The number of stones that fit into a column.
pub(super) const HEIGHT: u8 = 6;

/// The bits of a column: one for each stone, and one that is never set, so that no line of bits
/// continues from the top of one column to the bottom of the next.
pub(super) const BITS: u32 = HEIGHT as u32 + 1;

/// The lowest place of every column.
pub(super) const BOTTOMS: u64 = {
    let mut bottoms = 0;
    let mut column = 0;
    while column < Column::ALL.len() {
        bottoms = bottoms << BITS | 1;
        column += 1;
    }
    bottoms
};

/// The highest place of every column.
const TOPS: u64 = BOTTOMS << (HEIGHT - 1);

/// Every place of the leftmost column.
pub(super) const COLUMN: u64 = (1 << HEIGHT) - 1;

/// Every place.
pub(super) const ALL: u64 = BOTTOMS * COLUMN;

/// The distance in bits from a place to the next one in a line: up, falling, level, rising.
const DIRECTIONS: [u32; 4] = [1, BITS - 1, BITS, BITS + 1];

/// The stones, and the status of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The stones of X and those of O: columns from the left, each from the bottom up.
    stones: [u64; 2],
    /// Follows from the stones. It is stored because it is read more often than it changes.
    status: XoStatus,
}

impl Position {
    /// No stones; X is to move.
    pub(super) const START: Self = Self { stones: [0; 2], status: XoStatus::ToMove(Seat::FIRST) };

    /// The status of the game.
    pub(super) const fn status(&self) -> XoStatus {
        self.status
    }

    /// The columns into which a seat may drop a stone.
    pub(super) fn open_columns(&self, seat: Seat) -> Columns {
        let tops = if self.status.is_to_move(seat) { TOPS & !self.taken() } else { 0 };
        Columns { tops }
    }

    /// Whether no stone fits into the column.
    #[must_use]
    pub const fn is_full(&self, column: Column) -> bool {
        self.taken() & TOPS & in_column(column, COLUMN) != 0
    }

    /// The seat whose stone is in this column and row. Row 0 is the top one.
    #[must_use]
    pub fn at(&self, column: Column, row: u8) -> Option<Seat> {
        let place = place(column, row);
        [Seat::FIRST, Seat::SECOND].into_iter().find(|seat| self.of(*seat) & place != 0)
    }

    /// Whether the stone in this place is one of four in a line.
    pub(super) fn decides(&self, column: Column, row: u8) -> bool {
        let of_winner = self.status.winner().map_or(0, |winner| fours(self.of(winner)));
        of_winner & place(column, row) != 0
    }

    /// The lines of four of a seat by their ends, from the top or the left: `a1-d4`.
    pub(super) fn lines_of(&self, seat: Seat) -> Vec<String> {
        let of_direction = |direction| {
            let first = first_of_four(self.of(seat), direction);
            let places = (0..u64::BITS).filter(move |bit| first >> bit & 1 == 1);
            places.map(move |bit| (bit, bit + 3 * direction))
        };
        let ends = DIRECTIONS.into_iter().flat_map(of_direction);
        let names = ends.map(|(first, last)| {
            let is_in_column = first / BITS == last / BITS;
            let (first, last) = if is_in_column { (last, first) } else { (first, last) };
            format!("{}-{}", name_of_bit(first), name_of_bit(last))
        });
        names.collect()
    }

    /// Drops a stone of a seat into a column that is not full.
    pub(super) const fn fall(&mut self, seat: Seat, column: Column) {
        let taken = self.taken();
        // Adding 1 to the stones of a column carries to the first free place.
        let stone = (taken + in_column(column, 1)) & in_column(column, COLUMN) & !taken;
        let stones = self.of(seat) | stone;
        self.stones[seat.index()] = stones;
        self.status = if has_four(stones) {
            XoStatus::WonBy(seat)
        } else if taken | stone == ALL {
            XoStatus::Drawn
        } else {
            XoStatus::ToMove(seat.opponent())
        };
    }

    /// Plays at random to the end, or this many plies.
    pub(super) fn play_out(&mut self, generator: &mut Generator, most_plies: u32) {
        let XoStatus::ToMove(seat) = self.status else { return };
        // Both seats do the same in turn, without asking each time whose turn it is.
        let (mut own, mut taken, mut mover) = (self.of(seat), self.taken(), seat);
        for _ in 0..most_plies {
            let stone = random_stone(taken, generator);
            own |= stone;
            taken |= stone;
            let is_won = has_four(own);
            self.stones[mover.index()] = own;
            if is_won || taken == ALL {
                self.status = if is_won { XoStatus::WonBy(mover) } else { XoStatus::Drawn };
                return;
            }
            (own, mover) = (taken ^ own, mover.opponent());
        }
        self.status = XoStatus::ToMove(mover);
    }

    /// The stones of X and those of O.
    pub(super) const fn stones(&self) -> [u64; 2] {
        self.stones
    }

    const fn of(&self, seat: Seat) -> u64 {
        self.stones[seat.index()]
    }

    const fn taken(&self) -> u64 {
        self.stones[0] | self.stones[1]
    }
}

/// The place of a stone that falls into a random open column. There must be one.
#[inline]
fn random_stone(taken: u64, generator: &mut Generator) -> u64 {
    let tops = TOPS & !taken;
    // For most of a game every column is open.
    let shift = if tops == TOPS {
        BITS * u32::try_from(generator.below(7)).expect("it is below seven")
    } else {
        let open = &OPEN_SHIFTS[usize::try_from(columns_of(tops)).expect("it is below 128")];
        let place = generator.below(open[7].into());
        open[usize::try_from(place).expect("it is below seven") & 7].into()
    };
    // Adding 1 to the stones of a column carries to the first free place.
    (taken + (1 << shift)) & COLUMN << shift & !taken
}

/// The lowest bits of the highest places, side by side: one bit for each column.
const fn columns_of(tops: u64) -> u64 {
    /// Moves the bit of column `n`, which is bit 7 n, to bit 36 + n; no other sums meet there.
    const GATHER: u64 = 1 << 36 | 1 << 30 | 1 << 24 | 1 << 18 | 1 << 12 | 1 << 6 | 1;
    (tops >> (HEIGHT - 1)).wrapping_mul(GATHER) >> 36 & 0x7f
}

/// For each set of columns, the lowest bits of its members in order, and their number at the end.
static OPEN_SHIFTS: [[u8; 8]; 128] = {
    let mut shifts = [[0; 8]; 128];
    let mut open = 0;
    while open < shifts.len() {
        let (mut count, mut column) = (0, 0);
        while column < 7 {
            if open >> column & 1 == 1 {
                shifts[open][count] = column * (HEIGHT + 1);
                count += 1;
                shifts[open][7] += 1;
            }
            column += 1;
        }
        open += 1;
    }
    shifts
};

/// Columns, from the left.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    /// The highest place of each.
    tops: u64,
}

impl Iterator for Columns {
    type Item = Column;

    fn next(&mut self) -> Option<Column> {
        let number = self.tops.trailing_zeros() / BITS;
        self.tops &= self.tops.wrapping_sub(1);
        Column::new(u8::try_from(number).expect("a u64 has 64 bits"))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let length = self.tops.count_ones() as usize;
        (length, Some(length))
    }

    fn nth(&mut self, skipped: usize) -> Option<Column> {
        // For most of a game every column is open, so the column at an index is known.
        if self.tops == TOPS
            && let Some(column) = Column::ALL.get(skipped)
        {
            self.tops = TOPS & in_column(*column, TOPS) << BITS;
            return Some(*column);
        }
        for _ in 0..skipped.min(Column::ALL.len()) {
            self.tops &= self.tops.wrapping_sub(1);
        }
        self.next()
    }
}

impl ExactSizeIterator for Columns {}

/// The bits of the leftmost column, moved to another.
const fn in_column(column: Column, bits: u64) -> u64 {
    bits << (BITS * column.number() as u32)
}

/// The place in this column and this row, counted from the top.
const fn place(column: Column, row: u8) -> u64 {
    in_column(column, 1 << (HEIGHT - 1)) >> row
}

/// The name of the cell in this column and this row, counted from the top.
pub(super) fn cell_name(column: Column, row: u8) -> String {
    format!("{column}{}", row + 1)
}

fn name_of_bit(bit: u32) -> String {
    let number = |number: u32| u8::try_from(number).expect("there are few columns and rows");
    let column = Column::new(number(bit / BITS)).expect("stones are in columns");
    cell_name(column, HEIGHT - 1 - number(bit % BITS))
}

/// Whether four stones are in a line.
const fn has_four(stones: u64) -> bool {
    let [up, falling, level, rising] = DIRECTIONS;
    first_of_four(stones, up)
        | first_of_four(stones, falling)
        | first_of_four(stones, level)
        | first_of_four(stones, rising)
        != 0
}

/// The stones from which three more follow in a direction.
const fn first_of_four(stones: u64, direction: u32) -> u64 {
    let first_of_two = stones & stones >> direction;
    first_of_two & first_of_two >> (2 * direction)
}

/// All stones that are one of four in a line.
fn fours(stones: u64) -> u64 {
    let of_direction = |direction| {
        let first = first_of_four(stones, direction);
        let two = first | first << direction;
        two | two << (2 * direction)
    };
    DIRECTIONS.into_iter().map(of_direction).fold(0, std::ops::BitOr::bitor)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The columns and rows of a line with this start and direction, if it is on the board.
    fn line((column, row): (i8, i8), (right, down): (i8, i8)) -> Option<[(Column, u8); 4]> {
        let places = [0, 1, 2, 3].map(|step| {
            let column = u8::try_from(column + step * right).ok().and_then(Column::new)?;
            let row = u8::try_from(row + step * down).ok().filter(|row| *row < HEIGHT)?;
            Some((column, row))
        });
        let [Some(a), Some(b), Some(c), Some(d)] = places else { return None };
        Some([a, b, c, d])
    }

    /// All 69 lines of four.
    fn lines() -> Vec<[(Column, u8); 4]> {
        let starts = (0..7).flat_map(|column| (0..6).map(move |row| (column, row)));
        let directions = [(1, 0), (0, 1), (1, 1), (1, -1)];
        starts
            .flat_map(|start| directions.map(|direction| line(start, direction)))
            .flatten()
            .collect()
    }

    fn stones(line: &[(Column, u8)]) -> u64 {
        line.iter().map(|(column, row)| place(*column, *row)).fold(0, std::ops::BitOr::bitor)
    }

    #[test]
    fn the_places_are_42_distinct_bits() {
        let places = Column::ALL.map(|column| (0..HEIGHT).map(move |row| place(column, row)));
        let places: Vec<u64> = places.into_iter().flatten().collect();
        assert_eq!(places.len(), 42);
        assert!(places.iter().all(|place| place.is_power_of_two()));
        assert_eq!(places.iter().sum::<u64>(), ALL);
    }

    #[test]
    fn each_of_the_69_lines_of_four_is_found() {
        assert_eq!(lines().len(), 69);
        for line in lines() {
            assert!(has_four(stones(&line)), "{line:?}");
            assert_eq!(fours(stones(&line)), stones(&line), "{line:?}");
            assert!((0..4).all(|index| !has_four(stones(&line) & !stones(&line[index..=index]))));
        }
    }

    #[test]
    fn each_line_is_named_by_its_ends() {
        for line in lines() {
            let position = Position { stones: [stones(&line), 0], ..Position::START };
            let [(column, row), .., (last_column, last_row)] = line;
            let expected =
                format!("{}-{}", cell_name(column, row), cell_name(last_column, last_row));
            assert_eq!(position.lines_of(Seat::FIRST), [expected]);
            assert!(position.lines_of(Seat::SECOND).is_empty());
        }
    }

    #[test]
    fn no_other_four_stones_are_a_line() {
        let lines: Vec<u64> = lines().iter().map(|line| stones(line)).collect();
        let places: Vec<u64> = (0..64).map(|bit| 1 << bit).filter(|bit| ALL & bit != 0).collect();
        let mut found = 0;
        for (a, first) in places.iter().enumerate() {
            for (b, second) in places.iter().enumerate().skip(a + 1) {
                for (c, third) in places.iter().enumerate().skip(b + 1) {
                    for fourth in &places[c + 1..] {
                        let stones = first | second | third | fourth;
                        assert_eq!(has_four(stones), lines.contains(&stones), "{stones:#b}");
                        found += u32::from(has_four(stones));
                    }
                }
            }
        }
        assert_eq!(found, 69);
    }

    #[test]
    fn nth_finds_any_open_column() {
        for full in 0..128_u64 {
            let tops = Column::ALL.iter().filter(|column| full >> column.number() & 1 == 0);
            let open = Columns { tops: tops.map(|column| place(*column, 0)).sum() };
            let listed: Vec<Column> = open.clone().collect();
            assert_eq!(open.len(), listed.len());
            for index in 0..9 {
                let mut rest = open.clone();
                assert_eq!(rest.nth(index), listed.get(index).copied());
                assert!(rest.eq(listed.iter().skip(index + 1).copied()));
            }
        }
    }
}
