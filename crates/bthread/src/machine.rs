//! What the two ways to run have in common.
//!
//! The rules of a superstep are written once, in [`Run`](crate::Run); a machine
//! knows which events are requested and not blocked, and lets the b-threads go on.

use crate::error::{AddError, OutsideAlphabet};
use crate::event::Event;
use crate::explanation::Interest;
use crate::name::Name;
use crate::program::Program;
use crate::run::Status;
use crate::snapshot::Standing;
use crate::strategy::{Choices, Look};
use crate::sync_point::SyncPoint;
use crate::thread::BThread;

/// One of the two ways to run a program: [`Open`](crate::Open) or [`Closed`](crate::Closed).
pub trait Machine: Engine {}

impl<M: Engine> Machine for M {}

/// What a machine does, for [`Run`](crate::Run) alone: out of order it would break its promises.
pub trait Engine: Clone + Live<Self::Event> + Sized {
    /// What can happen.
    type Event: Event;

    /// An event as the machine knows it.
    type Token: Clone;

    /// The program that runs.
    fn program(&self) -> &Program<Self::Event>;

    /// The event as this machine knows it.
    ///
    /// # Errors
    /// If the machine is closed and does not know it.
    fn token(&self, event: Self::Event) -> Result<Self::Token, OutsideAlphabet<Self::Event>>;

    /// The requested event as this machine knows it.
    fn picked(&self, pick: Pick) -> Self::Token;

    /// The event that a token stands for.
    fn event<'a>(&'a self, token: &'a Self::Token) -> &'a Self::Event;

    /// Whether some b-thread blocks the event.
    fn is_blocked(&self, token: &Self::Token) -> bool;

    /// Who blocks the event, with which set, highest priority first.
    fn blockers(&self, token: &Self::Token) -> Vec<Interest<Self::Event>>;

    /// The requested events that can happen, or `None` if there is none.
    fn choices(&mut self, look: Look) -> Option<Choices<'_, Self::Event>>;

    /// Lets an event happen, and says whether it concerned any b-thread.
    ///
    /// # Errors
    /// If a b-thread comes to request an event that a closed machine does not know.
    fn advance(&mut self, token: &Self::Token) -> Result<Heard, OutsideAlphabet<Self::Event>>;

    /// Lets a requested event happen.
    ///
    /// # Errors
    /// As [`Engine::advance`].
    fn advance_picked(&mut self, pick: Pick) -> Result<Heard, OutsideAlphabet<Self::Event>>;

    /// How things stand, given that no requested event can happen.
    fn status(&self) -> Status;

    /// Remembers how things stand, for [`Engine::undo`].
    fn begin(&mut self);

    /// Keeps what happened since [`Engine::begin`].
    fn commit(&mut self);

    /// Goes back to how things stood at [`Engine::begin`].
    fn undo(&mut self);

    /// Adds a b-thread of lowest priority; also undone by [`Engine::undo`].
    ///
    /// # Errors
    /// If there is one of that name, or it cannot run.
    fn add(&mut self, thread: BThread<Self::Event>) -> Result<(), AddError<Self::Event>>;

    /// How far every b-thread has come.
    fn standing(&self) -> Standing<Self::Event>;

    /// The same machine with every b-thread as far as it is said to have come.
    ///
    /// # Errors
    /// If a b-thread then requests an event that a closed machine does not know.
    fn stand(&self, standing: Standing<Self::Event>) -> Result<Self, OutsideAlphabet<Self::Event>>;
}

/// The b-threads that have not ended, for whoever wants to look.
pub trait Live<E: Event> {
    /// Shows each b-thread that has not ended and where it stands, highest priority first.
    fn visit(&self, show: &mut dyn FnMut(&Name, &SyncPoint<E>));

    /// The requests that can happen, once for each event, highest priority first.
    fn picks(&self) -> Vec<Pick>;

    /// The highest priority with which each of these events is requested, if any was given.
    fn ranks(&self, picks: &[Pick]) -> Vec<Option<i32>> {
        let mut ranks = vec![None; picks.len()];
        self.visit(&mut |_, point| {
            for (rank, pick) in ranks.iter_mut().zip(picks) {
                if point.requests().contains(self.requested(*pick)) {
                    *rank = point.priority().max(*rank);
                }
            }
        });
        ranks
    }

    /// The event of a request.
    fn requested(&self, pick: Pick) -> &E;

    /// The name of a b-thread.
    fn name(&self, thread: u32) -> &Name;
}

/// One request: of which b-thread, and which of its requests or events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pick {
    pub(crate) thread: u32,
    pub(crate) request: u32,
}

/// Whether an event concerned any b-thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// At least one b-thread went on or ended.
    Yes,
    /// Nobody requested it, waited for it or was interrupted by it.
    No,
}
