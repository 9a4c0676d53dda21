//! What can go wrong.

use std::fmt;

use crate::event::Event;
use crate::explanation::{CommaSeparated, Interest};
use crate::name::Name;

/// Why b-threads do not form a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProgramError {
    /// Two b-threads have the same name.
    #[error("Two b-threads are called {0}; give each a name of its own")]
    DuplicateName(Name),
    /// A b-thread has no name.
    #[error("A b-thread has no name; give each a name of its own")]
    Nameless,
    /// A script has more than 2^32 - 1 positions.
    #[error("The script of {0} is too long; repeat it fewer times")]
    ScriptTooLong(Name),
}

/// The event is not in the alphabet of the closed program. Nothing changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutsideAlphabet<E: Event> {
    /// The event.
    pub event: E,
    /// The b-thread that requests it, unless it was triggered.
    pub requested_by: Option<Name>,
}

impl<E: Event> fmt::Display for OutsideAlphabet<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not in the alphabet of the closed program", self.event)?;
        match &self.requested_by {
            Some(thread) => write!(f, ", but {thread} requests it"),
            None => Ok(()),
        }
    }
}

impl<E: Event> std::error::Error for OutsideAlphabet<E> {}

/// Why a superstep was undone. The run is as it was before.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SuperstepError<E: Event> {
    /// It did not end within the limit.
    #[error("The superstep was undone: it did not end after {budget} events ({next} was next)")]
    Endless {
        /// The limit.
        budget: u64,
        /// The event that would have happened next.
        next: E,
    },
    /// A b-thread requested an event outside of the alphabet.
    #[error(transparent)]
    OutsideAlphabet(#[from] OutsideAlphabet<E>),
    /// A b-thread found a violation, and the caller does not go on after one.
    #[error("The superstep was undone: {thread} has failed ({sentence})")]
    Violated {
        /// The b-thread.
        thread: Name,
        /// What it found.
        sentence: String,
    },
}

/// The event is blocked. Nothing changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockedEvent<E: Event> {
    /// The event.
    pub event: E,
    /// The b-threads and sets that block it, highest priority first.
    pub blockers: Vec<Interest<E>>,
}

impl<E: Event> fmt::Display for BlockedEvent<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is blocked by {}", self.event, CommaSeparated(&self.blockers))
    }
}

impl<E: Event> std::error::Error for BlockedEvent<E> {}

/// Why a triggered event did not happen. The run is as it was before.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TriggerError<E: Event> {
    /// Some b-thread blocks it.
    #[error(transparent)]
    Refused(#[from] BlockedEvent<E>),
    /// Its superstep was undone.
    #[error(transparent)]
    Superstep(#[from] SuperstepError<E>),
}

/// Why an event was not put into the queue. The run is as it was before.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EnqueueError<E: Event> {
    /// The queue is full.
    #[error("{event} was not queued: the queue has room for {limit} events only")]
    QueueFull {
        /// The event.
        event: E,
        /// The maximum length of the queue.
        limit: u32,
    },
    /// Its superstep was undone.
    #[error(transparent)]
    Superstep(#[from] SuperstepError<E>),
}

/// Why a b-thread was not added. The run is as it was before.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AddError<E: Event> {
    /// It does not fit into the program.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The superstep after it was undone.
    #[error(transparent)]
    Superstep(#[from] SuperstepError<E>),
}

/// Why a snapshot was not restored. The run is as it was before.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RestoreError<E: Event> {
    /// It is of a program with other b-threads.
    #[error("The snapshot was taken of another program")]
    AnotherProgram,
    /// Its queue is longer than the run allows.
    #[error("The queue of the snapshot is longer than the {limit} events that the run allows")]
    QueueTooLong {
        /// The maximum length of the queue.
        limit: u32,
    },
    /// It is of a state in the middle of a superstep, where no run stops.
    #[error("The snapshot was taken in the middle of a superstep")]
    NotQuiet,
    /// A b-thread in it requests an event outside of the alphabet.
    #[error(transparent)]
    OutsideAlphabet(#[from] OutsideAlphabet<E>),
}

impl<E: Event> From<OutsideAlphabet<E>> for TriggerError<E> {
    fn from(error: OutsideAlphabet<E>) -> Self {
        Self::Superstep(error.into())
    }
}

impl<E: Event> From<OutsideAlphabet<E>> for EnqueueError<E> {
    fn from(error: OutsideAlphabet<E>) -> Self {
        Self::Superstep(error.into())
    }
}
