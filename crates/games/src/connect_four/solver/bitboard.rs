//! Stones as bits.

use game::Seat;

use super::super::column::Column;
use super::super::position::{ALL, BITS, BOTTOMS, COLUMN, HEIGHT, Position};

/// The number of places.
pub(super) const CELLS: i32 = 42;

/// The stones of the seat to move and those of both, in the layout of [`Position`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bitboard {
    own: u64,
    taken: u64,
}

impl Bitboard {
    pub(super) fn of(position: &Position) -> Self {
        let [first, second] = position.stones();
        let is_first = first.count_ones() == second.count_ones();
        Self { own: if is_first { first } else { second }, taken: first | second }
    }

    /// The stones of this seat as if it were to move.
    pub(super) fn of_seat(position: &Position, seat: Seat) -> Self {
        let [first, second] = position.stones();
        Self { own: position.stones()[seat.index()], taken: first | second }
    }

    pub(super) fn stones(self) -> i32 {
        self.taken.count_ones().cast_signed()
    }

    /// A number that no other position has: the stones of the seat to move and, in each column, one bit
    /// above all stones.
    pub(super) fn key(self) -> u64 {
        self.own + self.taken
    }

    /// The board in a mirror: the left column becomes the right one.
    pub(super) fn mirrored(self) -> Self {
        Self { own: mirrored(self.own), taken: mirrored(self.taken) }
    }

    /// The board after a stone in this place, for the other seat.
    pub(super) fn after(self, bit: u64) -> Self {
        Self { own: self.own ^ self.taken, taken: self.taken | bit }
    }

    /// The lowest free place of each column that has one.
    fn possible(self) -> u64 {
        (self.taken + BOTTOMS) & ALL
    }

    /// The place of a stone that falls into a column.
    pub(super) fn drop_into(self, column: Column) -> Option<u64> {
        let bit = self.possible() & COLUMN << (BITS * u32::from(column.number()));
        (bit != 0).then_some(bit)
    }

    pub(super) fn can_win_next(self) -> bool {
        threats(self.own, self.taken) & self.possible() != 0
    }

    pub(super) fn wins_by(self, bit: u64) -> bool {
        threats(self.own, self.taken) & bit != 0
    }

    /// The places in which a stone does not lose at once.
    pub(super) fn moves_that_do_not_lose(self) -> u64 {
        let possible = self.possible();
        let threats = threats(self.own ^ self.taken, self.taken);
        let forced = possible & threats;
        let possible = match forced {
            0 => possible,
            // Two threats at once cannot both be stopped.
            forced if forced & (forced - 1) != 0 => return 0,
            forced => forced,
        };
        // A stone below a threat of the opponent lets it through.
        possible & !(threats >> 1)
    }

    /// The number of places in which the seat would complete four after a stone in this place.
    pub(super) fn threats_after(self, bit: u64) -> u32 {
        threats(self.own | bit, self.taken).count_ones()
    }

    /// For each line of four without a stone of the other seat, the number of own stones.
    pub(super) fn open_lines(self) -> impl Iterator<Item = usize> {
        let other = self.own ^ self.taken;
        let lines = [1, BITS - 1, BITS, BITS + 1].into_iter().flat_map(|step| {
            let line = 1_u64 | 1 << step | 1 << (2 * step) | 1 << (3 * step);
            let places = (0..u64::BITS - 3 * step).map(move |shift| line << shift);
            places.filter(|line| line & ALL == *line && line.count_ones() == 4)
        });
        lines
            .filter(move |line| line & other == 0)
            .map(move |line| (line & self.own).count_ones() as usize)
    }
}

fn mirrored(stones: u64) -> u64 {
    let column = |number: u32| stones & COLUMN << (BITS * number);
    let (far, near) = (6 * BITS, 2 * BITS);
    column(0) << far
        | column(1) << (far - near)
        | column(2) << near
        | column(3)
        | column(4) >> near
        | column(5) >> (far - near)
        | column(6) >> far
}

/// The free places that complete four stones of one seat.
fn threats(own: u64, taken: u64) -> u64 {
    let mut found = own << 1 & own << 2 & own << 3;
    for step in [BITS - 1, BITS, BITS + 1] {
        let two = own << step & own << (2 * step);
        found |= two & own << (3 * step);
        found |= two & own >> step;
        let two = own >> step & own >> (2 * step);
        found |= two & own << step;
        found |= two & own >> (3 * step);
    }
    found & (ALL ^ taken)
}

/// The columns from the sides to the middle: what is added last is tried first among equals.
const FROM_THE_SIDES: [u32; 7] = [6, 0, 5, 1, 4, 2, 3];

/// These places one by one, those in the middle last.
pub(super) fn from_the_sides(places: u64) -> impl Iterator<Item = u64> {
    let columns = FROM_THE_SIDES.into_iter().map(move |column| places & COLUMN << (BITS * column));
    columns.filter(|bit| *bit != 0)
}

const _: () = assert!(HEIGHT == 6, "a key needs one free bit above each column");
