//! The b-threads of a text: one for each combination of parameters.

use std::sync::Arc;

use bthread::Name;
use game::Seat;
use rustc_hash::FxHashSet;

use super::StaticText;
use crate::built::{BuiltThread, TrackedThread};
use crate::compile::FamilyCode;
use crate::diagnostic::{DiagnosticCode, Diagnostics};
use crate::evaluate::{Evaluator, Trouble};
use crate::event_bits::EventBits;
use crate::explore::{Explorer, SetCache, Unbuildable};
use crate::limits::{Bound, Budget, Exceeded};
use crate::meaning::{DrawnPiece, Meanings};
use crate::span::{Span, line_column};
use crate::symbols::Symbols;
use crate::syntax::{ThreadDeclaration, ThreadRoleWord};
use crate::text_event::EventNames;
use crate::values::TextValue;

/// A b-thread, and the place of its family in the list of families.
pub(super) type BuiltMember = (usize, BuiltThread);

/// Builds all b-threads, and reports the mistakes of each family once.
pub(super) fn build(
    text: &str,
    found: &StaticText<'_>,
    names: &EventNames,
    budget: &mut Budget,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<BuiltMember>, (Exceeded, Span)> {
    let mut threads = Vec::new();
    let mut known = FxHashSet::default();
    for (number, (declared, family)) in found.families.iter().enumerate() {
        let span = declared.name.span;
        let at = |exceeded: Exceeded| (exceeded, span);
        let line = line_column(text, span.start).line;
        let combinations = combinations(&found.symbols, family, budget).map_err(at)?;
        if let Some(condition) = declared.condition.as_ref().filter(|_| combinations.is_empty()) {
            let message = format!("`where` leaves no b-thread `{}`", declared.name.text);
            diagnostics.report(DiagnosticCode::NothingLeft, condition.span, message);
        }
        let mut cache = SetCache::default();
        for arguments in combinations {
            budget.spend(Bound::BThreads, 1).map_err(at)?;
            let mut explorer = Explorer {
                symbols: &found.symbols,
                names,
                budget,
                code: &family.code,
                cache: &mut cache,
                shown: 0,
            };
            match explorer.explore(&arguments) {
                Ok(table) => {
                    let table = Arc::new(table);
                    let thread = member(found, declared, line, arguments, table);
                    if !known.insert(thread.name.clone()) {
                        let message = format!("two b-threads are called `{}`", thread.name);
                        diagnostics.report(DiagnosticCode::DeclaredTwice, span, message);
                        break;
                    }
                    threads.push((number, thread));
                }
                Err(Unbuildable::Exceeded(exceeded)) => return Err(at(exceeded)),
                Err(Unbuildable::Mistake(mistake)) => {
                    diagnostics.push(mistake);
                    break;
                }
            }
        }
    }
    Ok(threads)
}

fn member(
    found: &StaticText<'_>,
    declared: &ThreadDeclaration,
    line: u32,
    arguments: Vec<TextValue>,
    table: Arc<crate::thread_table::ThreadTable>,
) -> BuiltThread {
    let symbols = &found.symbols;
    let family = declared.name.text.as_str();
    let name = if arguments.is_empty() {
        Name::from(family)
    } else {
        Name::of(family, symbols.write_all(&arguments, ", "))
    };
    let seat = declared.seat.as_ref().and_then(|seat| symbols.values.get(&seat.text));
    let seat = seat.and_then(|value| symbols.seat(value)).and_then(Seat::new);
    BuiltThread {
        name,
        role: declared.role,
        seat,
        line,
        sentence: declared.sentence.as_ref().map(|sentence| sentence.text.clone()),
        code: declared.code.as_ref().map(|code| code.text.clone()),
        arguments,
        table,
    }
}

/// All combinations of the values of the parameters that meet the condition.
fn combinations(
    symbols: &Symbols,
    family: &FamilyCode,
    budget: &mut Budget,
) -> Result<Vec<Vec<TextValue>>, Exceeded> {
    let mut combinations = vec![Vec::new()];
    for set in &family.sets {
        let members = &symbols.set(*set).members;
        budget.steps(combinations.len().saturating_mul(members.len()).saturating_mul(4))?;
        let longer = |values: &Vec<TextValue>| {
            let with = |member: &TextValue| [&values[..], std::slice::from_ref(member)].concat();
            members.iter().map(with).collect::<Vec<_>>()
        };
        combinations = combinations.iter().flat_map(longer).collect();
        if combinations.len() > MOST_COMBINATIONS {
            return Err(Exceeded::BThreadCombinations { limit: MOST_COMBINATIONS as u64 });
        }
    }
    let Some(condition) = &family.condition else { return Ok(combinations) };
    let mut kept = Vec::new();
    for values in combinations {
        let variables: Vec<_> = values.iter().cloned().map(Some).collect();
        match (Evaluator { symbols, budget: &mut *budget }).condition(condition, &variables) {
            Ok(true) => kept.push(values),
            Ok(false) | Err(Trouble::NoValueYet(_)) => {}
            Err(Trouble::Exceeded(exceeded)) => return Err(exceeded),
        }
    }
    Ok(kept)
}

/// The most combinations of parameters of one family. A condition may leave few of many.
const MOST_COMBINATIONS: usize = 300_000;

/// The rules whose variables a picture shows: those that `shows` names or, in a game that draws
/// nothing, all rules that keep something, and those without parameters.
pub(super) fn tracked(
    found: &StaticText<'_>,
    names: &EventNames,
    threads: &[BuiltMember],
    budget: &mut Budget,
) -> Result<Vec<TrackedThread>, Exceeded> {
    let mut tracked = Vec::new();
    if found.form == crate::syntax::TextForm::Program {
        return Ok(tracked);
    }
    for (number, thread) in threads.iter().filter(|(_, thread)| thread.role == ThreadRoleWord::Rule)
    {
        let (_, family) = &found.families[*number];
        let (label, variables) = shown(found, family, thread);
        if variables.is_empty() {
            continue;
        }
        let bits = variables.iter().fold(0, |bits, (_, variable)| bits | 1 << variable);
        let mut explorer = Explorer {
            symbols: &found.symbols,
            names,
            budget,
            code: &family.code,
            cache: &mut SetCache::default(),
            shown: bits,
        };
        match explorer.explore(&thread.arguments) {
            Ok(table) => tracked.push(TrackedThread { label, variables, table: Arc::new(table) }),
            Err(Unbuildable::Exceeded(exceeded)) => return Err(exceeded),
            // It was built without mistakes before.
            Err(Unbuildable::Mistake(_)) => {}
        }
    }
    Ok(tracked)
}

/// What a picture shows of a rule.
fn shown(
    found: &StaticText<'_>,
    family: &FamilyCode,
    thread: &BuiltThread,
) -> (String, Vec<(String, usize)>) {
    let kept = || (0..).zip(&family.code.variables).skip(family.code.parameters);
    let named =
        |name: &str| kept().find(|(_, variable)| variable.name == name).map(|(place, _)| place);
    for shows in &found.meanings.shows {
        let label = match shows.set {
            None => Some(thread.name.to_string()),
            Some(set) => {
                let set = found.symbols.set(set);
                let value = thread.arguments.iter().find(|argument| set.place(argument).is_some());
                value.map(|value| found.symbols.write(value))
            }
        };
        if let (Some(label), Some(place)) = (label, named(&shows.variable)) {
            return (label, vec![(shows.variable.clone(), place)]);
        }
    }
    let is_drawn = found.meanings.grid.is_some() || !found.meanings.shows.is_empty();
    if is_drawn {
        return (String::new(), Vec::new());
    }
    let variables = kept().filter(|(_, variable)| variable.is_kept);
    let variables = variables.map(|(place, variable)| (variable.name.clone(), place));
    (thread.name.to_string(), variables.collect())
}

/// What stands on the squares at the beginning, where the text does not say it: the piece that the
/// rule for a square keeps.
pub(super) fn placed(meanings: &Meanings, threads: &[BuiltMember]) -> Vec<DrawnPiece> {
    let rules = threads.iter().filter(|(_, thread)| thread.role == ThreadRoleWord::Rule);
    let piece = |value: &TextValue| meanings.pieces.iter().position(|piece| piece == value);
    let placed = rules.filter_map(|(_, thread)| {
        let [TextValue::Member(list, square)] = *thread.arguments else { return None };
        let is_drawn = Some(list) == meanings.grid && meanings.boards.is_none();
        let first = thread.table.states.first().filter(|_| is_drawn)?;
        let place = first.variables.iter().flatten().find_map(piece)?;
        Some(DrawnPiece { square, piece: u8::try_from(place + 1).ok()? })
    });
    placed.collect()
}

/// The events that chance may draw.
pub(super) fn drawn(events: u32, threads: &[BuiltMember]) -> EventBits {
    let mut drawn = EventBits::empty(events);
    let chance = threads.iter().filter(|(_, thread)| thread.role == ThreadRoleWord::Chance);
    for point in chance.flat_map(|(_, thread)| &thread.table.states) {
        point.requests.iter().for_each(|(event, _)| drawn.insert(*event));
        point.otherwise.iter().for_each(|set| drawn.extend(&set.bits));
    }
    drawn
}
