//! The answers that a search has already found.

use super::search::{AttackPosition, Role};

/// A table of a fixed size. A new answer takes the place of an older one.
#[derive(Debug)]
pub(super) struct ProofTable {
    /// The marks of the attacker with the bits below, and those of the defender.
    entries: Vec<[u64; 2]>,
}

/// The size of the table: 16 MiB.
const BITS: u32 = 20;
pub(super) const ENTRIES: usize = 1 << BITS;

/// An entry is in use, the defender is to move, the attacker wins.
const USED: u64 = 1 << 61;
const DEFENDER: u64 = 1 << 62;
const WINS: u64 = 1 << 63;

impl Default for ProofTable {
    fn default() -> Self {
        Self { entries: vec![[0; 2]; ENTRIES] }
    }
}

impl ProofTable {
    /// Whether the attacker wins, if that is known.
    pub(super) fn get(&self, attack: AttackPosition) -> Option<bool> {
        let entry = self.entries[place(attack)];
        let is_same = [entry[0] & !WINS, entry[1]] == written(attack);
        is_same.then_some(entry[0] & WINS != 0)
    }

    pub(super) fn put(&mut self, attack: AttackPosition, wins: bool) {
        let [attacker, defender] = written(attack);
        self.entries[place(attack)] = [attacker | if wins { WINS } else { 0 }, defender];
    }
}

/// A position as a table holds it: never two words of zeros, which are an entry without an answer.
pub(super) fn written(attack: AttackPosition) -> [u64; 2] {
    let turn = if attack.to_move == Role::Defender { DEFENDER } else { 0 };
    [attack.attacker | turn | USED, attack.defender]
}

/// The place of a position in a table.
pub(super) fn place(attack: AttackPosition) -> usize {
    // Two odd multipliers spread the marks of both over the upper bits.
    let [attacker, defender] = written(attack);
    let mixed = (attacker ^ attacker >> 29).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ (defender ^ defender >> 31).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    let spread = (mixed ^ mixed >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    usize::try_from(spread >> (u64::BITS - BITS)).expect("the table fits into memory")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_is_found_and_nothing_else() {
        let mut table = ProofTable::default();
        let attack = AttackPosition { attacker: 5, defender: 2, to_move: Role::Attacker };
        for wins in [true, false] {
            table.put(attack, wins);
            assert_eq!(table.get(attack), Some(wins));
        }
        assert_eq!(table.get(AttackPosition { to_move: Role::Defender, ..attack }), None);
        assert_eq!(table.get(AttackPosition { attacker: 2, defender: 5, ..attack }), None);
        assert_eq!(table.get(AttackPosition { attacker: 0, defender: 0, ..attack }), None);
    }
}
