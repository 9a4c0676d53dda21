//! Boards of pictures.

use rustc_hash::FxHashSet;

use super::inspected_position::InspectedPosition;
use super::violation::Violation;
use crate::game::{Game, Viewer};
use crate::picture::Grid;
use crate::seat::Seat;

/// Checks the board that a viewer sees, and returns whether there is one.
pub(super) fn check<G: Game>(
    inspected: &InspectedPosition<'_, G>,
    viewer: Viewer,
) -> Result<bool, Violation> {
    let Some(board) = inspected.game.picture(inspected.position, viewer).board else {
        return Ok(false);
    };
    check_cells(inspected, &board)?;
    let offered = offered(inspected, &board)?;
    if let Viewer::Seat(seat) = viewer {
        check_legal_moves_offered(inspected, seat, &offered)?;
    }
    Ok(true)
}

fn check_cells<G: Game>(
    inspected: &InspectedPosition<'_, G>,
    board: &Grid,
) -> Result<(), Violation> {
    let (cells, columns) = (board.cells.len(), board.columns);
    let position = inspected.text.clone();
    if columns == 0 || !cells.is_multiple_of(usize::from(columns)) {
        return Err(Violation::BoardShape { position, cells, columns });
    }
    let mut names = FxHashSet::default();
    for cell in &board.cells {
        if cell.name.is_empty() || !names.insert(&cell.name) {
            return Err(Violation::CellName { position, name: cell.name.clone() });
        }
    }
    Ok(())
}

/// All moves that a click on the board can mean.
fn offered<G: Game>(
    inspected: &InspectedPosition<'_, G>,
    board: &Grid,
) -> Result<FxHashSet<G::Move>, Violation> {
    let mut offered = FxHashSet::default();
    for cell in &board.cells {
        for text in &cell.moves {
            let Ok(chosen) = inspected.game.read_move(text) else {
                let (position, cell) = (inspected.text.clone(), cell.name.clone());
                return Err(Violation::CellMove { position, cell, text: text.clone() });
            };
            offered.insert(chosen);
        }
    }
    Ok(offered)
}

fn check_legal_moves_offered<G: Game>(
    inspected: &InspectedPosition<'_, G>,
    seat: Seat,
    offered: &FxHashSet<G::Move>,
) -> Result<(), Violation> {
    match inspected.legal[seat.index()].iter().find(|chosen| !offered.contains(*chosen)) {
        Some(chosen) => Err(Violation::NotOnBoard(inspected.move_at(seat, chosen))),
        None => Ok(()),
    }
}
