//! Looking at one state: what follows, and what it says about the properties.

use bthread::{Name, Status};

use crate::model::Model;
use crate::property::{Claim, Property};
use crate::store::Id;

/// What every state is looked at with.
pub(crate) struct Inspector<'a, M: Model> {
    pub(crate) model: &'a M,
    pub(crate) properties: &'a [Property<M>],
    pub(crate) symmetry: Symmetry,
    pub(crate) violated: AfterViolation,
}

/// Whether a search looks at what follows a state in which a requirement is violated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AfterViolation {
    GoesOn,
    Halts,
}

/// Whether states that are symmetric to each other are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Symmetry {
    Ignored,
    Used,
}

/// What was counted, and the first case for each property.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) edges: u64,
    pub(crate) terminal: u64,
    pub(crate) stuck: u64,
    /// How many states were not looked beyond because a requirement is violated there.
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
    /// The state, or the one in which the action happens.
    pub(crate) at: Id,
    pub(crate) moment: Moment,
    pub(crate) sentence: String,
}

/// Whether a state or an action is the case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moment {
    State,
    Action,
}

impl Tally {
    pub(crate) fn new(properties: usize) -> Self {
        Self { cases: vec![Cases::default(); properties], ..Self::default() }
    }

    /// Adds what was counted later.
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

    fn note(&mut self, property: usize, at: Id, moment: Moment, sentence: impl FnOnce() -> String) {
        let cases = &mut self.cases[property];
        cases.count += 1;
        cases.first.get_or_insert_with(|| Case { at, moment, sentence: sentence() });
    }
}

impl<M: Model> Inspector<'_, M> {
    /// Looks at a state, and shows the states that follow.
    pub(crate) fn inspect(
        &self,
        id: Id,
        state: &M::State,
        tally: &mut Tally,
        show: &mut dyn FnMut(M::State),
    ) -> Result<(), M::Error> {
        self.look(id, state, tally);
        if self.is_violated(id, state, tally) && self.violated == AfterViolation::Halts {
            tally.halted += 1;
            return Ok(());
        }
        let edges_before = tally.edges;
        self.model.successors(state, &mut |action, next| {
            tally.edges += 1;
            self.hear(id, action, tally);
            show(self.representative(next));
        })?;
        if tally.edges == edges_before {
            self.look_at_end(id, state, tally);
        }
        Ok(())
    }

    /// Whether what was seen says anything about a property.
    pub(crate) fn can_tell(&self, property: &Property<M>) -> bool {
        self.symmetry == Symmetry::Ignored || property.is_symmetric()
    }

    pub(crate) fn representative(&self, state: M::State) -> M::State {
        match self.symmetry {
            Symmetry::Ignored => state,
            Symmetry::Used => self.model.representative(state),
        }
    }

    fn look(&self, id: Id, state: &M::State, tally: &mut Tally) {
        for (number, property) in self.properties.iter().enumerate() {
            match &property.claim {
                Claim::Always(test) if !test(self.model, state) => {
                    tally.note(number, id, Moment::State, || "a state breaks it".to_owned());
                }
                Claim::Reachable(test) if test(self.model, state) => {
                    tally.note(number, id, Moment::State, || "such a state is reached".to_owned());
                }
                _ => {}
            }
        }
    }

    fn hear(&self, id: Id, action: &M::Action, tally: &mut Tally) {
        for (number, property) in self.properties.iter().enumerate() {
            match &property.claim {
                Claim::Never(test) if test(action) => {
                    tally.note(number, id, Moment::Action, || format!("{action} happens"));
                }
                Claim::Happens(test) if test(action) => {
                    tally.note(number, id, Moment::Action, || format!("{action} happens"));
                }
                _ => {}
            }
        }
    }

    /// Whether somebody says in the state that a requirement was violated.
    fn is_violated(&self, id: Id, state: &M::State, tally: &mut Tally) -> bool {
        let mut is_violated = false;
        self.model.violations(state, &mut |who, sentence| {
            is_violated = true;
            for (number, property) in self.properties.iter().enumerate() {
                match property.claim {
                    Claim::NoViolation => {
                        tally.note(number, id, Moment::State, || format!("{who}: {sentence}"));
                    }
                    Claim::Requirement if Name::from(who).is(property.name()) => {
                        tally.note(number, id, Moment::State, || sentence.to_owned());
                    }
                    _ => {}
                }
            }
        });
        is_violated
    }

    fn look_at_end(&self, id: Id, state: &M::State, tally: &mut Tally) {
        tally.terminal += 1;
        let is_stuck = self.model.status(state) == Status::Stuck;
        tally.stuck += u64::from(is_stuck);
        for (number, property) in self.properties.iter().enumerate() {
            let sentence = match property.claim {
                Claim::NoStuckState if is_stuck => {
                    Some("all that is requested is blocked".to_owned())
                }
                Claim::NoHotEnd => self.hot_end(state, |_| true),
                Claim::Requirement => {
                    self.hot_end(state, |who| Name::from(who).is(property.name()))
                }
                _ => None,
            };
            if let Some(sentence) = sentence {
                tally.note(number, id, Moment::State, || sentence);
            }
        }
    }

    fn hot_end(&self, state: &M::State, is_meant: impl Fn(&str) -> bool) -> Option<String> {
        let mut hot = Vec::new();
        self.model.hot(state, &mut |who| hot.extend(is_meant(who).then(|| who.to_owned())));
        (!hot.is_empty()).then(|| format!("it ends while {} is still hot", hot.join(", ")))
    }
}
