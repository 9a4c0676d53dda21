//! The states of a closed program as packed values.

mod watch;

use std::fmt;
use std::sync::Arc;

use self::watch::{PointRef, SpaceWatch};
use super::alphabet::{Alphabet, Letters};
use super::blueprint::{Blueprint, Concern, EventLists};
use super::learned::Learned;
use super::local_state::LocalState;
use super::packed_rules::{PackedRules, RulesExplorer, WantedEvents};
use super::packed_state::{Field, Layout, PackedState};
use super::permutation::Permutation;
use super::standing::{self, Motion};
use crate::any_b_thread::Body;
use crate::engine::{LiveThreads, Pick};
use crate::error::OutsideAlphabet;
use crate::event::Event;
use crate::name::Name;
use crate::program::Program;
use crate::run::Status;
use crate::snapshot::{Snapshot, ThreadStates};
use crate::state_space::{Explore, StateSpace, Watch};
use crate::strategy::{Choices, Possible, Priority, Strategy};
use crate::sync_point::SyncPoint;

/// The state space of a program over a finite alphabet. A state takes a few words.
///
/// Unlike an [`Automaton`](crate::Automaton), it does not store the states.
pub struct ClosedStateSpace<E: Event> {
    blueprint: Blueprint<E>,
    layout: Layout,
    /// The rules as tables, if the program is small.
    rules: Option<PackedRules>,
    /// For each event, the b-threads that may move at it, if all have lists of steps.
    concerned: Option<EventLists<PackedConcern>>,
    start: PackedState,
}

/// A b-thread that may move at an event.
#[derive(Clone, Copy)]
struct PackedConcern {
    field: Field,
    /// Where the steps of the b-thread begin for this event.
    steps: u32,
}

fn concerned<E: Event>(layout: &Layout, blueprint: &Blueprint<E>) -> EventLists<PackedConcern> {
    let packed = |concern: &Concern| PackedConcern {
        field: layout.fields[concern.thread as usize],
        steps: concern.steps,
    };
    let events = 0..blueprint.alphabet.width();
    let lists = events.map(|event| blueprint.concerned(event).iter().map(packed).collect());
    EventLists::new(lists.collect())
}

impl<E: Event> Program<E> {
    /// The state space of this program, over an alphabet: all events that there are.
    ///
    /// # Errors
    /// If a b-thread requests an event that is not in the alphabet.
    pub fn closed_space(
        &self,
        alphabet: impl IntoIterator<Item = E>,
    ) -> Result<ClosedStateSpace<E>, OutsideAlphabet<E>> {
        let blueprint = Blueprint::new(self, Alphabet::new(alphabet), u32::MAX)?;
        let layout = Layout::new(self);
        let start = LocalState::new(&blueprint, ThreadStates::at_start(self))?;
        let start = layout.pack(blueprint.threads(), |thread| start.local(&blueprint, thread));
        let rules = PackedRules::new(&blueprint, &layout);
        let concerned = blueprint.is_short().then(|| concerned(&layout, &blueprint));
        Ok(ClosedStateSpace { blueprint, layout, rules, concerned, start })
    }
}

impl<E: Event> ClosedStateSpace<E> {
    pub(super) fn alphabet(&self) -> &Alphabet<E> {
        &self.blueprint.alphabet
    }

    /// The sync points of a b-thread that follows a script.
    pub(super) fn letters_of(&self, thread: usize) -> &[Letters] {
        self.blueprint.script(thread)
    }

    /// Copies the local of a b-thread in one state to another b-thread in another state.
    pub(super) fn copy_local(
        &self,
        from: &PackedState,
        source: usize,
        to: &mut PackedState,
        target: usize,
    ) {
        self.layout.set(to, target, self.layout.get(from, source));
    }

    /// The b-threads in a state.
    fn local(&self, state: &PackedState) -> LocalState<E> {
        let locals = (0..self.blueprint.threads()).map(|thread| self.local_of(state, thread));
        LocalState::with_numbers(&self.blueprint, locals)
    }

    fn local_of(&self, state: &PackedState, thread: u32) -> u32 {
        self.layout.get(state, thread as usize)
    }

