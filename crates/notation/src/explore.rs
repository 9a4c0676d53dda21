//! Finding all states of a b-thread.

use std::collections::VecDeque;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::code::{BranchCode, EventCode, Instruction, PointCode, ThreadCode};
use crate::diagnostic::{Diagnostic, DiagnosticCode};
use crate::evaluate::{Evaluator, Trouble, Variables};
use crate::event_bits::EventBits;
use crate::limits::{Bound, Budget, Exceeded};
use crate::span::Span;
use crate::symbols::Symbols;
use crate::text_event::EventNames;
use crate::thread_table::{ENDED, LocalPoint, NamedEvents, ThreadTable};
use crate::values::TextValue;

/// The most instructions between two sync points.
const MOST_SILENT: u32 = 10_000;

/// The most states of one b-thread.
const MOST_STATES: usize = 50_000;

/// The largest weight of what chance draws.
const LARGEST_WEIGHT: i64 = 1000;

/// The memory of a state without what its clauses say, of a value that it remembers, of a clause,
/// of an event that it requests, and of an event in a set that states share. All are in bytes and
/// about: as the state is read, and as it is played or verified.
const STATE_BYTES: usize = 600;
const VALUE_BYTES: usize = 3 * size_of::<TextValue>();
const CLAUSE_BYTES: usize = 100;
const REQUEST_BYTES: usize = 48;
const LISTED_BYTES: usize = 24;

/// Why a b-thread cannot be built.
pub(crate) enum Unbuildable {
    Mistake(Diagnostic),
    Exceeded(Exceeded),
}

/// How far a b-thread has come.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Arrival {
    /// At a sync point, with the values that may still be read.
    At(usize, Variables),
    Failed(String),
    Ended,
}

/// Evaluated sets, by the number of the clause and the values that it reads.
pub(crate) type SetCache = FxHashMap<(usize, Vec<Option<TextValue>>), Arc<NamedEvents>>;

/// Explores b-threads of one family.
pub(crate) struct Explorer<'a> {
    pub(crate) symbols: &'a Symbols,
    pub(crate) names: &'a EventNames,
    pub(crate) budget: &'a mut Budget,
    pub(crate) code: &'a ThreadCode,
    pub(crate) cache: &'a mut SetCache,
    /// Variables that belong to the state although nothing reads them again: one bit for each.
    pub(crate) shown: u64,
}

/// A state whose sync point is being read.
struct StateInMaking {
    number: u32,
    local: LocalPoint,
    /// The requested events.
    requested: EventBits,
    /// The events that do not lead on any more: what the b-thread blocks never happens here, what
    /// interrupts it does not let it go on, and others lead on from a branch above.
    excluded: EventBits,
    /// The places of the states to which events lead.
    places: FxHashMap<u32, usize>,
}

/// The states that were found, and those whose sync points are not known yet.
struct Found {
    numbers: FxHashMap<Arrival, u32>,
    queue: VecDeque<Arrival>,
    /// For each state, the state and the event from which it was found.
    from: Vec<Option<(u32, u32)>>,
}

impl StateInMaking {
    fn new(number: u32, events: u32) -> Self {
        Self {
            number,
            local: LocalPoint::default(),
            requested: EventBits::empty(events),
            excluded: EventBits::empty(events),
            places: FxHashMap::default(),
        }
    }
}

impl From<Exceeded> for Unbuildable {
    fn from(exceeded: Exceeded) -> Self {
        Self::Exceeded(exceeded)
    }
}

