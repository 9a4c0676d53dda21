//! Traces from the start to a state.

use crate::inspect::{Case, CaseKind, Inspector};
use crate::model::Model;
use crate::property::{Claim, Property};
use crate::report::Trace;
use crate::store::{Id, Store};

/// A walk through the model along stored states.
///
/// With symmetry, the store contains representatives; the walk finds the states that they
/// represent.
struct TraceWalk<'a, M: Model> {
    inspector: &'a Inspector<'a, M>,
    store: &'a Store<M::State>,
    state: M::State,
    actions: Vec<M::Action>,
}

impl<'a, M: Model> TraceWalk<'a, M> {
    fn start(inspector: &'a Inspector<'a, M>, store: &'a Store<M::State>) -> Self {
        Self { inspector, store, state: inspector.model.start(), actions: Vec::new() }
    }

    /// Walks to a state by the path on which it was found.
    fn to(mut self, id: Id) -> Result<Self, M::Error> {
        let mut path = vec![id];
        let mut at = id;
        while let Some(parent) = self.store.parent(at) {
            path.push(parent);
            at = parent;
        }
        for next in path.into_iter().rev().skip(1) {
            self.step(next)?;
        }
        Ok(self)
    }

    /// Takes the first action that leads to a state.
    fn step(&mut self, to: Id) -> Result<(), M::Error> {
        let mut taken = None;
        self.inspector.model.successors(&self.state, &mut |action, next| {
            let is_there = || self.store.is(to, &self.inspector.representative(next.clone()));
            if taken.is_none() && is_there() {
                taken = Some((action.clone(), next));
            }
        })?;
        if let Some((action, next)) = taken {
            self.actions.push(action);
            self.state = next;
        }
        Ok(())
    }

    /// Takes the first action that passes the test.
    fn act(&mut self, test: impl Fn(&M::Action) -> bool) -> Result<(), M::Error> {
        let mut taken = None;
        self.inspector.model.successors(&self.state, &mut |action, _| {
            if taken.is_none() && test(action) {
                taken = Some(action.clone());
            }
        })?;
        self.actions.extend(taken);
        Ok(())
    }
}

/// The trace to an example or a counterexample.
pub(crate) fn of_case<M: Model>(
    inspector: &Inspector<'_, M>,
    store: &Store<M::State>,
    property: &Property<M>,
    case: &Case,
) -> Result<Trace<M::Action>, M::Error> {
    let mut walk = TraceWalk::start(inspector, store).to(case.at)?;
    if case.kind == CaseKind::Action
        && let Claim::Never(test) | Claim::Happens(test) = &property.claim
    {
        walk.act(test)?;
    }
    Ok(Trace { actions: walk.actions, cycle_from: None })
}

/// The trace to a state.
pub(crate) fn to_state<M: Model>(
    inspector: &Inspector<'_, M>,
    store: &Store<M::State>,
    id: Id,
) -> Result<Trace<M::Action>, M::Error> {
    let walk = TraceWalk::start(inspector, store).to(id)?;
    Ok(Trace { actions: walk.actions, cycle_from: None })
}

/// The stored states along a trace.
pub(crate) fn states_of<M: Model>(
    inspector: &Inspector<'_, M>,
    store: &Store<M::State>,
    actions: &[M::Action],
) -> Result<Vec<Id>, M::Error> {
    let mut state = inspector.model.start();
    let mut ids = Vec::new();
    for action in actions {
        let mut taken = None;
        inspector.model.successors(&state, &mut |own, next| {
            if taken.is_none() && own == action {
                taken = Some(next);
            }
        })?;
        let Some(next) = taken else { break };
        ids.extend(store.find(&inspector.representative(next.clone())));
        state = next;
    }
    Ok(ids)
}

/// The trace to the first of the states, and then through the others back to it.
pub(crate) fn of_lasso<M: Model>(
    inspector: &Inspector<'_, M>,
    store: &Store<M::State>,
    states: &[Id],
) -> Result<Trace<M::Action>, M::Error> {
    let [first, rest @ ..] = states else {
        return Ok(Trace { actions: Vec::new(), cycle_from: None });
    };
    let mut walk = TraceWalk::start(inspector, store).to(*first)?;
    let cycle_from = walk.actions.len() as u64;
    for next in rest.iter().chain([first]) {
        walk.step(*next)?;
    }
    Ok(Trace { actions: walk.actions, cycle_from: Some(cycle_from) })
}
