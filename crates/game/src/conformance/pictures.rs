//! Boards that can be drawn and pointed at.

use rustc_hash::FxHashSet;

use super::scene::Scene;
use super::violation::Violation;
use crate::game::{Game, Viewer};
use crate::picture::Grid;
use crate::seat::Seat;

/// Says whether the viewer sees a board, and checks that it is in order.
pub(super) fn check<G: Game>(scene: &Scene<'_, G>, viewer: Viewer) -> Result<bool, Violation> {
    let Some(board) = scene.game.picture(scene.position, viewer).board else { return Ok(false) };
    cells_are_in_order(scene, &board)?;
    let offered = offered(scene, &board)?;
    if let Viewer::Seat(seat) = viewer {
        legal_moves_are_offered(scene, seat, &offered)?;
    }
    Ok(true)
}

fn cells_are_in_order<G: Game>(scene: &Scene<'_, G>, board: &Grid) -> Result<(), Violation> {
    let (cells, columns) = (board.cells.len(), board.columns);
    let position = scene.text.clone();
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

/// All moves that can be made by pointing at the board.
fn offered<G: Game>(scene: &Scene<'_, G>, board: &Grid) -> Result<FxHashSet<G::Move>, Violation> {
    let mut offered = FxHashSet::default();
    for cell in &board.cells {
        for text in &cell.moves {
            let Ok(chosen) = scene.game.read_move(text) else {
                let (position, cell) = (scene.text.clone(), cell.name.clone());
                return Err(Violation::CellMove { position, cell, text: text.clone() });
            };
            offered.insert(chosen);
        }
    }
    Ok(offered)
}

fn legal_moves_are_offered<G: Game>(
    scene: &Scene<'_, G>,
    seat: Seat,
    offered: &FxHashSet<G::Move>,
) -> Result<(), Violation> {
    match scene.legal[seat.index()].iter().find(|chosen| !offered.contains(*chosen)) {
        Some(chosen) => Err(Violation::NotOnBoard(scene.move_at(seat, chosen))),
        None => Ok(()),
    }
}
