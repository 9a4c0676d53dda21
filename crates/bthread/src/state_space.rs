//! The states of a program, one step at a time.

use std::fmt::Debug;
use std::hash::Hash;

use crate::closed::Permutation;
use crate::engine::EngineInternals;
use crate::error::OutsideAlphabet;
use crate::event::Event;
use crate::name::Name;
use crate::open::OpenEngine;
use crate::program::Program;
use crate::run::Status;
use crate::snapshot::{Snapshot, ThreadStates};
use crate::strategy::{Candidate, Priority, Scope, Strategy};
use crate::sync_point::SyncPoint;

/// Calls `show` with the successors of a state, and may remember what it has seen (see
/// [`StateSpace::explore`]).
pub type Explore<'a, E, S> =
    Box<dyn FnMut(&S, &mut dyn FnMut(&E, S)) -> Result<(), OutsideAlphabet<E>> + Send + 'a>;

/// Calls `show` with the b-threads for which a test holds in a state, and may remember what it has
/// seen (see [`StateSpace::watch`]).
pub type Watch<'a, E, S> =
    Box<dyn FnMut(&S, &mut dyn FnMut(&Name, Option<&SyncPoint<E>>)) + Send + 'a>;

/// The states of a program and the steps between them, for a checker or a drawing.
///
/// A state lies between two events, also in the middle of a superstep. A state
/// belongs to the state space that returned it; another one may misread it or panic.
pub trait StateSpace: Sync {
    /// The events.
    type Event: Event;

    /// A state: how far all b-threads have come.
    type State: Clone + Eq + Hash + Debug + Send + Sync;

    /// The program.
    fn program(&self) -> &Program<Self::Event>;

    /// The state before the first event.
    fn start(&self) -> Self::State;

    /// Calls `show` with each event that the strategy may choose in a state, in
    /// order, and the next state.
    ///
    /// # Errors
    /// If a b-thread then requests an event outside of the alphabet.
    fn successors<S: Strategy<Self::Event>>(
        &self,
        state: &Self::State,
        strategy: &S,
        show: &mut dyn FnMut(&Self::Event, Self::State),
    ) -> Result<(), OutsideAlphabet<Self::Event>>;

    /// A function that does what [`StateSpace::successors`] does. It is faster if the states that
    /// follow each other are similar.
    fn explore<'a, S: Strategy<Self::Event> + Sync>(
        &'a self,
        strategy: &'a S,
    ) -> Explore<'a, Self::Event, Self::State> {
        Box::new(move |state, show| self.successors(state, strategy, show))
    }

    /// Calls `show` with each b-thread that has not ended in a state and its sync
    /// point, highest priority first.
    fn visit(&self, state: &Self::State, show: &mut dyn FnMut(&Name, &SyncPoint<Self::Event>)) {
        self.visit_some(state, &mut (0..self.program().threads().len()), show);
    }

    /// As [`StateSpace::visit`], for the b-threads with these numbers in the program only.
    fn visit_some(
        &self,
        state: &Self::State,
        threads: &mut dyn Iterator<Item = usize>,
        show: &mut dyn FnMut(&Name, &SyncPoint<Self::Event>),
    );

    /// A function that calls `show` with those of some b-threads, by their numbers in the program, for
    /// whose sync points in a state a test holds, highest priority first. A b-thread that has ended has
    /// none. It is faster if the states that follow each other are similar.
    fn watch<'a>(
        &'a self,
        threads: &'a [usize],
        test: fn(Option<&SyncPoint<Self::Event>>) -> bool,
    ) -> Watch<'a, Self::Event, Self::State> {
        Box::new(move |state, show| {
            let all = self.program().threads();
            let mut names = threads.iter().map(|number| all[*number].name());
            self.visit_some(state, &mut threads.iter().copied(), &mut |name, point| {
                let ended = names.by_ref().take_while(|other| *other != name);
                ended.filter(|_| test(None)).for_each(|name| show(name, None));
                if test(Some(point)) {
                    show(name, Some(point));
                }
            });
            names.filter(|_| test(None)).for_each(|name| show(name, None));
        })
    }

    /// The status of a state in which no event can happen.
    fn status(&self, state: &Self::State) -> Status;

    /// The representative of this state and of all its images under the permutations.
    fn representative(&self, state: Self::State, _permutations: &[Permutation]) -> Self::State {
        state
    }

    /// The state as a snapshot, which is the same in all state spaces of a program. A
    /// run can restore it if no event can happen in it.
    fn snapshot(&self, state: &Self::State) -> Snapshot<Self::Event>;
}

/// The state space of a program over any events. A state is a snapshot.
#[derive(Clone, Debug)]
pub struct OpenStateSpace<E: Event> {
    program: Program<E>,
}

impl<E: Event> Program<E> {
    /// The state space of this program, over any events.
    pub fn space(&self) -> OpenStateSpace<E> {
        OpenStateSpace { program: self.clone() }
    }
}

impl<E: Event> OpenStateSpace<E> {
    fn open(&self, state: &Snapshot<E>) -> OpenEngine<E> {
        let thread_states = state.thread_states(&self.program).expect("states are of this program");
        OpenEngine::standing_at(&self.program, thread_states)
    }

    fn state(&self, thread_states: ThreadStates<E>) -> Snapshot<E> {
        Snapshot::new(&self.program, thread_states, Vec::new(), Priority)
    }
}

impl<E: Event> StateSpace for OpenStateSpace<E> {
    type Event = E;
    type State = Snapshot<E>;

    fn program(&self) -> &Program<E> {
        &self.program
    }

    fn start(&self) -> Snapshot<E> {
        self.state(ThreadStates::at_start(&self.program))
    }

    fn successors<S: Strategy<E>>(
        &self,
        state: &Snapshot<E>,
        strategy: &S,
        show: &mut dyn FnMut(&E, Snapshot<E>),
    ) -> Result<(), OutsideAlphabet<E>> {
        let mut open = self.open(state);
        let Some(choices) = open.choices(Scope::First) else { return Ok(()) };
        let picks: Vec<_> = strategy.possible(&choices).iter().map(Candidate::pick).collect();
        for pick in picks {
            let token = open.requested_token(pick);
            let mut next = open.clone();
            next.advance(&token)?;
            show(open.event(&token), self.state(next.thread_states()));
        }
        Ok(())
    }

    fn visit_some(
        &self,
        state: &Snapshot<E>,
        threads: &mut dyn Iterator<Item = usize>,
        show: &mut dyn FnMut(&Name, &SyncPoint<E>),
    ) {
        let open = self.open(state);
        for number in threads {
            open.visit_one(number, show);
        }
    }

    fn status(&self, state: &Snapshot<E>) -> Status {
        self.open(state).status()
    }

    fn snapshot(&self, state: &Snapshot<E>) -> Snapshot<E> {
        state.clone()
    }
}
