//! Behavioral programming: b-threads as plain values, fast and explainable.

mod behaviour;
mod closed;
mod error;
mod event;
mod event_set;
mod explanation;
mod feedback;
mod generator;
mod machine;
mod name;
mod observer;
mod open;
#[cfg(feature = "serde")]
mod persistence;
mod program;
mod run;
mod script;
mod snapshot;
mod strategy;
mod sync_point;
mod thread;

pub use behaviour::Behaviour;
pub use closed::{Automaton, Closed, Instance};
pub use error::{
    AddError, EnqueueError, OutsideAlphabet, ProgramError, Refusal, RestoreError, SuperstepError,
    TriggerError,
};
pub use event::Event;
pub use event_set::EventSet;
pub use explanation::{Cause, EventExplanation, Interest, Lost, Rival, StepExplanation};
pub use feedback::{EndlessFeedback, Feedback, Reactions, Triggers};
pub use generator::Generator;
pub use machine::{Heard, Machine};
pub use name::Name;
pub use observer::{Observer, Step, Unobserved};
pub use open::Open;
pub use program::Program;
pub use run::{ClosedRun, Happened, Limits, OpenRun, Run, Status, Superstep};
pub use snapshot::Snapshot;
pub use strategy::{Candidate, Choices, Priority, Random, Strategy};
pub use sync_point::{SyncPoint, block, interrupt, request, request_any, wait_for};
pub use thread::BThread;
