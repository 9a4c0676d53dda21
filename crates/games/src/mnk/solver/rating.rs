//! What each move is worth, and how soon the game is over after it.

use game::{CutShort, PositionValue, SearchBudget};

use super::search::{AttackPosition, MnkSearch, OpenLines, Role};

/// A move and its value for the player who makes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RatedMove {
    /// The cell, as one bit.
    pub(super) bit: u64,
    pub(super) value: PositionValue,
}

/// The most positions that are visited to find out how soon somebody wins.
const MOST_DISTANCE_STEPS: u64 = 20_000_000;

impl MnkSearch {
    /// Rates all moves of the player who has these marks. A distance that takes too long to find is left out.
    ///
    /// # Errors
    /// If the budget does not suffice for the values.
    pub(super) fn rate(
        &mut self,
        own: u64,
        other: u64,
        budget: &mut SearchBudget<'_>,
    ) -> Result<Vec<RatedMove>, CutShort> {
        let free = self.free_cells(own | other);
        let mut rated = Vec::new();
        for bit in free.clone() {
            let value = self.value_after(own, other, bit, budget)?;
            let value = PositionValue::certain(f64::from(value));
            rated.push(RatedMove { bit, value });
        }
        // Without a line the game goes on until the board is full.
        let draw = u32::try_from(free.count()).ok();
        for each in rated.iter_mut().filter(|each| each.value.expected.abs() < 0.5) {
            each.value.plies = draw;
        }
        // The values hold also where the distances are not found.
        budget.tenth(MOST_DISTANCE_STEPS, |budget| {
            self.find_distances(own, other, &mut rated, budget).unwrap_or_default();
        })?;
        Ok(rated)
    }

    /// A best line, as far as its distances are found.
    pub(super) fn line(
        &mut self,
        mut own: u64,
        mut other: u64,
        budget: &mut SearchBudget<'_>,
    ) -> Vec<u64> {
        let mut line = Vec::new();
        while let Ok(rated) = self.rate(own, other, budget)
            && let Some(best) = best_of(&rated)
        {
            line.push(best.bit);
            (own, other) = (other, own | best.bit);
            if best.value.plies.is_none_or(|plies| plies < 2) {
                break;
            }
        }
        line
    }

    /// Asks for all moves that win or lose whether that takes one ply, two plies, and so on: so what is
    /// known when the budget ends is not longer than what is unknown.
    fn find_distances(
        &mut self,
        own: u64,
        other: u64,
        rated: &mut [RatedMove],
        budget: &mut SearchBudget<'_>,
    ) -> Result<(), CutShort> {
        let free = u32::try_from(self.free_cells(own | other).count()).unwrap_or(0);
        for plies in 1..=free {
            for each in rated.iter_mut().filter(|each| each.value.plies.is_none()) {
                let after = own | each.bit;
                let is_win = each.value.expected > 0.0;
                let attack = if is_win {
                    AttackPosition { attacker: after, defender: other, to_move: Role::Defender }
                } else {
                    AttackPosition { attacker: other, defender: after, to_move: Role::Attacker }
                };
                let is_at_once = is_win && self.completes(own, each.bit);
                // The seat that wins makes the last move.
                let can_be = (plies % 2 == 1) == is_win;
                if is_at_once || can_be && self.wins_within(attack, plies - 1, budget)? {
                    each.value.plies = Some(if is_at_once { 1 } else { plies });
                }
            }
        }
        Ok(())
    }

    /// Whether the attacker wins within this many plies: an odd number if it is to move, and an even one
    /// otherwise.
    fn wins_within(
        &mut self,
        attack: AttackPosition,
        plies: u32,
        budget: &mut SearchBudget<'_>,
    ) -> Result<bool, CutShort> {
        budget.step()?;
        let marks = plies.div_ceil(2);
        let lines = self.open_lines_within(attack, marks);
        if let Some(wins) = self.decided_within(attack, marks, &lines) {
            return Ok(wins);
        }
        let forced = match attack.to_move {
            Role::Attacker => lines.of_defender,
            Role::Defender => lines.of_attacker,
        };
        if forced != 0 {
            return self.wins_within(attack.after(forced), plies - 1, budget);
        }
        let key = self.representative(attack);
        let known = self.distances.get(key);
        if known.not_within >= plies || self.table.get(key) == Some(false) {
            return Ok(false);
        }
        if known.within.is_some_and(|within| within <= plies) {
            return Ok(true);
        }
        let (order, count) = self.order(attack);
        let is_attacker = attack.to_move == Role::Attacker;
        let mut wins = !is_attacker && count > 0;
        for (_, place) in &order[..count] {
            if self.wins_within(attack.after(1 << place), plies - 1, budget)? == is_attacker {
                wins = is_attacker;
                break;
            }
        }
        self.distances.put(key, plies, wins);
        Ok(wins)
    }

    /// The answer, if lines alone decide it: an attacker who makes only this number of marks more has no use
    /// for lines that lack more.
    fn decided_within(
        &self,
        attack: AttackPosition,
        marks: u32,
        lines: &OpenLines,
    ) -> Option<bool> {
        if marks == 0 { Some(false) } else { self.decided(attack, lines) }
    }
}

/// The first of the best moves.
pub(super) fn best_of(rated: &[RatedMove]) -> Option<&RatedMove> {
    rated
        .iter()
        .reduce(|best, each| if each.value.compare(&best.value).is_gt() { each } else { best })
}
