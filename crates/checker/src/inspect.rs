//! Inspecting a state: its successors, and the properties that it settles.

use bthread::{Name, Status};

use crate::model::Model;
use crate::property::{Claim, Property};
use crate::store::Id;

/// Inspects states.
pub(crate) struct Inspector<'a, M: Model> {
    pub(crate) model: &'a M,
    pub(crate) properties: &'a [Property<M>],
    pub(crate) symmetry: SymmetryUse,
    pub(crate) violated: AfterViolation,
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
}

/// The examples or counterexamples for one property.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cases {
    pub(crate) count: u64,
    pub(crate) first: Option<Case>,
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

    /// Adds the counts of later states.
    pub(crate) fn add(&mut self, later: Self) {
        self.edges += later.edges;
        self.terminal += later.terminal;
        self.stuck += later.stuck;
        self.halted += later.halted;
        for (cases, more) in self.cases.iter_mut().zip(later.cases) {
            cases.count += more.count;
            cases.first = cases.first.take().or(more.first);
        }
    }

    fn note(&mut self, property: usize, at: Id, kind: CaseKind, sentence: impl FnOnce() -> String) {
        let cases = &mut self.cases[property];
        cases.count += 1;
        cases.first.get_or_insert_with(|| Case { at, kind, sentence: sentence() });
    }
}

impl<M: Model> Inspector<'_, M> {
    /// Inspects a state, and calls `show` with its successors.
    pub(crate) fn inspect(
        &self,
        id: Id,
        state: &M::State,
        tally: &mut SearchTally,
        show: &mut dyn FnMut(M::State),
    ) -> Result<(), M::Error> {
        self.inspect_state(id, state, tally);
        if self.is_violated(id, state, tally) && self.violated == AfterViolation::Halts {
            tally.halted += 1;
            return Ok(());
        }
        let edges_before = tally.edges;
        self.model.successors(state, &mut |action, next| {
            tally.edges += 1;
            self.inspect_action(id, action, tally);
            show(self.representative(next));
        })?;
        if tally.edges == edges_before {
            self.inspect_terminal(id, state, tally);
        }
        Ok(())
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
        for (number, property) in self.properties.iter().enumerate() {
            match &property.claim {
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

    fn inspect_action(&self, id: Id, action: &M::Action, tally: &mut SearchTally) {
        for (number, property) in self.properties.iter().enumerate() {
            match &property.claim {
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
    fn is_violated(&self, id: Id, state: &M::State, tally: &mut SearchTally) -> bool {
        let mut is_violated = false;
        self.model.violations(state, &mut |thread, sentence| {
            is_violated = true;
            for (number, property) in self.properties.iter().enumerate() {
                match property.claim {
                    Claim::NoViolation => {
                        tally.note(number, id, CaseKind::State, || format!("{thread}: {sentence}"));
                    }
                    Claim::Requirement if Name::from(thread).is(property.name()) => {
                        tally.note(number, id, CaseKind::State, || sentence.to_owned());
                    }
                    _ => {}
                }
            }
        });
        is_violated
    }

    fn inspect_terminal(&self, id: Id, state: &M::State, tally: &mut SearchTally) {
        tally.terminal += 1;
        let is_stuck = self.model.status(state) == Status::Stuck;
        tally.stuck += u64::from(is_stuck);
        for (number, property) in self.properties.iter().enumerate() {
            let sentence = match property.claim {
                Claim::NoStuckState if is_stuck => {
                    Some("every requested event is blocked".to_owned())
                }
                Claim::NoHotEnd => self.hot_end(state, |_| true),
                Claim::Requirement => {
                    self.hot_end(state, |thread| Name::from(thread).is(property.name()))
                }
                _ => None,
            };
            if let Some(sentence) = sentence {
                tally.note(number, id, CaseKind::State, || sentence);
            }
        }
    }

    fn hot_end(&self, state: &M::State, is_meant: impl Fn(&str) -> bool) -> Option<String> {
        let mut hot = Vec::new();
        self.model.hot(state, &mut |name| hot.extend(is_meant(name).then(|| name.to_owned())));
        (!hot.is_empty()).then(|| format!("the program ends while {} is hot", hot.join(", ")))
    }
}
