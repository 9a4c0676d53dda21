//! The reachable positions, and their images under the symmetries of the board.

use std::collections::BTreeSet;

use games::tic_tac_toe::{BThreads, Board, BoardSymmetry, Event, Square};

use crate::play::{moves_of_both, walk};

/// The boards of all positions, and those of final positions.
fn positions() -> (BTreeSet<Board>, BTreeSet<Board>) {
    let (mut all, mut last) = (BTreeSet::new(), BTreeSet::new());
    walk(&BThreads::for_people(), &moves_of_both(), &mut |node| {
        let board: Board = node.events.iter().collect();
        all.insert(board);
        if node.allowed.is_empty() {
            last.insert(board);
        }
    });
    (all, last)
}

fn image(symmetry: BoardSymmetry, board: &Board) -> Board {
    let marked = Square::ALL.into_iter().filter_map(|square| Some((board.at(square)?, square)));
    marked.map(|(mark, square)| symmetry.event(Event::Mark(mark, square))).collect()
}

/// The number of boards if all images of a board count as one.
fn up_to_symmetry(boards: &BTreeSet<Board>) -> usize {
    let least = |board| BoardSymmetry::ALL.into_iter().map(|symmetry| image(symmetry, board)).min();
    boards.iter().map(least).collect::<BTreeSet<_>>().len()
}

#[test]
fn there_are_5478_positions_of_which_958_are_final_and_765_differ_up_to_symmetry() {
    let (all, last) = positions();
    assert_eq!((all.len(), last.len()), (5_478, 958));
    assert_eq!((up_to_symmetry(&all), up_to_symmetry(&last)), (765, 138));
}

#[test]
fn every_image_of_a_position_is_a_position() {
    let (all, last) = positions();
    for symmetry in BoardSymmetry::ALL {
        assert!(all.iter().all(|board| all.contains(&image(symmetry, board))));
        assert!(last.iter().all(|board| last.contains(&image(symmetry, board))));
    }
}
