//! What probably does not mean what it says.

use super::StaticText;
use super::threads::BuiltMember;
use crate::built::BuiltThread;
use crate::diagnostic::{DiagnosticCode, Diagnostics};
use crate::event_bits::EventBits;
use crate::syntax::{SyntaxTree, ThreadRoleWord};
use crate::thread_table::{ENDED, LocalPoint};

/// Reports warnings about a text without mistakes.
pub(super) fn find(
    found: &StaticText<'_>,
    _tree: &SyntaxTree,
    threads: &[BuiltMember],
    diagnostics: &mut Diagnostics,
) {
    let possible = possible_events(found, threads);
    for family in &found.symbols.families {
        let mut events = family.first..family.first + family.count;
        if family.count > 0 && !events.any(|event| possible.contains(event)) {
            let message = format!("no b-thread requests `{}`, and no seat offers it", family.name);
            diagnostics.report(DiagnosticCode::UnusedEvent, family.span, message);
        }
    }
    let moves = moves(found);
    for (number, (declared, _)) in found.families.iter().enumerate() {
        let members: Vec<&BuiltThread> = threads
            .iter()
            .filter(|(family, _)| *family == number)
            .map(|(_, thread)| thread)
            .collect();
        let span = declared.name.span;
        let name = &declared.name.text;
        if !members.is_empty() && members.iter().all(|thread| never_starts(thread, &possible)) {
            let message = format!("`{name}` can never take its first step");
            diagnostics.report(DiagnosticCode::NeverStarts, span, message);
        }
        let is_silent = declared.role == ThreadRoleWord::Rule && declared.sentence.is_none();
        if is_silent && members.iter().any(|thread| refuses(thread, &moves)) {
            let message = format!("`{name}` can refuse a move, but has no sentence that says why");
            diagnostics.report(DiagnosticCode::SilentRule, span, message);
        }
        let watches = declared.role == ThreadRoleWord::Require;
        if watches && members.iter().any(|thread| can_end(thread)) {
            let message = format!("`{name}` can stop watching: repeat it with `forever`");
            diagnostics.report(DiagnosticCode::StopsWatching, span, message);
        }
    }
}

/// The events that a b-thread requests or a seat offers.
fn possible_events(found: &StaticText<'_>, threads: &[BuiltMember]) -> EventBits {
    let mut possible = moves(found);
    for point in threads.iter().flat_map(|(_, thread)| &thread.table.states) {
        point.requests.iter().for_each(|(event, _)| possible.insert(*event));
        point.otherwise.iter().for_each(|set| possible.extend(&set.bits));
    }
    possible
}

fn moves(found: &StaticText<'_>) -> EventBits {
    let mut moves = EventBits::empty(found.symbols.events());
    for (event, meaning) in (0..).zip(&found.meanings.events) {
        if meaning.mover.is_some() {
            moves.insert(event);
        }
    }
    moves
}

/// Whether a b-thread wants something at first that can never happen.
fn never_starts(thread: &BuiltThread, possible: &EventBits) -> bool {
    let Some(first) = thread.table.states.first() else { return false };
    let sets = first.waits.iter().chain(&first.interrupts);
    let wants =
        !first.waits.is_empty() || !first.request_sets.is_empty() || !first.otherwise.is_empty();
    wants
        && first.requests.is_empty()
        && first.otherwise.iter().all(|set| set.bits.is_empty())
        && sets.into_iter().all(|set| !set.bits.meets(possible))
}

/// Whether a b-thread blocks a move while it waits for others. While it requests something it
/// blocks moves only for a moment, because its request happens first.
fn refuses(thread: &BuiltThread, moves: &EventBits) -> bool {
    let is_refusal = |point: &LocalPoint| {
        point.requests.is_empty() && point.blocks.iter().any(|set| set.bits.meets(moves))
    };
    thread.table.states.iter().any(is_refusal)
}

fn can_end(thread: &BuiltThread) -> bool {
    let ends = |point: &LocalPoint| {
        point.next.iter().any(|(_, state)| *state == ENDED)
            || point.interrupts.iter().any(|set| !set.bits.is_empty())
    };
    thread.table.states.is_empty() || thread.table.states.iter().any(ends)
}
