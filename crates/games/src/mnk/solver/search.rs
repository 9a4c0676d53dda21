//! The search of the solver.

use game::{CutShort, SearchBudget};
use rustc_hash::FxHashMap;

use super::super::cell::Cell;
use super::super::line::Line;
use super::super::size::Size;

/// A negamax search on bits with a table, in which boards that are turned or mirrored are one.
#[derive(Debug)]
pub struct MnkSearch {
    cells: u64,
    length: u32,
    lines: Vec<u64>,
    /// For each cell, the lines through it.
    through: Vec<Vec<u64>>,
    symmetries: Vec<Vec<u8>>,
    table: FxHashMap<(u64, u64), Bounds>,
}

/// A value is at least and at most this, for the player to move.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    least: i8,
    most: i8,
}

/// The most boards in the table; a full table is emptied.
const MOST_ENTRIES: usize = 1 << 22;

impl MnkSearch {
    /// A search on boards of this size; `None` if they have more than 64 cells.
    #[must_use]
    pub fn new(size: Size) -> Option<Self> {
        let area = u32::from(size.area());
        if area > u64::BITS {
            return None;
        }
        let bit = |cell: Cell| size.place(cell).map_or(0, |place| 1_u64 << place);
        let lines: Vec<u64> = Line::all(size)
            .map(|line| line.cells().fold(0, |bits, cell| bits | bit(cell)))
            .collect();
        let through = size.cells().map(|cell| {
            lines.iter().copied().filter(|line| line & bit(cell) != 0).collect::<Vec<u64>>()
        });
        Some(Self {
            cells: u64::MAX >> (u64::BITS - area),
            length: size.length().into(),
            through: through.collect(),
            lines,
            symmetries: symmetries(size),
            table: FxHashMap::default(),
        })
    }

    /// The value of an empty board for the player who opens.
    ///
    /// # Errors
    /// If the budget does not suffice.
    pub fn opening_value(&mut self, budget: &mut SearchBudget<'_>) -> Result<i32, CutShort> {
        // The player who opens never loses: an additional mark of its own never harms, so it could
        // steal any strategy that wins for the other.
        let wins = self.value(0, 0, 0, 1, budget)? > 0;
        Ok(i32::from(wins))
    }

    /// The value of a move for the player who makes it.
    pub(super) fn value_after(
        &mut self,
        own: u64,
        other: u64,
        bit: u64,
        budget: &mut SearchBudget<'_>,
    ) -> Result<i32, CutShort> {
        if self.completes(own, bit) {
            return Ok(1);
        }
        Ok(-i32::from(self.value(other, own | bit, -1, 1, budget)?))
    }

    /// Whether a mark completes a line.
    fn completes(&self, own: u64, bit: u64) -> bool {
        let through = &self.through[bit.trailing_zeros() as usize];
        through.iter().any(|line| line & !(own | bit) == 0)
    }

    /// The value for the player with the marks `own`, who is to move, if it is inside the window;
    /// otherwise a bound of it.
    fn value(
        &mut self,
        own: u64,
        other: u64,
        mut alpha: i8,
        mut beta: i8,
        budget: &mut SearchBudget<'_>,
    ) -> Result<i8, CutShort> {
        budget.step()?;
        let free = self.cells & !(own | other);
        if free == 0 {
            return Ok(0);
        }
        let open = self.open_lines(own, other);
        if open.own_threats != 0 {
            return Ok(1);
        }
        let forced = open.other_threats;
        if forced & forced.wrapping_sub(1) != 0 {
            return Ok(-1);
        }
        if !open.has_own {
            beta = beta.min(0);
        }
        if !open.has_other {
            alpha = alpha.max(0);
        }
        if alpha >= beta {
            return Ok(if open.has_own { alpha } else { beta });
        }
        let key = self.representative(own, other);
        if let Some(known) = self.table.get(&key) {
            if known.least >= beta {
                return Ok(known.least);
            }
            if known.most <= alpha {
                return Ok(known.most);
            }
            alpha = alpha.max(known.least);
            beta = beta.min(known.most);
        }
        let value = self.best(own, other, free, forced, alpha, beta, budget)?;
        self.remember(key, value, alpha, beta);
        Ok(value)
    }

