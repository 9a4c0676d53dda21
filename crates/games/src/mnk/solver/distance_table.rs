//! What a search already knows of how soon the attacker wins.

use super::proof_table::{place, written};
use super::search::AttackPosition;

/// A table of a fixed size. A new answer takes the place of an older one.
#[derive(Debug)]
pub(super) struct DistanceTable {
    /// The marks of the attacker with the bits of [`written`], and those of the defender with both bounds.
    entries: Vec<[u64; 2]>,
}

/// Within how many plies the attacker wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DistanceBounds {
    /// The attacker does not win within this many plies,
    pub(super) not_within: u32,
    /// and wins within this many, if it wins at all.
    pub(super) within: Option<u32>,
}

/// Where the bounds stand: boards whose distances are searched have at most 36 cells.
const NOT_WITHIN: u32 = 48;
const WITHIN: u32 = 56;
const MARKS: u64 = (1 << NOT_WITHIN) - 1;

impl Default for DistanceTable {
    fn default() -> Self {
        Self { entries: vec![[0; 2]; super::proof_table::ENTRIES] }
    }
}

impl DistanceTable {
    pub(super) fn get(&self, attack: AttackPosition) -> DistanceBounds {
        let entry = self.entries[place(attack)];
        if [entry[0], entry[1] & MARKS] != written(attack) {
            return DistanceBounds { not_within: 0, within: None };
        }
        let [not_within, within] =
            [NOT_WITHIN, WITHIN].map(|shift| u32::from((entry[1] >> shift).to_le_bytes()[0]));
        DistanceBounds { not_within, within: (within > 0).then_some(within) }
    }

    /// Notes whether the attacker wins within this many plies.
    pub(super) fn put(&mut self, attack: AttackPosition, plies: u32, wins: bool) {
        let mut bounds = self.get(attack);
        if wins {
            bounds.within = Some(bounds.within.map_or(plies, |within| within.min(plies)));
        } else {
            bounds.not_within = bounds.not_within.max(plies);
        }
        let [attacker, defender] = written(attack);
        let [not_within, within] =
            [bounds.not_within, bounds.within.unwrap_or(0)].map(|plies| u64::from(plies.min(255)));
        self.entries[place(attack)] =
            [attacker, defender | not_within << NOT_WITHIN | within << WITHIN];
    }
}

#[cfg(test)]
mod tests {
    use super::super::search::Role;
    use super::*;

    #[test]
    fn bounds_come_nearer_and_belong_to_one_position() {
        let mut table = DistanceTable::default();
        let attack = AttackPosition { attacker: 1 << 35 | 5, defender: 2, to_move: Role::Attacker };
        let steps = [(3, false, 3, None), (1, false, 3, None), (9, true, 3, Some(9))];
        for (plies, wins, not_within, within) in steps {
            table.put(attack, plies, wins);
            assert_eq!(table.get(attack), DistanceBounds { not_within, within });
        }
        table.put(attack, 11, true);
        assert_eq!(table.get(attack), DistanceBounds { not_within: 3, within: Some(9) });
        let other = AttackPosition { to_move: Role::Defender, ..attack };
        assert_eq!(table.get(other), DistanceBounds { not_within: 0, within: None });
    }
}
