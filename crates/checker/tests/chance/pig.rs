//! Pig, played as well as possible by both.

use std::convert::Infallible;

use checker::{BranchTarget, Chooser, ExploredProcess, StateChoices};

/// The scores of the player in turn and of the other one, the total of the turn, and whether the
/// first player is in turn.
pub(crate) type Table = (u16, u16, u16, bool);

/// Pig with this target as a game of two players; the goal is that the first one wins.
pub(crate) fn pig(target: u16) -> ExploredProcess<Table> {
    let over = (u16::MAX, 0, 0, false);
    let after_hold = move |&(own, other, total, is_first): &Table| {
        if own + total < target {
            BranchTarget::State((other, own + total, 0, !is_first))
        } else if is_first {
            BranchTarget::Goal
        } else {
            BranchTarget::State(over)
        }
    };
    let expand = move |table: &Table, found: &mut StateChoices<Table>| {
        let &(own, other, total, is_first) = table;
        if *table == over {
            return Ok::<(), Infallible>(());
        }
        found.chosen_by(if is_first { Chooser::Maximizer } else { Chooser::Minimizer });
        if own + total >= target {
            found.add(1, [(1, after_hold(table))]);
            return Ok(());
        }
        let rolled = |face: u16| match face {
            1 => BranchTarget::State((other, own, 0, !is_first)),
            face => BranchTarget::State((own, other, total + face, is_first)),
        };
        found.add(1, (1..=6).map(|face| (1, rolled(face))));
        if total > 0 {
            found.add(1, [(1, after_hold(table))]);
        }
        Ok(())
    };
    ExploredProcess::explore((0, 0, 0, true), 2_000_000, expand).expect("there are few tables")
}
