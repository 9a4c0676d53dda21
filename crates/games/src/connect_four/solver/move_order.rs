//! The order in which moves are tried.

/// Moves by their threats, the most first. Of equal ones the last that was added comes first.
#[derive(Debug, Default)]
pub(super) struct MoveOrder {
    moves: [(u64, u32); 7],
    count: usize,
}

impl MoveOrder {
    pub(super) fn add(&mut self, bit: u64, threats: u32) {
        let mut place = self.count;
        self.count += 1;
        while place > 0 && self.moves[place - 1].1 > threats {
            self.moves[place] = self.moves[place - 1];
            place -= 1;
        }
        self.moves[place] = (bit, threats);
    }

    pub(super) fn next(&mut self) -> Option<u64> {
        self.count = self.count.checked_sub(1)?;
        Some(self.moves[self.count].0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_threats_come_first_and_then_what_was_added_last() {
        let mut order = MoveOrder::default();
        for (bit, threats) in [(1, 2), (2, 0), (4, 2), (8, 5)] {
            order.add(bit, threats);
        }
        let all: Vec<u64> = std::iter::from_fn(|| order.next()).collect();
        assert_eq!(all, [8, 4, 1, 2]);
    }
}
