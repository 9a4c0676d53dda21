//! What the statements of b-threads say, one event after the other.

use crate::programs::{
    Argument, Condition, EventSet, Happening, LARGEST, Number, RandomProgram, Statement, Sync,
    VARIABLES, all_events,
};

/// The values of the variables of a b-thread.
type Values = [i64; VARIABLES.len()];

/// The b-threads of a program, each as far as it has come.
pub(crate) struct Interpreter<'p> {
    events: Vec<Happening>,
    threads: Vec<ThreadState<'p>>,
}

enum ThreadState<'p> {
    /// At sync points that stand together, each with what follows it.
    At {
        branches: Vec<(&'p Sync, &'p [Statement])>,
        rest: Vec<Rest<'p>>,
        values: Values,
    },
    /// It left the range of a variable.
    Broken,
    Ended,
}

/// What a b-thread still has to do, after what stands behind it in the list.
#[derive(Clone, Copy)]
enum Rest<'p> {
    Statements(&'p [Statement]),
    Forever(&'p [Statement]),
    Times(i64, &'p [Statement]),
    While(&'p Condition, &'p [Statement]),
}

impl<'p> Interpreter<'p> {
    pub(crate) fn new(program: &'p RandomProgram) -> Self {
        let start = |body: &'p Vec<Statement>| go_on(vec![Rest::Statements(body)], [1; 2]);
        Self { events: all_events(), threads: program.threads.iter().map(start).collect() }
    }

    /// The events that can happen now.
    pub(crate) fn possible(&self) -> Vec<Happening> {
        let asked = |wanted: fn(&Sync) -> Vec<&EventSet>| {
            let is_possible = |event: &&Happening| {
                self.is_in_any(event, wanted)
                    && !self.is_in_any(event, |sync| sync.blocks.iter().collect())
            };
            self.events.iter().filter(is_possible).cloned().collect::<Vec<_>>()
        };
        let requested = asked(|sync| sync.requests.iter().collect());
        if requested.is_empty() { asked(|sync| sync.otherwise.iter().collect()) } else { requested }
    }

    /// Whether one of these sets of some b-thread contains an event.
    fn is_in_any(&self, event: &Happening, sets: fn(&Sync) -> Vec<&EventSet>) -> bool {
        self.threads.iter().any(|thread| {
            let ThreadState::At { branches, values, .. } = thread else { return false };
            let mut all = branches.iter().flat_map(|(sync, _)| sets(sync));
            all.any(|set| contains(set, event, values))
        })
    }

    /// The number of b-threads that left the range of a variable.
    pub(crate) fn broken(&self) -> usize {
        self.threads.iter().filter(|thread| matches!(thread, ThreadState::Broken)).count()
    }

    pub(crate) fn happen(&mut self, event: &Happening) {
        for thread in &mut self.threads {
            if let Some(next) = after(thread, event) {
                *thread = next;
            }
        }
    }
}

/// The next state of a b-thread, unless the event does not concern it.
fn after<'p>(thread: &ThreadState<'p>, event: &Happening) -> Option<ThreadState<'p>> {
    let ThreadState::At { branches, rest, values } = thread else { return None };
    let is_in = |set: &EventSet| contains(set, event, values);
    if branches.iter().any(|(sync, _)| sync.interrupts.as_ref().is_some_and(is_in)) {
        return Some(ThreadState::Ended);
    }
    for (sync, following) in branches {
        let sets = sync.requests.iter().chain(&sync.waits).chain(&sync.otherwise);
        let meant: Vec<&EventSet> = sets.filter(|set| is_in(set)).collect();
        if meant.is_empty() {
            continue;
        }
        let mut remembered = *values;
        // The first pattern that remembers a value wins.
        let all: Vec<(usize, i64)> =
            meant.iter().flat_map(|set| remembers(set, event, values)).collect();
        for (variable, value) in all.into_iter().rev() {
            remembered[variable] = value;
        }
        let mut rest = rest.clone();
        rest.push(Rest::Statements(following));
        return Some(go_on(rest, remembered));
    }
    None
}