    /// The sync point of a b-thread in a state, unless it has ended. States of b-threads are looked up
    /// among those that were learned.
    fn point_at(
        &self,
        state: &PackedState,
        thread: usize,
        learned: Option<&Learned<E>>,
    ) -> Option<PointRef<'_, E>> {
        let local = self.layout.get(state, thread);
        match self.program().threads()[thread].body() {
            Body::Script { script, .. } => script.point(local).map(PointRef::Script),
            Body::Behaviour(_) => {
                let point = learned?.point(self.blueprint.ordinal(thread)?, local)?;
                Some(PointRef::State(Arc::clone(point)))
            }
        }
    }

    /// What finds successors in tables, if the program is small and the strategy plain.
    fn by_rules<S: Strategy<E>>(&self) -> Option<RulesExplorer<'_, E>> {
        let wanted = WantedEvents::of(S::POSSIBLE)?;
        let rules = self.rules.as_ref()?;
        Some(RulesExplorer::new(rules, &self.blueprint, &self.layout, wanted))
    }
}

impl<E: Event> StateSpace for ClosedStateSpace<E> {
    type Event = E;
    type State = PackedState;

    fn program(&self) -> &Program<E> {
        &self.blueprint.program
    }

    fn start(&self) -> PackedState {
        self.start.clone()
    }

    fn successors<S: Strategy<E>>(
        &self,
        state: &PackedState,
        strategy: &S,
        show: &mut dyn FnMut(&E, PackedState),
    ) -> Result<(), OutsideAlphabet<E>> {
        if let Some(mut explorer) = self.by_rules::<S>() {
            explorer.successors(state, show);
            return Ok(());
        }
        SpaceExplorer::new(self, state.clone()).successors(state, strategy, show)
    }

    fn explore<'a, S: Strategy<E> + Sync>(
        &'a self,
        strategy: &'a S,
    ) -> Explore<'a, E, PackedState> {
        if let Some(mut explorer) = self.by_rules::<S>() {
            return Box::new(move |state, show| {
                explorer.successors(state, show);
                Ok(())
            });
        }
        let mut explorer = SpaceExplorer::new(self, self.start.clone());
        Box::new(move |state, show| explorer.successors(state, strategy, show))
    }

    fn visit_some(
        &self,
        state: &PackedState,
        threads: &mut dyn Iterator<Item = usize>,
        show: &mut dyn FnMut(&Name, &SyncPoint<E>),
    ) {
        // States may get their numbers while `show` runs, so nothing is locked then.
        let points: Vec<_> = {
            let learned = self.blueprint.has_states().then(|| self.blueprint.learned());
            let point = |number| Some((number, self.point_at(state, number, learned.as_deref())?));
            threads.filter_map(point).collect()
        };
        for (number, point) in &points {
            show(self.program().threads()[*number].name(), point);
        }
    }

    fn watch<'a>(
        &'a self,
        threads: &'a [usize],
        test: fn(Option<&SyncPoint<E>>) -> bool,
    ) -> Watch<'a, E, PackedState> {
        if threads.is_empty() {
            return Box::new(|_, _| {});
        }
        let mut watch = SpaceWatch::new(self, threads, test);
        Box::new(move |state, show| watch.visit(state, show))
    }

    fn status(&self, state: &PackedState) -> Status {
        let learned = self.blueprint.learned();
        let mut status = Status::Finished;
        for thread in 0..self.blueprint.threads() {
            let local = self.local_of(state, thread);
            match standing::letters(&self.blueprint, Some(&learned), thread, local) {
                Some(letters) if letters.asks() => return Status::Stuck,
                Some(_) => status = Status::Waiting,
                None => {}
            }
        }
        status
    }

    fn representative(&self, state: PackedState, permutations: &[Permutation]) -> PackedState {
        let images = permutations.iter().map(|each| self.permuted(&state, each));
        images.min().map_or_else(|| state.clone(), |least| least.min(state.clone()))
    }

    fn snapshot(&self, state: &PackedState) -> Snapshot<E> {
        let thread_states = self.local(state).thread_states(&self.blueprint);
        Snapshot::new(self.program(), thread_states, Vec::new(), Priority)
    }
}

