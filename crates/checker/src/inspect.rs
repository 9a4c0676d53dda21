//! Inspecting a state: its successors, and the properties that it settles.

use bthread::Status;
use foldhash::quality::FixedState;
use hashbrown::HashMap;

use crate::model::{Model, ModelExplorer, ThreadFinder, ViolationFinder};
use crate::property::{Claim, Property};
use crate::store::Id;

/// Inspects states.
pub(crate) struct Inspector<'a, M: Model> {
    pub(crate) model: &'a M,
    pub(crate) properties: &'a [Property<M>],
    pub(crate) symmetry: SymmetryUse,
    pub(crate) violated: AfterViolation,
    interests: Interests,
}

/// What finds the successors of states and what stands in them. Each thread of a search has one, which
/// remembers the state before.
pub(crate) struct StateExplorer<'a, M: Model> {
    successors: ModelExplorer<'a, M>,
    violations: ViolationFinder<'a, M::State>,
    hot: ThreadFinder<'a, M::State>,
    interrupted: ThreadFinder<'a, M::State>,
}

/// Which properties look at what, so that a state costs no more than the properties that it can
/// settle.
struct Interests {
    states: Vec<usize>,
    actions: Vec<usize>,
    violations: Vec<usize>,
    ends: Vec<usize>,
    /// The requirements by name: that of a b-thread, or of a family.
    requirements: HashMap<String, Vec<usize>, FixedState>,
}

impl Interests {
    fn new<M: Model>(properties: &[Property<M>]) -> Self {
        let those = |test: fn(&Claim<M>) -> bool| {
            let numbered = properties.iter().enumerate();
            numbered.filter(|(_, each)| test(&each.claim)).map(|(number, _)| number).collect()
        };
        let mut requirements: HashMap<String, Vec<usize>, FixedState> = HashMap::default();
        for (number, property) in properties.iter().enumerate() {
            if matches!(property.claim, Claim::Requirement) {
                requirements.entry_ref(property.name()).or_default().push(number);
            }
        }
        Self {
            states: those(|claim| matches!(claim, Claim::Always(_) | Claim::Reachable(_))),
            actions: those(|claim| matches!(claim, Claim::Never(_) | Claim::Happens(_))),
            violations: those(|claim| matches!(claim, Claim::NoViolation)),
            ends: those(|claim| matches!(claim, Claim::NoStuckState | Claim::NoHotEnd)),
            requirements,
        }
    }

    /// The requirements that a b-thread belongs to.
    fn requirements_of(&self, thread: &str) -> impl Iterator<Item = usize> + '_ {
        let own = self.requirements.get(thread);
        let family = family_of(thread).filter(|family| *family != thread);
        let family = family.and_then(|family| self.requirements.get(family));
        own.into_iter().chain(family).flatten().copied()
    }
}

/// The part of a name before its parameter, if it has one.
fn family_of(thread: &str) -> Option<&str> {
    Some(thread.strip_suffix(')')?.split_once('(')?.0)
}

/// Whether a search visits the successors of a state in which a requirement is violated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AfterViolation {
    GoesOn,
    Halts,
}

/// Whether symmetric states count as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SymmetryUse {
    Ignored,
    Used,
}

/// Counts, and the cases for each property.
#[derive(Clone, Debug, Default)]
pub(crate) struct SearchTally {
    pub(crate) edges: u64,
    pub(crate) terminal: u64,
    pub(crate) stuck: u64,
    /// The number of states whose successors were not visited because a requirement is violated.
    pub(crate) halted: u64,
    pub(crate) cases: Vec<Cases>,
    /// The properties that have cases or are unwatched. Most counts of many properties have few.
    touched: Vec<usize>,
}

/// The examples or counterexamples for one property.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cases {
    /// The number of states of a case, or in which an action of a case can happen.
    pub(crate) count: u64,
    pub(crate) first: Option<Case>,
    /// The first state in which an interrupt has ended the b-thread of a requirement and more can
    /// happen, and the b-thread.
    pub(crate) unwatched: Option<(Id, String)>,
    /// The state that was counted last. Its further actions are no further cases.
    last: Option<Id>,
}

/// An example or a counterexample.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// The state of the case, or the state in which the action of the case happens.
    pub(crate) at: Id,
    pub(crate) kind: CaseKind,
    pub(crate) sentence: String,
}

/// Whether a case is a state or an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CaseKind {
    State,
    Action,
}

impl SearchTally {
    pub(crate) fn new(properties: usize) -> Self {
        Self { cases: vec![Cases::default(); properties], ..Self::default() }
    }

    /// Adds the counts of later states, and takes them away there.
    pub(crate) fn add(&mut self, later: &mut Self) {
        self.absorb(later, |cases, more| {
            cases.first = cases.first.take().or(more.first);
            cases.unwatched = cases.unwatched.take().or(more.unwatched);
        });
    }

