//! Tic-tac-toe, ready to be verified.

use games::tic_tac_toe::{BThreads, Board, BoardSymmetry, Event, Requirement, alphabet};

use super::property::RequirementName;
use super::subject::{BThreadSubject, FreePlayer, RulesOnly};

/// O follows its strategies, and X may make any move.
pub(super) fn o_against_every_x() -> BThreadSubject<Event> {
    BThreadSubject {
        program: BThreads::o_against_any_x().program(),
        alphabet: alphabet().collect(),
        world: vec![FreePlayer { thread: "AnyX", name: "X" }],
        requirements: Requirement::ALL.map(requirement).into(),
        board: |events| events.iter().collect::<Board>().to_string(),
        rules: RulesOnly {
            program: BThreads::any_x_against_any_o().program(),
            symmetries: BoardSymmetry::ALL.len(),
            image: |number, event| BoardSymmetry::ALL[number].event(*event),
        },
    }
}

fn requirement(requirement: Requirement) -> RequirementName {
    RequirementName { thread: requirement.name(), sentence: requirement.sentence() }
}