/// Goes from state to state. What is known about the last state is changed where the next one
/// differs from it, so the b-threads that stand still cost nothing.
struct SpaceExplorer<'a, E: Event> {
    space: &'a ClosedStateSpace<E>,
    at: PackedState,
    local: LocalState<E>,
    picks: Vec<Pick>,
}

impl<'a, E: Event> SpaceExplorer<'a, E> {
    fn new(space: &'a ClosedStateSpace<E>, at: PackedState) -> Self {
        let local = space.local(&at);
        Self { space, at, local, picks: Vec::new() }
    }

    fn go_to(&mut self, state: &PackedState) {
        let Self { space, at, local, .. } = self;
        space.layout.each_motion(at, state, |motion| local.relocate(&space.blueprint, motion));
        at.clone_from(state);
    }

    fn successors(
        &mut self,
        state: &PackedState,
        strategy: &impl Strategy<E>,
        show: &mut dyn FnMut(&E, PackedState),
    ) -> Result<(), OutsideAlphabet<E>> {
        self.go_to(state);
        let mut picks = std::mem::take(&mut self.picks);
        picks.clear();
        self.picks_of(strategy, &mut picks);
        let shown = picks.iter().try_for_each(|pick| {
            let next = self.after(pick.request)?;
            show(self.space.blueprint.alphabet.event(pick.request), next);
            Ok(())
        });
        self.picks = picks;
        shown
    }

    /// The requests that the strategy may choose.
    fn picks_of<S: Strategy<E>>(&self, strategy: &S, picks: &mut Vec<Pick>) {
        let blueprint = &self.space.blueprint;
        match S::POSSIBLE {
            Possible::First => picks.extend(self.local.first(blueprint)),
            Possible::All => self.local.add_picks(blueprint, picks),
            Possible::HighestPriority | Possible::Some => {
                if let Some(first) = self.local.first(blueprint) {
                    let candidates = strategy.possible(&Choices::new(self, first));
                    picks.extend(candidates.iter().map(crate::strategy::Candidate::pick));
                }
            }
        }
    }

    /// The state after an event.
    #[inline]
    fn after(&self, event: u32) -> Result<PackedState, OutsideAlphabet<E>> {
        let Self { space, at, local, .. } = self;
        let mut next = at.clone();
        let words = next.words_mut();
        match &space.concerned {
            Some(concerned) if !local.is_watching() => {
                for PackedConcern { field, steps } in concerned.of(event) {
                    let word = &mut words[field.word as usize];
                    let from = field.value(*word);
                    if let Some(to) = space.blueprint.step_at(steps + from).next() {
                        *word ^= u64::from(from ^ u32::from(to)) << field.shift;
                    }
                }
            }
            _ => local.each_motion(&space.blueprint, event, |Motion { thread, from, to }| {
                let field = space.layout.fields[thread as usize];
                words[field.word as usize] ^= u64::from(from ^ to) << field.shift;
            })?,
        }
        Ok(next)
    }
}

impl<E: Event> LiveThreads<E> for SpaceExplorer<'_, E> {
    fn visit(&self, show: &mut dyn FnMut(&Name, &SyncPoint<E>)) {
        self.local.visit(&self.space.blueprint, show);
    }

    fn picks(&self) -> Vec<Pick> {
        self.local.picks(&self.space.blueprint)
    }

    fn ranks(&self, picks: &[Pick]) -> Vec<Option<i32>> {
        self.local.ranks(&self.space.blueprint, picks)
    }

    fn requested(&self, pick: Pick) -> &E {
        self.space.blueprint.alphabet.event(pick.request)
    }

    fn name(&self, thread: u32) -> &Name {
        self.space.program().threads()[thread as usize].name()
    }
}

impl<E: Event> fmt::Debug for ClosedStateSpace<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClosedSpace")
            .field("program", self.program())
            .field("words", &self.layout.words)
            .finish_non_exhaustive()
    }
}