    /// Adds the counts of other states among the same ones. The first case of a property is that of
    /// the state with the smallest number.
    pub(crate) fn merge(&mut self, mut other: Self) {
        self.absorb(&mut other, |cases, more| {
            let both = cases.first.take().into_iter().chain(more.first);
            cases.first = both.min_by_key(|case| case.at);
            let both = cases.unwatched.take().into_iter().chain(more.unwatched);
            cases.unwatched = both.min_by_key(|(at, _)| *at);
        });
    }

    fn absorb(&mut self, other: &mut Self, join: impl Fn(&mut Cases, Cases)) {
        self.edges += std::mem::take(&mut other.edges);
        self.terminal += std::mem::take(&mut other.terminal);
        self.stuck += std::mem::take(&mut other.stuck);
        self.halted += std::mem::take(&mut other.halted);
        for property in other.touched.drain(..) {
            let more = std::mem::take(&mut other.cases[property]);
            let cases = self.touch(property);
            cases.count += more.count;
            cases.last = None;
            join(cases, more);
        }
    }

    /// Forgets all counts.
    pub(crate) fn clear(&mut self) {
        let Self { edges, terminal, stuck, halted, cases, touched } = self;
        for count in [edges, terminal, stuck, halted] {
            *count = 0;
        }
        for property in touched.drain(..) {
            cases[property] = Cases::default();
        }
    }

    /// The cases of a property, to which something is added.
    fn touch(&mut self, property: usize) -> &mut Cases {
        let cases = &mut self.cases[property];
        if cases.count == 0 && cases.unwatched.is_none() {
            self.touched.push(property);
        }
        cases
    }

    /// Gives the states of all cases other numbers.
    pub(crate) fn renumber(&mut self, number: impl Fn(Id) -> Id) {
        for cases in &mut self.cases {
            cases.last = None;
            if let Some(case) = &mut cases.first {
                case.at = number(case.at);
            }
            if let Some((at, _)) = &mut cases.unwatched {
                *at = number(*at);
            }
        }
    }

    fn note_unwatched(&mut self, property: usize, at: Id, thread: &str) {
        if self.cases[property].unwatched.is_none() {
            self.touch(property).unwatched = Some((at, thread.to_owned()));
        }
    }

    fn note(&mut self, property: usize, at: Id, kind: CaseKind, sentence: impl FnOnce() -> String) {
        let cases = self.touch(property);
        if cases.last.replace(at) == Some(at) {
            return;
        }
        cases.count += 1;
        cases.first.get_or_insert_with(|| Case { at, kind, sentence: sentence() });
    }
}

impl<'a, M: Model> StateExplorer<'a, M> {
    fn new(model: &'a M) -> Self {
        Self {
            successors: model.explorer(),
            violations: model.violation_finder(),
            hot: model.hot_finder(),
            interrupted: model.interrupted_finder(),
        }
    }

    /// Calls `show` with the name of each b-thread that is hot in a state.
    pub(crate) fn hot(&mut self, state: &M::State, show: &mut dyn FnMut(&str)) {
        (self.hot)(state, show);
    }

    fn has_violation(&mut self, state: &M::State) -> bool {
        let mut has_one = false;
        (self.violations)(state, &mut |_, _| has_one = true);
        has_one
    }
}

impl<'a, M: Model> Inspector<'a, M> {
    pub(crate) fn new(
        model: &'a M,
        properties: &'a [Property<M>],
        symmetry: SymmetryUse,
        violated: AfterViolation,
    ) -> Self {
        Self { model, properties, symmetry, violated, interests: Interests::new(properties) }
    }

