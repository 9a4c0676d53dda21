//! Boards that are turned or mirrored.

use super::super::cell::Cell;
use super::super::size::Size;

/// One way to lay a board onto itself.
#[derive(Debug)]
pub(super) struct Symmetry {
    /// For each byte of a board, where the cells of each value of that byte go.
    bytes: Vec<[u64; 256]>,
}

impl Symmetry {
    /// All symmetries of a board, the one that moves nothing first.
    pub(super) fn all(size: Size) -> Vec<Self> {
        let is_square = size.columns() == size.rows();
        let ways = (0..8).map(|bits| (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0));
        let ways = ways.filter(|(_, _, swap)| is_square || !swap);
        ways.map(|(mirror, flip, swap)| {
            Self::new(size, |Cell { column, row }| {
                let column = if mirror { size.columns() - 1 - column } else { column };
                let row = if flip { size.rows() - 1 - row } else { row };
                if swap { Cell { column: row, row: column } } else { Cell { column, row } }
            })
        })
        .collect()
    }

    fn new(size: Size, moved: impl Fn(Cell) -> Cell) -> Self {
        let places: Vec<u64> = size
            .cells()
            .map(|cell| size.place(moved(cell)).map_or(0, |place| 1_u64 << place))
            .collect();
        let bytes = places.chunks(8).map(|places| {
            let mut values = [0; 256];
            for (value, moved) in values.iter_mut().enumerate() {
                let set = places.iter().enumerate().filter(|(bit, _)| value >> bit & 1 == 1);
                *moved = set.fold(0, |all, (_, place)| all | place);
            }
            values
        });
        Self { bytes: bytes.collect() }
    }

    /// The cells where these cells go.
    pub(super) fn moved(&self, cells: u64) -> u64 {
        let bytes = self.bytes.iter().zip(cells.to_le_bytes());
        bytes.fold(0, |all, (values, byte)| all | values[usize::from(byte)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_has_eight_symmetries_and_a_rectangle_four() {
        let corners = |size: &str, corner: u64| {
            let mut found: Vec<u64> = Symmetry::all(size.parse().unwrap())
                .iter()
                .map(|each| each.moved(corner))
                .collect();
            assert_eq!(found[0], corner);
            let count = found.len();
            found.sort_unstable();
            found.dedup();
            (count, found)
        };
        assert_eq!(corners("3,3,3", 1), (8, vec![1, 1 << 2, 1 << 6, 1 << 8]));
        assert_eq!(corners("6,5,4", 1), (4, vec![1, 1 << 5, 1 << 24, 1 << 29]));
        // Two cells of a corner, of which only the diagonal is an axis.
        assert_eq!(corners("3,3,3", 0b11).1.len(), 8);
    }
}
