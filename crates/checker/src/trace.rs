//! Traces from the start to a state.

use crate::cycles::Lasso;
use crate::inspect::{Case, CaseKind, Inspector};
use crate::model::{Model, ModelExplorer};
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
    // One for the whole walk: making one costs as much as the program is long.
    explorer: ModelExplorer<'a, M>,
    state: M::State,
    actions: Vec<M::Action>,
}

impl<'a, M: Model> TraceWalk<'a, M> {
    fn start(inspector: &'a Inspector<'a, M>, store: &'a Store<M::State>) -> Self {
        let (explorer, state) = (inspector.model.explorer(), inspector.model.start());
        Self { inspector, store, explorer, state, actions: Vec::new() }
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
        let Self { inspector, store, explorer, state, .. } = self;
        let mut taken = None;
        explorer(state, &mut |action, next| {
            let is_there = || store.is(to, &inspector.representative(next.clone()));
            if taken.is_none() && is_there() {
                taken = Some((action.clone(), next));
            }
        })?;
        self.go(taken);
        Ok(())
    }

    /// Takes the action with this number among those that lead to stored states.
    fn take(&mut self, number: u32) -> Result<(), M::Error> {
        let Self { inspector, store, explorer, state, .. } = self;
        let (mut taken, mut before) = (None, 0);
        explorer(state, &mut |action, next| {
            if store.find(&inspector.representative(next.clone())).is_some() {
                if before == number {
                    taken = Some((action.clone(), next));
                }
                before += 1;
            }
        })?;
        self.go(taken);
        Ok(())
    }

    fn go(&mut self, step: Option<(M::Action, M::State)>) {
        if let Some((action, next)) = step {
            self.actions.push(action);
            self.state = next;
        }
    }

    /// Takes the first action that passes the test.
    fn act(&mut self, test: impl Fn(&M::Action) -> bool) -> Result<(), M::Error> {
        let mut taken = None;
        (self.explorer)(&self.state, &mut |action, _| {
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
    let (mut explorer, mut state) = (inspector.model.explorer(), inspector.model.start());
    let mut ids = Vec::new();
    for action in actions {
        let mut taken = None;
        explorer(&state, &mut |own, next| {
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

/// The trace to a cycle, and then once round.
pub(crate) fn of_lasso<M: Model>(
    inspector: &Inspector<'_, M>,
    store: &Store<M::State>,
    lasso: &Lasso,
) -> Result<Trace<M::Action>, M::Error> {
    let mut walk = TraceWalk::start(inspector, store).to(lasso.start)?;
    let cycle_from = walk.actions.len() as u64;
    for step in &lasso.steps {
        walk.take(*step)?;
    }
    Ok(Trace { actions: walk.actions, cycle_from: Some(cycle_from) })
}
