//! The eight symmetries of the board.

use super::event::Event;
use super::square::Square;

/// A turn or a flip of the board. Lines stay lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BoardSymmetry {
    /// Nothing moves.
    Identity,
    /// A quarter turn, clockwise: a1 goes to c1.
    QuarterTurn,
    /// A half turn: a1 goes to c3.
    HalfTurn,
    /// Three quarters of a turn, clockwise: a1 goes to a3.
    ThreeQuarterTurn,
    /// Left and right change places; the middle column stays.
    FlipSideways,
    /// Top and bottom change places; the middle row stays.
    FlipUpsideDown,
    /// The falling diagonal stays: a1, b2, c3.
    FlipFallingDiagonal,
    /// The rising diagonal stays: c1, b2, a3.
    FlipRisingDiagonal,
}

impl BoardSymmetry {
    /// All symmetries, the identity first.
    pub const ALL: [Self; 8] = [
        Self::Identity,
        Self::QuarterTurn,
        Self::HalfTurn,
        Self::ThreeQuarterTurn,
        Self::FlipSideways,
        Self::FlipUpsideDown,
        Self::FlipFallingDiagonal,
        Self::FlipRisingDiagonal,
    ];

    /// The square to which a square moves.
    #[must_use]
    pub fn square(self, square: Square) -> Square {
        let (row, column) = (square.row(), square.column());
        let (row, column) = match self {
            Self::Identity => (row, column),
            Self::QuarterTurn => (column, 2 - row),
            Self::HalfTurn => (2 - row, 2 - column),
            Self::ThreeQuarterTurn => (2 - column, row),
            Self::FlipSideways => (row, 2 - column),
            Self::FlipUpsideDown => (2 - row, column),
            Self::FlipFallingDiagonal => (column, row),
            Self::FlipRisingDiagonal => (2 - column, 2 - row),
        };
        Square::at(row, column).expect("rows and columns are 0 to 2 before and after")
    }

    /// The event that an event becomes. Results do not change.
    #[must_use]
    pub fn event(self, event: Event) -> Event {
        match event {
            Event::Mark(mark, square) => Event::Mark(mark, self.square(square)),
            Event::Win(_) | Event::Draw => event,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::event::{Mark, alphabet};
    use super::super::line::Line;
    use super::*;

    /// The symmetry that is the first and then the second.
    fn both(first: BoardSymmetry, second: BoardSymmetry) -> BoardSymmetry {
        let to = |square| second.square(first.square(square));
        let is_both = |symmetry: &BoardSymmetry| {
            Square::ALL.iter().all(|square| symmetry.square(*square) == to(*square))
        };
        let found = BoardSymmetry::ALL.into_iter().find(is_both);
        found.expect("one symmetry after another is a symmetry")
    }

    #[test]
    fn the_eight_symmetries_are_distinct_permutations() {
        let images = BoardSymmetry::ALL.map(|symmetry| Square::ALL.map(|at| symmetry.square(at)));
        for (index, image) in images.iter().enumerate() {
            assert!(Square::ALL.iter().all(|square| image.contains(square)));
            assert!(!images[..index].contains(image));
        }
    }

    #[test]
    fn one_symmetry_after_another_is_a_symmetry() {
        for first in BoardSymmetry::ALL {
            for second in BoardSymmetry::ALL {
                let both = both(first, second);
                for event in alphabet() {
                    assert_eq!(both.event(event), second.event(first.event(event)));
                }
            }
        }
    }

    #[test]
    fn every_symmetry_can_be_undone() {
        for symmetry in BoardSymmetry::ALL {
            let undoes = |other: &BoardSymmetry| {
                let all = [both(symmetry, *other), both(*other, symmetry)];
                all == [BoardSymmetry::Identity; 2]
            };
            assert_eq!(BoardSymmetry::ALL.into_iter().filter(undoes).count(), 1);
            assert_eq!(both(symmetry, BoardSymmetry::Identity), symmetry);
        }
    }

    #[test]
    fn lines_become_lines() {
        for symmetry in BoardSymmetry::ALL {
            for line in Line::ALL {
                let image = line.squares().map(|square| symmetry.square(square));
                let is_image = |line: &Line| image.iter().all(|square| line.contains(*square));
                assert!(Line::ALL.iter().any(is_image), "{symmetry:?} of {line}");
            }
        }
    }

    #[test]
    fn other_permutations_do_not_map_lines_to_lines() {
        let maps_lines = |to: &dyn Fn(Square) -> Square| {
            Line::ALL.iter().all(|line| {
                let image = line.squares().map(to);
                Line::ALL.iter().any(|line| image.iter().all(|square| line.contains(*square)))
            })
        };
        assert!(maps_lines(&|square| BoardSymmetry::QuarterTurn.square(square)));
        let swapped = |square| match square {
            Square::A1 => Square::B1,
            Square::B1 => Square::A1,
            other => other,
        };
        assert!(!maps_lines(&swapped));
    }

    #[test]
    fn each_symmetry_moves_the_top_left_corner_and_the_top_edge_as_its_name_says() {
        let seen = BoardSymmetry::ALL.map(|symmetry| {
            [Square::A1, Square::B1].map(|square| symmetry.event(Event::Mark(Mark::X, square)))
        });
        let expected = [
            (Square::A1, Square::B1),
            (Square::C1, Square::C2),
            (Square::C3, Square::B3),
            (Square::A3, Square::A2),
            (Square::C1, Square::B1),
            (Square::A3, Square::B3),
            (Square::A1, Square::A2),
            (Square::C3, Square::C2),
        ];
        assert_eq!(seen, expected.map(|(a, b)| [a, b].map(|at| Event::Mark(Mark::X, at))));
    }
}
