//! Which variables may still be read.
//!
//! Values that are never read again are no part of the state of a b-thread: two ways to the same
//! sync point that differ only in them are one state.

use crate::code::{BranchCode, Instruction, PointCode, ThreadCode};

/// Finds the variables that are live at each sync point.
pub(super) fn find(code: &mut ThreadCode) {
    let mut live = vec![0_u64; code.instructions.len()];
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        for at in (0..code.instructions.len()).rev() {
            let now = live_before(code, at, &live);
            has_changed |= now != live[at];
            live[at] = now;
        }
    }
    for point in &mut code.points {
        point.live = live_at(point, &live);
    }
}

fn live_before(code: &ThreadCode, at: usize, live: &[u64]) -> u64 {
    let after = |at: usize| live.get(at).copied().unwrap_or(0);
    match &code.instructions[at] {
        Instruction::Stop(point) => live_at(&code.points[*point], live),
        Instruction::Assign { variable, value, .. } => {
            let mut bits = after(at + 1) & !(1 << variable);
            value.reads(&mut |variable| bits |= 1 << variable);
            if let Some(range) = &code.variables[*variable].range {
                range.reads(&mut |variable| bits |= 1 << variable);
            }
            bits
        }
        Instruction::Unless { condition, otherwise, .. } => {
            let mut bits = after(at + 1) | after(*otherwise);
            condition.reads(&mut |variable| bits |= 1 << variable);
            bits
        }
        Instruction::Jump(target) => after(*target),
        Instruction::Fail(_) | Instruction::End => 0,
    }
}

fn live_at(point: &PointCode, live: &[u64]) -> u64 {
    point.branches.iter().fold(0, |bits, branch| bits | live_in(branch, live))
}

fn live_in(branch: &BranchCode, live: &[u64]) -> u64 {
    let captured = branch
        .moves()
        .map(super::super::code::EventCode::certainly_captured)
        .reduce(|one, other| one & other);
    let after = live.get(branch.next).copied().unwrap_or(0);
    let mut bits = after & !captured.unwrap_or(0);
    let mut read = |variable: usize| bits |= 1 << variable;
    branch.moves().for_each(|set| set.reads(&mut read));
    branch.blocks.iter().chain(&branch.interrupts).for_each(|set| set.reads(&mut read));
    branch.requests.iter().filter_map(|(_, weight)| weight.as_ref()).for_each(|weight| {
        weight.reads(&mut read);
    });
    bits
}