/// Goes on to the next sync point.
fn go_on(mut rest: Vec<Rest<'_>>, mut values: Values) -> ThreadState<'_> {
    while let Some(next) = rest.pop() {
        match next {
            Rest::Statements([first, others @ ..]) => {
                rest.push(Rest::Statements(others));
                match first {
                    Statement::Sync(sync) => {
                        return ThreadState::At { branches: vec![(sync, &[])], rest, values };
                    }
                    Statement::Either(branches) => {
                        let branches = branches.iter().map(|(sync, body)| (sync, &body[..]));
                        return ThreadState::At { branches: branches.collect(), rest, values };
                    }
                    Statement::Forever(body) => rest.push(Rest::Forever(body)),
                    Statement::Times(count, body) => rest.push(Rest::Times(*count, body)),
                    Statement::While(condition, body) => rest.push(Rest::While(condition, body)),
                    Statement::If(condition, then, otherwise) => {
                        let meant = if holds(condition, &values) { then } else { otherwise };
                        rest.push(Rest::Statements(meant));
                    }
                    Statement::Assign(variable, number) => {
                        values[*variable] = value(number, &values);
                        if !(1..=LARGEST).contains(&values[*variable]) {
                            return ThreadState::Broken;
                        }
                    }
                }
            }
            Rest::Forever(body) => rest.extend([next, Rest::Statements(body)]),
            Rest::Times(count, body) if count > 0 => {
                rest.extend([Rest::Times(count - 1, body), Rest::Statements(body)]);
            }
            Rest::Statements([]) | Rest::Times(..) => {}
            Rest::While(condition, body) => {
                if holds(condition, &values) {
                    rest.extend([next, Rest::Statements(body)]);
                }
            }
        }
    }
    ThreadState::Ended
}

fn value(number: &Number, values: &Values) -> i64 {
    match number {
        Number::Constant(number) => *number,
        Number::Variable(variable) => values[*variable],
        Number::OneMore(variable) => values[*variable] + 1,
    }
}

fn holds(condition: &Condition, values: &Values) -> bool {
    match condition {
        Condition::Equal(one, other) => value(one, values) == value(other, values),
        Condition::Less(one, other) => value(one, values) < value(other, values),
        Condition::Not(inner) => !holds(inner, values),
        Condition::Both(one, other) => holds(one, values) && holds(other, values),
        Condition::Any(one, other) => holds(one, values) || holds(other, values),
    }
}

fn contains(set: &EventSet, event: &Happening, values: &Values) -> bool {
    match set {
        EventSet::Any => true,
        EventSet::Family(family) => event.family == *family,
        EventSet::Some(family, arguments) => {
            let fits = |(argument, given): (&Argument, &i64)| match argument {
                Argument::Anything | Argument::Remember(_) => true,
                Argument::Is(number) => *given == value(number, values),
                Argument::IsNot(number) => *given != value(number, values),
                Argument::Less(number) => *given < value(number, values),
                Argument::AtLeast(number) => *given >= value(number, values),
            };
            let all_fit = arguments.iter().zip(&event.arguments).all(fits);
            event.family == *family && all_fit && is_consistent(arguments, &event.arguments)
        }
        EventSet::Or(one, other) => contains(one, event, values) || contains(other, event, values),
        EventSet::And(one, other) => contains(one, event, values) && contains(other, event, values),
        EventSet::Except(one, other) => {
            contains(one, event, values) && !contains(other, event, values)
        }
    }
}

/// Whether a variable that remembers two arguments remembers the same value twice.
fn is_consistent(arguments: &[Argument], given: &[i64]) -> bool {
    let remembered = remembered(arguments, given);
    let is_same = |(variable, value): &(usize, i64)| {
        remembered.iter().all(|(other, known)| other != variable || known == value)
    };
    remembered.iter().all(is_same)
}

fn remembered(arguments: &[Argument], given: &[i64]) -> Vec<(usize, i64)> {
    let each = arguments.iter().zip(given);
    each.filter_map(|(argument, value)| match argument {
        Argument::Remember(variable) => Some((*variable, *value)),
        _ => None,
    })
    .collect()
}

/// What a set that contains an event remembers of it.
fn remembers(set: &EventSet, event: &Happening, values: &Values) -> Vec<(usize, i64)> {
    if !contains(set, event, values) {
        return Vec::new();
    }
    match set {
        EventSet::Any | EventSet::Family(_) => Vec::new(),
        EventSet::Some(_, arguments) => remembered(arguments, &event.arguments),
        EventSet::Or(one, other) => {
            [remembers(one, event, values), remembers(other, event, values)].concat()
        }
        EventSet::And(one, _) | EventSet::Except(one, _) => remembers(one, event, values),
    }
}
