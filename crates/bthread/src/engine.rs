//! What the two ways to run a program have in common.
//!
//! [`Run`](crate::Run) implements the rules of a superstep once. An engine knows
//! which requested events are not blocked, and moves the b-threads.

use crate::any_b_thread::AnyBThread;
use crate::error::{AddError, OutsideAlphabet};
use crate::event::Event;
use crate::explanation::Interest;
use crate::name::Name;
use crate::program::Program;
use crate::run::Status;
use crate::snapshot::ThreadStates;
use crate::strategy::{Choices, Scope};
use crate::sync_point::SyncPoint;

/// One of the two ways to run a program: [`OpenEngine`](crate::OpenEngine) or
/// [`ClosedEngine`](crate::ClosedEngine).
pub trait Engine: EngineInternals {}

impl<T: EngineInternals> Engine for T {}

/// The methods of an engine. Only [`Run`](crate::Run) calls them, because their order matters.
pub trait EngineInternals: Clone + LiveThreads<Self::Event> + Sized {
    /// What can happen.
    type Event: Event;

    /// The engine's own form of an event.
    type Token: Clone;

    /// The program that runs.
    fn program(&self) -> &Program<Self::Event>;

    /// All events, if the engine is closed.
    fn alphabet(&self) -> &[Self::Event] {
        &[]
    }

    /// The token of an event.
    ///
    /// # Errors
    /// If the engine is closed and the event is not in its alphabet.
    fn token(&self, event: Self::Event) -> Result<Self::Token, OutsideAlphabet<Self::Event>>;

    /// The token of a requested event.
    fn requested_token(&self, pick: Pick) -> Self::Token;

    /// The event of a token.
    fn event<'a>(&'a self, token: &'a Self::Token) -> &'a Self::Event;

    /// Whether some b-thread blocks the event.
    fn is_blocked(&self, token: &Self::Token) -> bool;

    /// The b-threads and sets that block the event, highest priority first.
    fn blockers(&self, token: &Self::Token) -> Vec<Interest<Self::Event>>;

    /// The requested events that can happen, or `None` if there are none.
    fn choices(&mut self, scope: Scope) -> Option<Choices<'_, Self::Event>>;

    /// Moves the b-threads because an event happens.
    ///
    /// # Errors
    /// If the engine is closed and a b-thread then requests an event outside of its alphabet.
    fn advance(&mut self, token: &Self::Token) -> Result<Handled, OutsideAlphabet<Self::Event>>;

    /// Moves the b-threads because a requested event happens.
    ///
    /// # Errors
    /// As [`EngineInternals::advance`].
    fn advance_picked(&mut self, pick: Pick) -> Result<Handled, OutsideAlphabet<Self::Event>>;

    /// The status, provided that no requested event can happen.
    fn status(&self) -> Status;

    /// A number that changes whenever an event that was blocked may no longer be blocked.
    fn lifted_blocks(&self) -> u64;

    /// Begins a superstep, which [`EngineInternals::commit`] or [`EngineInternals::undo`] ends.
    fn begin(&mut self);

    /// Keeps everything that happened since [`EngineInternals::begin`].
    fn commit(&mut self);

    /// Goes back to the state at [`EngineInternals::begin`].
    fn undo(&mut self);

    /// Adds a b-thread of lowest priority; [`EngineInternals::undo`] removes it again.
    ///
    /// # Errors
    /// If the name is taken, or the b-thread cannot run.
    fn add(&mut self, thread: AnyBThread<Self::Event>) -> Result<(), AddError<Self::Event>>;

    /// How far every b-thread has come.
    fn thread_states(&self) -> ThreadStates<Self::Event>;

    /// An engine for the same program whose b-threads have come this far.
    ///
    /// # Errors
    /// If the engine is closed and a b-thread then requests an event outside of its alphabet.
    fn with_thread_states(
        &self,
        thread_states: ThreadStates<Self::Event>,
    ) -> Result<Self, OutsideAlphabet<Self::Event>>;
}

/// Read access to the b-threads that have not ended.
pub trait LiveThreads<E: Event> {
    /// Calls `show` with each b-thread that has not ended and its sync point,
    /// highest priority first.
    fn visit(&self, show: &mut dyn FnMut(&Name, &SyncPoint<E>));

    /// The requests that can happen, one for each event, highest priority first.
    fn picks(&self) -> Vec<Pick>;

    /// For each of these events, the highest priority of a sync point that requests it, if any
    /// has one.
    fn ranks(&self, picks: &[Pick]) -> Vec<Option<i32>>;

    /// The number of requests that can happen at the highest priority of a sync point, if the engine
    /// knows it without a list of all (see [`Scope::HighestPriority`]).
    fn count_highest(&self) -> Option<u64> {
        None
    }

    /// One of these requests, by its rank among them.
    fn highest(&self, _rank: u64) -> Option<Pick> {
        None
    }

    /// The event of a request.
    fn requested(&self, pick: Pick) -> &E;

    /// The name of a b-thread.
    fn name(&self, thread: u32) -> &Name;
}

/// One request: the number of its b-thread, and the number of the request there
/// (in a closed engine, the number of the event).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pick {
    pub(crate) thread: u32,
    pub(crate) request: u32,
}

/// Whether any b-thread reacted to an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handled {
    /// At least one b-thread went on or ended.
    Yes,
    /// No b-thread requested it, waited for it or was interrupted by it.
    No,
}
