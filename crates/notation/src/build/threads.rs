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
use crate::span::{LineCounter, Span};
use crate::symbols::Symbols;
use crate::syntax::{Sentence, ThreadDeclaration, ThreadRoleWord};
use crate::text_event::EventNames;
use crate::thread_table::ThreadTable;
use crate::values::TextValue;

/// A b-thread, and the place of its family in the list of families.
pub(super) type BuiltMember = (usize, BuiltThread);

/// The memory of a b-thread besides its name and states, in bytes, about.
const THREAD_BYTES: usize = 500;

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
    let mut lines = LineCounter::new(text);
    for (number, (declared, family)) in found.families.iter().enumerate() {
        let span = declared.name.span;
        let at = |exceeded: Exceeded| (exceeded, span);
        let maker = MemberMaker::new(found, declared, lines.line(span.start));
        let mut cache = SetCache::default();
        let mut combinations = Combinations::new(&found.symbols, family).map_err(at)?;
        let mut is_empty = true;
        while let Some(arguments) = combinations.next(budget).map_err(at)? {
            is_empty = false;
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
                    let thread = maker.member(arguments, Arc::new(table));
                    budget.keep(THREAD_BYTES + 2 * thread.name.as_str().len()).map_err(at)?;
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
        if let Some(condition) = declared.condition.as_ref().filter(|_| is_empty) {
            let message = format!("`where` leaves no b-thread `{}`", declared.name.text);
            diagnostics.report(DiagnosticCode::NothingLeft, condition.span, message);
        }
    }
    Ok(threads)
}

/// Makes the b-threads of a family, which share its sentence and its code.
struct MemberMaker<'a> {
    symbols: &'a Symbols,
    declared: &'a ThreadDeclaration,
    seat: Option<Seat>,
    line: u32,
    sentence: Option<Arc<str>>,
    code: Option<Arc<str>>,
}

impl<'a> MemberMaker<'a> {
    fn new(found: &'a StaticText<'_>, declared: &'a ThreadDeclaration, line: u32) -> Self {
        let symbols = &found.symbols;
        let seat = declared.seat.as_ref().and_then(|seat| symbols.values.get(&seat.text));
        let seat = seat.and_then(|value| symbols.seat(value)).and_then(Seat::new);
        let shared = |text: &Sentence| Arc::from(text.text.as_str());
        let sentence = declared.sentence.as_ref().map(shared);
        let code = declared.code.as_ref().map(|code| Arc::from(code.text.as_str()));
        Self { symbols, declared, seat, line, sentence, code }
    }

    fn member(&self, arguments: Vec<TextValue>, table: Arc<ThreadTable>) -> BuiltThread {
        let family = self.declared.name.text.as_str();
        let name = if arguments.is_empty() {
            Name::from(family)
        } else {
            Name::of(family, self.symbols.write_all(&arguments, ", "))
        };
        BuiltThread {
            name,
            role: self.declared.role,
            seat: self.seat,
            line: self.line,
            sentence: self.sentence.clone(),
            code: self.code.clone(),
            arguments,
            table,
        }
    }
}

/// All combinations of the values of the parameters of a family that meet its condition, one after
/// the other. The last parameter changes fastest.
struct Combinations<'a> {
    symbols: &'a Symbols,
    family: &'a FamilyCode,
    next: usize,
    count: usize,
}

/// The most combinations of parameters of one family. A condition may leave few of many.
const MOST_COMBINATIONS: usize = 300_000;

impl<'a> Combinations<'a> {
    fn new(symbols: &'a Symbols, family: &'a FamilyCode) -> Result<Self, Exceeded> {
        let mut sizes = family.sets.iter().map(|set| symbols.set(*set).members.len());
        let count = sizes.try_fold(1, usize::checked_mul);
        match count.filter(|count| *count <= MOST_COMBINATIONS) {
            Some(count) => Ok(Self { symbols, family, next: 0, count }),
            None => Err(Exceeded::BThreadCombinations { limit: MOST_COMBINATIONS as u64 }),
        }
    }

    fn next(&mut self, budget: &mut Budget) -> Result<Option<Vec<TextValue>>, Exceeded> {
        let (symbols, family) = (self.symbols, self.family);
        while self.next < self.count {
            budget.steps(4 * (1 + family.sets.len()))?;
            let mut rest = self.next;
            self.next += 1;
            let mut values: Vec<TextValue> = Vec::with_capacity(family.sets.len());
            for set in family.sets.iter().rev() {
                let members = &symbols.set(*set).members;
                values.push(members[rest % members.len()].clone());
                rest /= members.len();
            }
            values.reverse();
            let Some(condition) = &family.condition else { return Ok(Some(values)) };
            let variables: Vec<_> = values.iter().cloned().map(Some).collect();
            match (Evaluator { symbols, budget: &mut *budget }).condition(condition, &variables) {
                Ok(true) => return Ok(Some(values)),
                Ok(false) | Err(Trouble::NoValueYet(_)) => {}
                Err(Trouble::Exceeded(exceeded)) => return Err(exceeded),
            }
        }
        Ok(None)
    }
}

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