    pub(crate) fn explorer(&self) -> StateExplorer<'a, M> {
        StateExplorer::new(self.model)
    }

    /// Inspects a state, and calls `show` with its successors.
    #[inline]
    pub(crate) fn inspect(
        &self,
        id: Id,
        state: &M::State,
        explorer: &mut StateExplorer<'_, M>,
        tally: &mut SearchTally,
        mut show: impl FnMut(M::State),
    ) -> Result<(), M::Error> {
        self.inspect_state(id, state, tally);
        if self.is_violated(id, state, explorer, tally) && self.violated == AfterViolation::Halts {
            tally.halted += 1;
            return Ok(());
        }
        let mut edges = 0;
        // Most searches look at no action and use no symmetry.
        let is_plain = self.interests.actions.is_empty() && self.symmetry == SymmetryUse::Ignored;
        (explorer.successors)(state, &mut |action, next| {
            edges += 1;
            if is_plain {
                return show(next);
            }
            self.inspect_action(id, action, tally);
            show(self.representative(next));
        })?;
        tally.edges += edges;
        if edges == 0 {
            self.inspect_terminal(id, state, explorer, tally);
        } else {
            self.inspect_interrupted(id, state, explorer, tally);
        }
        Ok(())
    }

    /// Calls `show` with the actions and successors that a search follows.
    pub(crate) fn each_step(
        &self,
        state: &M::State,
        explorer: &mut StateExplorer<'_, M>,
        show: &mut dyn FnMut(&M::Action, M::State),
    ) -> Result<(), M::Error> {
        if self.violated == AfterViolation::Halts && explorer.has_violation(state) {
            return Ok(());
        }
        (explorer.successors)(state, &mut |action, next| show(action, self.representative(next)))
    }

    /// Calls `show` with the successors that a search visits.
    pub(crate) fn each_successor(
        &self,
        state: &M::State,
        explorer: &mut StateExplorer<'_, M>,
        show: &mut dyn FnMut(M::State),
    ) -> Result<(), M::Error> {
        self.each_step(state, explorer, &mut |_, next| show(next))
    }

    /// Whether the search can settle a property.
    pub(crate) fn can_tell(&self, property: &Property<M>) -> bool {
        self.symmetry == SymmetryUse::Ignored || property.is_symmetric()
    }

    pub(crate) fn representative(&self, state: M::State) -> M::State {
        match self.symmetry {
            SymmetryUse::Ignored => state,
            SymmetryUse::Used => self.model.representative(state),
        }
    }

    fn inspect_state(&self, id: Id, state: &M::State, tally: &mut SearchTally) {
        for &number in &self.interests.states {
            match &self.properties[number].claim {
                Claim::Always(test) if !test(self.model, state) => {
                    tally.note(number, id, CaseKind::State, || "a state violates it".to_owned());
                }
                Claim::Reachable(test) if test(self.model, state) => {
                    tally.note(number, id, CaseKind::State, || {
                        "such a state is reachable".to_owned()
                    });
                }
                _ => {}
            }
        }
    }

    /// Notes requirements that are no longer watched, although more can happen.
    fn inspect_interrupted(
        &self,
        id: Id,
        state: &M::State,
        explorer: &mut StateExplorer<'_, M>,
        tally: &mut SearchTally,
    ) {
        let Interests { requirements, violations, .. } = &self.interests;
        if requirements.is_empty() && violations.is_empty() {
            return;
        }
        (explorer.interrupted)(state, &mut |thread| {
            let of_all = violations.iter().copied().filter(|_| self.model.may_report(thread));
            for number in self.interests.requirements_of(thread).chain(of_all) {
                tally.note_unwatched(number, id, thread);
            }
        });
    }

    fn inspect_action(&self, id: Id, action: &M::Action, tally: &mut SearchTally) {
        for &number in &self.interests.actions {
            match &self.properties[number].claim {
                Claim::Never(test) if test(action) => {
                    tally.note(number, id, CaseKind::Action, || format!("{action} happens"));
                }
                Claim::Happens(test) if test(action) => {
                    tally.note(number, id, CaseKind::Action, || format!("{action} happens"));
                }
                _ => {}
            }
        }
    }

    /// Whether a requirement is violated in the state.
    fn is_violated(
        &self,
        id: Id,
        state: &M::State,
        explorer: &mut StateExplorer<'_, M>,
        tally: &mut SearchTally,
    ) -> bool {
        let Interests { requirements, violations, .. } = &self.interests;
        let is_asked = !violations.is_empty() || !requirements.is_empty();
        if !is_asked && self.violated == AfterViolation::GoesOn {
            return false;
        }
        let mut is_violated = false;
        (explorer.violations)(state, &mut |thread, sentence| {
            is_violated = true;
            for &number in violations {
                tally.note(number, id, CaseKind::State, || format!("{thread}: {sentence}"));
            }
            for number in self.interests.requirements_of(thread) {
                tally.note(number, id, CaseKind::State, || sentence.to_owned());
            }
        });
        is_violated
    }

    fn inspect_terminal(
        &self,
        id: Id,
        state: &M::State,
        explorer: &mut StateExplorer<'_, M>,
        tally: &mut SearchTally,
    ) {
        tally.terminal += 1;
        let is_stuck = self.model.status(state) == Status::Stuck;
        tally.stuck += u64::from(is_stuck);
        let mut hot = Vec::new();
        if !self.interests.ends.is_empty() || !self.interests.requirements.is_empty() {
            explorer.hot(state, &mut |name| hot.push(name.to_owned()));
        }
        for &number in &self.interests.ends {
            match self.properties[number].claim {
                Claim::NoStuckState if is_stuck => {
                    let sentence = || "every requested event is blocked".to_owned();
                    tally.note(number, id, CaseKind::State, sentence);
                }
                Claim::NoHotEnd if !hot.is_empty() => {
                    tally.note(number, id, CaseKind::State, || hot_end(&hot));
                }
                _ => {}
            }
        }
        self.inspect_hot_requirements(id, &hot, tally);
    }

    fn inspect_hot_requirements(&self, id: Id, hot: &[String], tally: &mut SearchTally) {
        let mut violated: Vec<(usize, Vec<String>)> = Vec::new();
        for thread in hot {
            for number in self.interests.requirements_of(thread) {
                match violated.iter_mut().find(|(known, _)| *known == number) {
                    Some((_, threads)) => threads.push(thread.clone()),
                    None => violated.push((number, vec![thread.clone()])),
                }
            }
        }
        for (number, threads) in violated {
            tally.note(number, id, CaseKind::State, || hot_end(&threads));
        }
    }
}

fn hot_end(hot: &[String]) -> String {
    format!("the program ends while {} is hot", hot.join(", "))
}