    #[expect(clippy::too_many_arguments, reason = "a position and a window of a recursive search")]
    fn best(
        &mut self,
        own: u64,
        other: u64,
        free: u64,
        forced: u64,
        mut alpha: i8,
        beta: i8,
        budget: &mut SearchBudget<'_>,
    ) -> Result<i8, CutShort> {
        if forced != 0 {
            return Ok(-self.value(other, own | forced, -beta, -alpha, budget)?);
        }
        let mut best = -1;
        let (order, count) = self.order(own, other, free);
        for (_, place) in &order[..count] {
            let value = -self.value(other, own | 1 << place, -beta, -alpha, budget)?;
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        Ok(best)
    }

    /// The free cells, those on the fullest open lines first.
    fn order(&self, own: u64, other: u64, free: u64) -> ([(i32, u8); 64], usize) {
        let mut order = [(0, 0_u8); 64];
        let (mut left, mut count) = (free, 0);
        while left != 0 {
            let place = left.trailing_zeros();
            left &= left - 1;
            let weight: i32 = self.through[place as usize]
                .iter()
                .map(|line| match ((line & own).count_ones(), (line & other).count_ones()) {
                    (own, 0) => 1 << (3 * own + 1),
                    (0, other) => 1 << (3 * other),
                    _ => 0,
                })
                .sum();
            order[count] = (-weight, u8::try_from(place).expect("a board has at most 64 cells"));
            count += 1;
        }
        order[..count].sort_unstable();
        (order, count)
    }

    /// What the lines say that only one player has marks on.
    fn open_lines(&self, own: u64, other: u64) -> OpenLines {
        let mut open = OpenLines::default();
        for line in &self.lines {
            if line & other == 0 {
                open.has_own = true;
                if (line & own).count_ones() + 1 == self.length {
                    open.own_threats |= line & !own;
                }
            }
            if line & own == 0 {
                open.has_other = true;
                if (line & other).count_ones() + 1 == self.length {
                    open.other_threats |= line & !other;
                }
            }
        }
        open
    }

    fn remember(&mut self, key: (u64, u64), value: i8, alpha: i8, beta: i8) {
        if self.table.len() >= MOST_ENTRIES {
            self.table.clear();
        }
        let known = self.table.entry(key).or_insert(Bounds { least: -1, most: 1 });
        if value < beta {
            known.most = known.most.min(value);
        }
        if value > alpha {
            known.least = known.least.max(value);
        }
    }

    /// The least of all boards that are this one, turned or mirrored. Late boards are too many to be
    /// worth it.
    fn representative(&self, own: u64, other: u64) -> (u64, u64) {
        const LATE: u32 = 10;
        if (own | other).count_ones() > LATE {
            return (own, other);
        }
        let moved = |bits: u64, symmetry: &[u8]| {
            let (mut left, mut moved) = (bits, 0);
            while left != 0 {
                moved |= 1 << symmetry[left.trailing_zeros() as usize];
                left &= left - 1;
            }
            moved
        };
        let boards = self.symmetries.iter().map(|each| (moved(own, each), moved(other, each)));
        boards.min().unwrap_or((own, other))
    }
}

#[derive(Debug, Default)]
struct OpenLines {
    own_threats: u64,
    other_threats: u64,
    has_own: bool,
    has_other: bool,
}

/// For each symmetry of a board, the place to which each place goes.
fn symmetries(size: Size) -> Vec<Vec<u8>> {
    let (columns, rows) = (size.columns(), size.rows());
    let turned = columns == rows;
    let mut found = Vec::new();
    for (mirror, flip, swap) in (0..8).map(|bits| (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0)) {
        if swap && !turned {
            continue;
        }
        let places = size.cells().map(|cell| {
            let column = if mirror { columns - 1 - cell.column } else { cell.column };
            let row = if flip { rows - 1 - cell.row } else { cell.row };
            let (column, row) = if swap { (row, column) } else { (column, row) };
            let place = size.place(Cell { column, row }).unwrap_or(0);
            u8::try_from(place).expect("a board has at most 64 cells")
        });
        found.push(places.collect());
    }
    found
}