impl Explorer<'_> {
    /// All states of the b-thread with these parameters.
    pub(crate) fn explore(&mut self, parameters: &[TextValue]) -> Result<ThreadTable, Unbuildable> {
        let mut variables: Variables = parameters.iter().cloned().map(Some).collect();
        variables.resize(self.code.variables.len(), None);
        let first = self.run(0, variables.clone())?;
        let mut found =
            Found { numbers: FxHashMap::default(), queue: VecDeque::new(), from: Vec::new() };
        found.number(first, None);
        let mut states = Vec::new();
        while let Some(arrival) = found.queue.pop_front() {
            self.budget.steps(8 + 2 * self.words())?;
            self.budget.spend(Bound::States, 1)?;
            states.push(match arrival {
                Arrival::Ended => continue,
                Arrival::Failed(sentence) => {
                    self.budget.keep(STATE_BYTES + 2 * sentence.len())?;
                    LocalPoint::violated(sentence)
                }
                Arrival::At(point, values) => {
                    let number = u32::try_from(states.len()).unwrap_or(ENDED);
                    self.at(number, point, with_parameters(values, parameters), &mut found)?
                }
            });
            if found.from.len() > MOST_STATES {
                return Err(self.endless(&found));
            }
        }
        Ok(ThreadTable { states })
    }

    /// Runs from an instruction to the next sync point.
    fn run(&mut self, start: usize, mut variables: Variables) -> Result<Arrival, Unbuildable> {
        let mut at = start;
        for _ in 0..MOST_SILENT {
            self.budget.steps(1)?;
            match &self.code.instructions[at] {
                Instruction::Stop(point) => {
                    let live = self.code.points[*point].live | self.shown;
                    let masked = self.masked(variables, live);
                    let size = masked.iter().flatten().map(TextValue::size).sum();
                    self.budget.steps(size)?;
                    return Ok(Arrival::At(*point, masked));
                }
                Instruction::Assign { variable, value, span } => {
                    let value = self.evaluator().value(value, &variables);
                    let value = value.map_err(|trouble| self.trouble(trouble, *span))?;
                    if let Some(sentence) = self.outside(*variable, &value, &variables, *span)? {
                        // It does not depend on events: the text is wrong.
                        if start == 0 {
                            let code = DiagnosticCode::LeavesRange;
                            let mistake = Diagnostic::new(code, *span, sentence);
                            return Err(Unbuildable::Mistake(mistake));
                        }
                        return Ok(Arrival::Failed(sentence));
                    }
                    variables[*variable] = Some(value);
                    at += 1;
                }
                Instruction::Unless { condition, otherwise, span } => {
                    let holds = self.evaluator().condition(condition, &variables);
                    let holds = holds.map_err(|trouble| self.trouble(trouble, *span))?;
                    at = if holds { at + 1 } else { *otherwise };
                }
                Instruction::Jump(target) => at = *target,
                Instruction::Fail(sentence) => {
                    self.budget.steps(sentence.len() / 8)?;
                    return Ok(Arrival::Failed(sentence.clone()));
                }
                Instruction::End => return Ok(Arrival::Ended),
            }
        }
        Err(Unbuildable::Mistake(self.no_sync_point()))
    }

    fn evaluator(&mut self) -> Evaluator<'_> {
        Evaluator { symbols: self.symbols, budget: self.budget }
    }

    /// Only the variables of these bits, without parameters, which never change.
    fn masked(&self, mut variables: Variables, bits: u64) -> Variables {
        for (place, variable) in variables.iter_mut().enumerate() {
            if place < self.code.parameters || bits >> place & 1 == 0 {
                *variable = None;
            }
        }
        variables
    }

    /// The sentence about a value outside of the range of its variable.
    fn outside(
        &mut self,
        variable: usize,
        value: &TextValue,
        variables: &Variables,
        span: Span,
    ) -> Result<Option<String>, Unbuildable> {
        let info = &self.code.variables[variable];
        let Some(range) = &info.range else { return Ok(None) };
        let range = self.evaluator().value(range, variables);
        let range = range.map_err(|trouble| self.trouble(trouble, span))?;
        if range.contains(value) {
            return Ok(None);
        }
        let value = self.symbols.write(value);
        Ok(Some(format!("`{}` leaves its range: it would be {value}", info.name)))
    }

    fn trouble(&self, trouble: Trouble, span: Span) -> Unbuildable {
        match trouble {
            Trouble::Exceeded(exceeded) => Unbuildable::Exceeded(exceeded),
            Trouble::NoValueYet(variable) => {
                let name = &self.code.variables[variable].name;
                let message = format!("`{name}` can be read here before it has a value");
                Unbuildable::Mistake(Diagnostic::new(DiagnosticCode::NoValueYet, span, message))
            }
        }
    }

    fn no_sync_point(&self) -> Diagnostic {
        let spans = self.code.instructions.iter().filter_map(|instruction| match instruction {
            Instruction::Assign { span, .. } | Instruction::Unless { span, .. } => Some(*span),
            _ => None,
        });
        let points = self.code.points.iter().flat_map(|point| &point.branches);
        let span = spans.chain(points.map(|branch| branch.span)).next().unwrap_or_default();
        let message = "this b-thread can go round for ever without a sync point";
        Diagnostic::new(DiagnosticCode::NoSyncPoint, span, message)
    }

    fn endless(&self, found: &Found) -> Unbuildable {
        let assigned = self.code.instructions.iter().find_map(|instruction| match instruction {
            Instruction::Assign { variable, span, .. }
                if self.code.variables[*variable].is_kept =>
            {
                Some((self.code.variables[*variable].name.as_str(), *span))
            }
            _ => None,
        });
        let (name, span) = assigned.unwrap_or_else(|| ("it", Span::default()));
        let events: Vec<&str> =
            found.trace(8).into_iter().map(|event| self.names.name(event)).collect();
        let message = format!(
            "this b-thread has more than {MOST_STATES} states, for example after {}, …: declare \
             the range of what it keeps, as in `keep {name}: 0..9 = 0`",
            events.join(", ")
        );
        Unbuildable::Mistake(Diagnostic::new(DiagnosticCode::EndlessValues, span, message))
    }

    /// What the b-thread does in a state.
    fn at(
        &mut self,
        number: u32,
        point: usize,
        variables: Variables,
        found: &mut Found,
    ) -> Result<LocalPoint, Unbuildable> {
        let code = self.code;
        let point: &PointCode = &code.points[point];
        let mut state = StateInMaking::new(number, self.symbols.events());
        state.local.span = point.branches.first().map(|branch| branch.span);
        let size = |value: &Option<TextValue>| value.as_ref().map_or(1, TextValue::size);
        let values = code.parameters + variables[code.parameters..].iter().map(size).sum::<usize>();
        self.budget.keep(STATE_BYTES + VALUE_BYTES * values)?;
        for branch in &point.branches {
            let LocalPoint { blocks, interrupts, .. } = &mut state.local;
            for (sets, set) in [(blocks, &branch.blocks), (interrupts, &branch.interrupts)] {
                if let Some(set) = set {
                    let set = self.named(set, &variables, branch.span)?;
                    self.budget.steps(1 + self.words())?;
                    self.budget.keep(CLAUSE_BYTES)?;
                    state.excluded.extend(&set.bits);
                    sets.push(set);
                }
            }
        }
        for branch in &point.branches {
            state.local.is_hot |= branch.is_hot;
            self.branch(branch, &variables, &mut state, found)?;
        }
        state.local.variables = self.masked(variables, u64::MAX);
        Ok(state.local)
    }

    /// The words of a set of events.
    fn words(&self) -> usize {
        EventBits::words_of(self.symbols.events())
    }

    /// Adds what a branch waits for and requests, and where its events lead.
    fn branch(
        &mut self,
        branch: &BranchCode,
        variables: &Variables,
        state: &mut StateInMaking,
        found: &mut Found,
    ) -> Result<(), Unbuildable> {
        let mut moves: Vec<(&EventCode, Arc<NamedEvents>)> = Vec::new();
        for (set, weight) in &branch.requests {
            let events = self.named(set, variables, branch.span)?;
            let weight = self.weight(weight.as_ref(), variables, branch.span)?;
            self.request(&events, weight, state, branch.span)?;
            moves.push((set, events));
        }
        for (set, is_last_resort) in [(&branch.waits, false), (&branch.otherwise, true)] {
            let Some(set) = set else { continue };
            let events = self.named(set, variables, branch.span)?;
            self.budget.steps(1 + self.words())?;
            let requested = if is_last_resort { events.bits.len() } else { 0 };
            self.budget.keep(CLAUSE_BYTES + requested * REQUEST_BYTES)?;
            let LocalPoint { waits, otherwise, .. } = &mut state.local;
            let sets = if is_last_resort { otherwise } else { waits };
            sets.push(Arc::clone(&events));
            moves.push((set, events));
        }
        self.budget.steps((2 + moves.len()) * self.words())?;
        let mut all = EventBits::empty(self.symbols.events());
        for (_, events) in &moves {
            all.extend(&events.bits);
        }
        all.remove_all(&state.excluded);
        state.excluded.extend(&all);
        let Some(first) = all.iter().next() else { return Ok(()) };
        if moves.iter().any(|(set, _)| set.has_captures()) {
            return self.captured(branch, variables, &moves, &all, state, found);
        }
        let target = self.target(state.number, first, branch.next, variables.clone(), found)?;
        self.led_to(state, target)?.extend(&all);
        Ok(())
    }

    /// Adds the events of a set to those that a state requests.
    fn request(
        &mut self,
        events: &Arc<NamedEvents>,
        weight: u32,
        state: &mut StateInMaking,
        span: Span,
    ) -> Result<(), Unbuildable> {
        let local = &mut state.local;
        self.refuse_two_weights(&local.requests, &events.bits, weight, span)?;
        self.budget.steps(1 + 3 * self.words())?;
        let mut new = events.bits.clone();
        new.remove_all(&state.requested);
        state.requested.extend(&new);
        let first = local.requests.len();
        local.requests.extend(new.iter().map(|event| (event, weight)));
        let new = &local.requests[first..];
        self.budget.steps(new.len())?;
        // What chance draws with weights is told by name.
        let length = |(event, weight): &(u32, u32)| match weight {
            1 => 0,
            _ => self.names.name(*event).len(),
        };
        let names: usize = new.iter().map(length).sum();
        let told = CLAUSE_BYTES + events.text.len() + names;
        self.budget.keep(told + new.len() * REQUEST_BYTES)?;
        local.request_sets.push(Arc::clone(events));
        Ok(())
    }

    /// The events that lead from a state to another one.
    fn led_to<'s>(
        &mut self,
        state: &'s mut StateInMaking,
        target: u32,
    ) -> Result<&'s mut EventBits, Exceeded> {
        let next = &mut state.local.next;
        let place = *state.places.entry(target).or_insert(next.len());
        if place == next.len() {
            let events = EventBits::empty(self.symbols.events());
            self.budget.steps(1 + self.words())?;
            self.budget.keep(CLAUSE_BYTES + events.bytes())?;
            next.push((events, target));
        }
        Ok(&mut next[place].0)
    }

    /// Chance draws an event with one weight.
    fn refuse_two_weights(
        &mut self,
        known: &[(u32, u32)],
        events: &EventBits,
        weight: u32,
        span: Span,
    ) -> Result<(), Unbuildable> {
        self.budget.steps(known.len())?;
        let mut others = known.iter().filter(|(_, other)| *other != weight);
        let Some((event, other)) = others.find(|(event, _)| events.contains(*event)) else {
            return Ok(());
        };
        let event = self.names.name(*event);
        let message = format!("`{event}` has two weights here, {other} and {weight}");
        Err(Unbuildable::Mistake(Diagnostic::new(DiagnosticCode::Weight, span, message)))
    }

    /// The number of the state to which an event leads.
    fn target(
        &mut self,
        number: u32,
        event: u32,
        next: usize,
        variables: Variables,
        found: &mut Found,
    ) -> Result<u32, Unbuildable> {
        let arrival = self.run(next, variables)?;
        Ok(found.number(arrival, Some((number, event))))
    }

    /// Follows each event of a branch whose values are remembered.
    fn captured(
        &mut self,
        branch: &BranchCode,
        variables: &Variables,
        moves: &[(&EventCode, Arc<NamedEvents>)],
        all: &EventBits,
        state: &mut StateInMaking,
        found: &mut Found,
    ) -> Result<(), Unbuildable> {
        let mut cases = Vec::new();
        for (set, events) in moves {
            let found = self.evaluator().captures_of(set, &events.bits, variables);
            cases.extend(found.map_err(|trouble| self.trouble(trouble, branch.span))?);
        }
        for event in all.iter() {
            self.budget.steps(1 + cases.len() + variables.len())?;
            let mut after = variables.clone();
            // The first pattern that remembers a value wins, so it comes last.
            for case in cases.iter().rev().filter(|case| case.events.contains(event)) {
                for (variable, value) in case.values(self.symbols, event) {
                    after[variable] = Some(value);
                }
            }
            let target = self.target(state.number, event, branch.next, after, found)?;
            self.led_to(state, target)?.insert(event);
        }
        Ok(())
    }

    fn weight(
        &mut self,
        weight: Option<&crate::code::ValueCode>,
        variables: &Variables,
        span: Span,
    ) -> Result<u32, Unbuildable> {
        let Some(weight) = weight else { return Ok(1) };
        let value = self.evaluator().value(weight, variables);
        match value.map_err(|trouble| self.trouble(trouble, span))? {
            TextValue::Number(number @ 1..=LARGEST_WEIGHT) => {
                Ok(u32::try_from(number).unwrap_or(1))
            }
            other => {
                let found = self.symbols.write(&other);
                let message =
                    format!("a weight is a number from 1 to {LARGEST_WEIGHT}, and not {found}");
                Err(Unbuildable::Mistake(Diagnostic::new(DiagnosticCode::Weight, span, message)))
            }
        }
    }

    /// The events of a set, computed once for each combination of the values that it reads.
    fn named(
        &mut self,
        set: &EventCode,
        variables: &Variables,
        span: Span,
    ) -> Result<Arc<NamedEvents>, Unbuildable> {
        let mut read = Vec::new();
        set.reads(&mut |variable| read.push(variables[variable].clone()));
        // The address tells the clauses of one family apart; the cache does not outlive its code.
        let key = (std::ptr::from_ref(set).addr(), read);
        if let Some(known) = self.cache.get(&key) {
            return Ok(Arc::clone(known));
        }
        let bits = self.evaluator().events(set, variables);
        let bits = bits.map_err(|trouble| self.trouble(trouble, span))?;
        let text = self.evaluator().write(set, variables);
        let text = text.map_err(|trouble| self.trouble(trouble, span))?;
        self.budget.steps(text.len() / 8)?;
        let listed = LISTED_BYTES * bits.len();
        self.budget.keep(CLAUSE_BYTES + bits.bytes() + text.len() + listed)?;
        let named = Arc::new(NamedEvents { bits, text });
        self.cache.insert(key, Arc::clone(&named));
        Ok(named)
    }
}

fn with_parameters(mut values: Variables, parameters: &[TextValue]) -> Variables {
    for (value, parameter) in values.iter_mut().zip(parameters) {
        *value = Some(parameter.clone());
    }
    values
}

impl Found {
    /// The number of a state, which is explored later if it is new.
    fn number(&mut self, arrival: Arrival, from: Option<(u32, u32)>) -> u32 {
        if arrival == Arrival::Ended {
            return ENDED;
        }
        let next = u32::try_from(self.from.len()).unwrap_or(ENDED);
        match self.numbers.entry(arrival) {
            std::collections::hash_map::Entry::Occupied(known) => *known.get(),
            std::collections::hash_map::Entry::Vacant(new) => {
                self.queue.push_back(new.key().clone());
                self.from.push(from);
                *new.insert(next)
            }
        }
    }

    /// The first events on the way to the state that was found last.
    fn trace(&self, most: usize) -> Vec<u32> {
        let mut events = Vec::new();
        let mut at = self.from.last().copied().flatten();
        while let Some((state, event)) = at {
            events.push(event);
            at = self.from.get(state as usize).copied().flatten();
        }
        events.reverse();
        events.truncate(most);
        events
    }
}
