//! The search of the solver.

use game::{CutShort, SearchBudget};

use super::super::cell::Cell;
use super::super::line::Line;
use super::super::size::Size;
use super::distance_table::DistanceTable;
use super::proof_table::ProofTable;
use super::symmetry::Symmetry;

/// A search that answers one question: does the *attacker* win? The *defender* is content with a draw.
///
/// Two answers make the value of a position, because either player may be the attacker. A question
/// ends early: a threat leaves one move, two threats decide, and an attacker whose open lines are
/// too few to be worth a game is refuted by the potential of Erdős and Selfridge.
#[derive(Debug)]
pub struct MnkSearch {
    cells: u64,
    length: u32,
    lines: Vec<u64>,
    /// For each cell, the lines through it.
    through: Vec<Vec<u64>>,
    symmetries: Vec<Symmetry>,
    pub(super) table: ProofTable,
    pub(super) distances: DistanceTable,
}

/// The marks of both players as bits, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AttackPosition {
    pub(super) attacker: u64,
    pub(super) defender: u64,
    pub(super) to_move: Role,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Attacker,
    Defender,
}

/// What the lines of a position say.
#[derive(Debug, Default)]
pub(super) struct OpenLines {
    /// The cells that complete a line of the attacker, and of the defender.
    pub(super) of_attacker: u64,
    pub(super) of_defender: u64,
    /// The sum over the lines that the attacker can still complete: two to the power of the marks
    /// that it has there.
    potential: u32,
}

/// Cells in the order in which they are tried, by their weights.
type CellOrder = [(i32, u8); u64::BITS as usize];

impl AttackPosition {
    /// The position after a mark of the player who is to move.
    pub(super) fn after(self, cells: u64) -> Self {
        match self.to_move {
            Role::Attacker => {
                Self { attacker: self.attacker | cells, to_move: Role::Defender, ..self }
            }
            Role::Defender => {
                Self { defender: self.defender | cells, to_move: Role::Attacker, ..self }
            }
        }
    }
}

impl MnkSearch {
    /// The most cells of a board: the table needs some bits for itself.
    const MOST_CELLS: u32 = 60;

