//! The symmetries of tic-tac-toe.

use games::tic_tac_toe::{BThreads, BoardSymmetry, Event};

use super::rulebook_subject::RulesOnly;

/// X and O make any move, and the board can be turned and flipped.
pub(super) fn rules_only() -> RulesOnly<Event> {
    RulesOnly {
        program: BThreads::any_x_against_any_o().program(),
        symmetries: BoardSymmetry::ALL.len(),
        image: |number, event| BoardSymmetry::ALL[number].event(*event),
    }
}
