//! All that a program can come to, one step at a time.

use std::fmt::Debug;
use std::hash::Hash;

use crate::closed::Permutation;
use crate::error::OutsideAlphabet;
use crate::event::Event;
use crate::machine::Engine;
use crate::name::Name;
use crate::open::Open;
use crate::program::Program;
use crate::run::Status;
use crate::snapshot::{Snapshot, Standing};
use crate::strategy::{Candidate, Look, Priority, Strategy};
use crate::sync_point::SyncPoint;

/// The states of a program and the steps between them, for whoever wants to see
/// all of them: a checker, a drawing.
///
/// A state lies between two events, also in the middle of a superstep. States
/// belong to the space that gave them out; another one may panic or make no
/// sense of them.
pub trait Space: Sync {
    /// What can happen.
    type Event: Event;

    /// How far all b-threads have come.
    type State: Clone + Eq + Hash + Debug + Send + Sync;

    /// The program whose states these are.
    fn program(&self) -> &Program<Self::Event>;

    /// The state before the first event.
    fn start(&self) -> Self::State;

    /// Shows each event that the strategy may choose in a state, in order, and
    /// the state that it leads to.
    ///
    /// # Errors
    /// If a b-thread comes to request an event outside of the alphabet.
    fn successors(
        &self,
        state: &Self::State,
        strategy: &impl Strategy<Self::Event>,
        show: &mut dyn FnMut(&Self::Event, Self::State),
    ) -> Result<(), OutsideAlphabet<Self::Event>>;

    /// Shows each b-thread that has not ended in a state and where it stands,
    /// highest priority first.
    fn visit(&self, state: &Self::State, show: &mut dyn FnMut(&Name, &SyncPoint<Self::Event>)) {
        self.visit_some(state, &mut (0..self.program().threads().len()), show);
    }

    /// As [`Space::visit`], but only the b-threads with these numbers in the program.
    fn visit_some(
        &self,
        state: &Self::State,
        threads: &mut dyn Iterator<Item = usize>,
        show: &mut dyn FnMut(&Name, &SyncPoint<Self::Event>),
    );

    /// Why nothing can happen in a state, given that nothing can.
    fn status(&self, state: &Self::State) -> Status;

    /// One of the states that this one becomes under permutations, always the same for all of them.
    fn representative(&self, state: Self::State, _permutations: &[Permutation]) -> Self::State {
        state
    }

    /// The state as a snapshot, the same for all spaces of a program; runs take
    /// it if nothing can happen in it.
    fn snapshot(&self, state: &Self::State) -> Snapshot<Self::Event>;
}

/// The states of a program over any events; a state is a snapshot.
#[derive(Clone, Debug)]
pub struct OpenSpace<E: Event> {
    program: Program<E>,
}

impl<E: Event> Program<E> {
    /// The states of this program, over any events.
    pub fn space(&self) -> OpenSpace<E> {
        OpenSpace { program: self.clone() }
    }
}

impl<E: Event> OpenSpace<E> {
    fn open(&self, state: &Snapshot<E>) -> Open<E> {
        let standing = state.standing(&self.program).expect("states are of this program");
        Open::standing_at(&self.program, standing)
    }

    fn state(&self, standing: Standing<E>) -> Snapshot<E> {
        Snapshot::new(self.program.fingerprint(), standing, Vec::new(), Priority)
    }
}

impl<E: Event> Space for OpenSpace<E> {
    type Event = E;
    type State = Snapshot<E>;

    fn program(&self) -> &Program<E> {
        &self.program
    }

    fn start(&self) -> Snapshot<E> {
        self.state(Standing::at_start(&self.program))
    }

    fn successors(
        &self,
        state: &Snapshot<E>,
        strategy: &impl Strategy<E>,
        show: &mut dyn FnMut(&E, Snapshot<E>),
    ) -> Result<(), OutsideAlphabet<E>> {
        let mut open = self.open(state);
        let Some(choices) = open.choices(Look::AtTheFirst) else { return Ok(()) };
        let picks: Vec<_> = strategy.possible(&choices).iter().map(Candidate::pick).collect();
        for pick in picks {
            let token = open.picked(pick);
            let mut next = open.clone();
            next.advance(&token)?;
            show(open.event(&token), self.state(next.standing()));
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