    /// A search on boards of this size; `None` if they have more than 60 cells.
    #[must_use]
    pub fn new(size: Size) -> Option<Self> {
        let area = u32::from(size.area());
        if area > Self::MOST_CELLS {
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
            symmetries: Symmetry::all(size),
            table: ProofTable::default(),
            distances: DistanceTable::default(),
        })
    }

    /// The value of an empty board for the player who opens.
    ///
    /// # Errors
    /// If the budget does not suffice.
    pub fn opening_value(&mut self, budget: &mut SearchBudget<'_>) -> Result<i32, CutShort> {
        // The player who opens never loses: an additional mark of its own never harms, so it could
        // steal any strategy that wins for the other.
        let opening = AttackPosition { attacker: 0, defender: 0, to_move: Role::Attacker };
        Ok(i32::from(self.wins(opening, budget)?))
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
        let own = own | bit;
        let attack = AttackPosition { attacker: own, defender: other, to_move: Role::Defender };
        if self.wins(attack, budget)? {
            return Ok(1);
        }
        let attack = AttackPosition { attacker: other, defender: own, to_move: Role::Attacker };
        Ok(-i32::from(self.wins(attack, budget)?))
    }

    /// Whether a mark on this cell completes a line.
    pub(super) fn completes(&self, own: u64, bit: u64) -> bool {
        let own = own | bit;
        self.through[bit.trailing_zeros() as usize].iter().any(|line| line & !own == 0)
    }

    /// The cells without a mark, one bit for each.
    pub(super) fn free_cells(&self, taken: u64) -> impl Iterator<Item = u64> + Clone + use<> {
        let free = self.cells & !taken;
        (0..u64::BITS).map(|place| 1 << place).filter(move |bit| free & bit != 0)
    }

    /// Whether the attacker wins.
    fn wins(
        &mut self,
        attack: AttackPosition,
        budget: &mut SearchBudget<'_>,
    ) -> Result<bool, CutShort> {
        budget.step()?;
        let lines = self.open_lines_within(attack, self.length);
        if let Some(wins) = self.decided(attack, &lines) {
            return Ok(wins);
        }
        // The player to move must stop a threat of the other.
        let forced = match attack.to_move {
            Role::Attacker => lines.of_defender,
            Role::Defender => lines.of_attacker,
        };
        if forced != 0 {
            return self.wins(attack.after(forced), budget);
        }
        let key = self.representative(attack);
        if let Some(wins) = self.table.get(key) {
            return Ok(wins);
        }
        let (order, count) = self.order(attack);
        let is_attacker = attack.to_move == Role::Attacker;
        let mut wins = !is_attacker && count > 0;
        for (_, place) in &order[..count] {
            if self.wins(attack.after(1 << place), budget)? == is_attacker {
                wins = is_attacker;
                break;
            }
        }
        self.table.put(key, wins);
        Ok(wins)
    }

    /// The answer, if lines alone decide it.
    pub(super) fn decided(&self, attack: AttackPosition, lines: &OpenLines) -> Option<bool> {
        let several = |threats: u64| threats & threats.wrapping_sub(1) != 0;
        let is_full = attack.attacker | attack.defender == self.cells;
        // A line counts two to the power of its marks minus its length. A defender who is to move and
        // always marks the cell with the most weight keeps a sum below 1 from ever reaching it, and the
        // attacker at most doubles the sum by moving first (Erdős and Selfridge, 1973).
        let whole = 1_u32 << self.length;
        match attack.to_move {
            _ if is_full => Some(false),
            Role::Attacker if lines.of_attacker != 0 => Some(true),
            Role::Attacker if several(lines.of_defender) => Some(false),
            Role::Attacker if 2 * lines.potential < whole => Some(false),
            Role::Defender if lines.of_defender != 0 => Some(false),
            Role::Defender if several(lines.of_attacker) => Some(true),
            Role::Defender if lines.potential < whole => Some(false),
            _ => None,
        }
    }

    /// The lines that the attacker can complete with this many marks, and those that the defender can
    /// complete with one.
    pub(super) fn open_lines_within(&self, attack: AttackPosition, marks_left: u32) -> OpenLines {
        let AttackPosition { attacker, defender, .. } = attack;
        let mut open = OpenLines::default();
        for line in &self.lines {
            if line & defender == 0 {
                let marks = (line & attacker).count_ones();
                if marks + marks_left < self.length {
                    continue;
                }
                open.potential += 1 << marks;
                if marks + 1 == self.length {
                    open.of_attacker |= line & !attacker;
                }
            }
            if line & attacker == 0 && (line & defender).count_ones() + 1 == self.length {
                open.of_defender |= line & !defender;
            }
        }
        open
    }

    /// The free cells that are on an open line, those on the fullest lines first.
    pub(super) fn order(&self, attack: AttackPosition) -> (CellOrder, usize) {
        let AttackPosition { attacker, defender, to_move } = attack;
        let (own, other) = match to_move {
            Role::Attacker => (attacker, defender),
            Role::Defender => (defender, attacker),
        };
        let mut order = [(0, 0_u8); u64::BITS as usize];
        let (mut left, mut count) = (self.cells & !(attacker | defender), 0);
        while left != 0 {
            let place = left.trailing_zeros();
            left &= left - 1;
            let weigh = |line: &u64| {
                let (own, other) = (line & own, line & other);
                let as_own = if other == 0 { 3 << (2 * own.count_ones()) } else { 0 };
                let as_other = if own == 0 { 2 << (2 * other.count_ones()) } else { 0 };
                as_own + as_other
            };
            let weight: i32 = self.through[place as usize].iter().map(weigh).sum();
            // A cell that is on no open line is as good as no move, which never helps.
            if weight > 0 {
                order[count] =
                    (-weight, u8::try_from(place).expect("a board has at most 60 cells"));
                count += 1;
            }
        }
        order[..count].sort_unstable();
        (order, count)
    }

    /// The least of all positions that are this one, turned or mirrored.
    pub(super) fn representative(&self, attack: AttackPosition) -> AttackPosition {
        let moved = self
            .symmetries
            .iter()
            .map(|symmetry| (symmetry.moved(attack.attacker), symmetry.moved(attack.defender)));
        let (attacker, defender) = moved.min().unwrap_or((attack.attacker, attack.defender));
        AttackPosition { attacker, defender, ..attack }
    }
}
