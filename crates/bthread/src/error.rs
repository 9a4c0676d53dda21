//! What can be refused, and why.

use std::fmt;

use crate::event::Event;
use crate::explanation::{Interest, Listed};
use crate::name::Name;

/// Why b-threads do not make a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProgramError {
    /// Two b-threads have the same name.
    #[error("Two b-threads are called {0}; give each a name of its own")]
    DuplicateName(Name),
    /// A b-thread has no name.
    #[error("A b-thread has no name; give each a name of its own")]
    Nameless,
    /// A script has more positions than can be counted.
    #[error("The script of {0} is too long; repeat it fewer times")]
    ScriptTooLong(Name),
    /// Sync points were added to a b-thread that has a state instead of a script.
    #[error("{0} has a state, so no sync points can be added to it")]
    Mixed(Name),
}

/// The event is not one that the closed program knows. Nothing changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutsideAlphabet<E: Event> {
    /// The unknown event.
    pub event: E,
    /// The b-thread that requests it, unless the world does.
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
    /// It did not end within the step budget.
    #[error("The superstep was undone: after {budget} events, {next} was next and no end in sight")]
    Endless {
        /// How many steps were allowed.
        budget: u64,
        /// What would have happened next.
        next: E,
    },
    /// A b-thread came to request an event that the closed program does not know.
    #[error(transparent)]
    OutsideAlphabet(#[from] OutsideAlphabet<E>),
}

/// The event is blocked. Nothing changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal<E: Event> {
    /// What was offered.
    pub event: E,
    /// Who blocks it, and with which set; highest priority first.
    pub blockers: Vec<Interest<E>>,
}

impl<E: Event> fmt::Display for Refusal<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is blocked by {}", self.event, Listed(&self.blockers))
    }
}

impl<E: Event> std::error::Error for Refusal<E> {}

/// Why a triggered event did not happen. The run is as it was before.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TriggerError<E: Event> {
    /// Some b-thread blocks it.
    #[error(transparent)]
    Refused(#[from] Refusal<E>),
    /// What followed from it was undone.
    #[error(transparent)]
    Superstep(#[from] SuperstepError<E>),
}

/// Why an event was not put into the queue. The run is as it was before.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EnqueueError<E: Event> {
    /// As many events as the run may keep are waiting already.
    #[error("{event} cannot be kept: there is room for {limit} waiting events only")]
    QueueFull {
        /// What was offered.
        event: E,
        /// How many events the run keeps at most.
        limit: u32,
    },
    /// What followed from it was undone.
    #[error(transparent)]
    Superstep(#[from] SuperstepError<E>),
}

/// Why a b-thread was not added. The run is as it was before.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AddError<E: Event> {
    /// It cannot be part of this program.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// What followed from adding it was undone.
    #[error(transparent)]
    Superstep(#[from] SuperstepError<E>),
}

/// Why a snapshot was not restored. The run is as it was before.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RestoreError<E: Event> {
    /// It was taken of a program with other b-threads.
    #[error("The snapshot was taken of another program")]
    AnotherProgram,
    /// More events wait in it than the run may keep.
    #[error("More events wait in the snapshot than the {limit} that the run may keep")]
    QueueTooLong {
        /// How many events the run keeps at most.
        limit: u32,
    },
    /// It was taken in the middle of a superstep, where no run ever rests.
    #[error("The snapshot was taken in the middle of a superstep")]
    NotQuiet,
    /// A b-thread in it requests an event that the closed program does not know.
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
