//! Behavioral programming: b-threads as plain values, fast and explainable.
//!
//! A *b-thread* is one rule or one wish. It stops at *sync points*, where it
//! **requests** events, **waits for** events and **blocks** events. When an event
//! happens that it requests or waits for, it goes on to its next sync point. A
//! *program* is a list of b-threads that know nothing of each other. An event can
//! happen if a b-thread requests it, or the caller triggers it, and no b-thread
//! blocks it.
//!
//! ```
//! use bthread::{BThread, Program, TriggerError, block, request, wait_for};
//!
//! let program = Program::new([
//!     // A rule: the door opens only after the bell.
//!     BThread::new("BellFirst").then(wait_for("bell").block("open")),
//!     // A wish.
//!     BThread::new("Butler").then(["open", "welcome"].map(request)),
//!     // Another rule, in a family of its own.
//!     BThread::of("Quiet", "at night").then(wait_for("night")).then(block("bell")),
//! ])?;
//! let (mut run, opening) = program.start()?;
//! assert!(opening.events.is_empty(), "the butler must wait");
//!
//! let superstep = run.trigger("bell")?;
//! assert_eq!(superstep.events, ["bell", "open", "welcome"]);
//!
//! run.trigger("night")?;
//! let Err(TriggerError::Refused(refusal)) = run.trigger("bell") else { panic!("it is night") };
//! assert_eq!(refusal.to_string(), "bell is blocked by Quiet(at night) (bell)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The words
//!
//! - [`BThread`]: a script of [`SyncPoint`]s made with [`request`], [`wait_for`],
//!   [`block`] and [`interrupt`]. [`BThread::behaving`] makes a b-thread with a state
//!   instead ([`Behaviour`]). [`AnyBThread`] is either.
//! - [`Event`]: what can happen, your own type; [`plain_event`] makes one in a line.
//!   Sets of events are [`EventSet`]s.
//! - [`Program`]: b-threads in order of priority, shared by all of its runs.
//! - [`Run`]: a program that runs. A *superstep* is all that happens until no requested
//!   event can happen any more. [`Run::trigger`] returns the [`Superstep`] that an event
//!   begins, or a [`BlockedEvent`] that names the blockers; [`Run::enqueue`] lets a
//!   blocked event wait; [`Run::add`] adds b-threads.
//! - [`Strategy`]: which of several possible events happens. [`Priority`] is the default;
//!   [`Random`], [`SyncPointPriority`] and [`FreeEnvironment`] choose at random.
//! - [`Run::explain`] and [`Explanations`]: which b-threads want and block an event, and
//!   which requests lost. [`Observer`]s watch a run; [`Feedback`] reacts to it.
//! - [`Snapshot`]: the state of a run as a value; the feature `serde` serializes it.
//! - [`StateSpace`]: all states of a program, for a checker.
//!
//! # Two ways to run
//!
//! An *open* run ([`Program::start`], [`OpenEngine`]) takes any events. Sync points are
//! indexed by event and by kind, so the cost of an event depends on the b-threads that
//! react to it. A *closed* run ([`Program::close`], [`ClosedEngine`]) knows all events
//! beforehand. Each b-thread of its program becomes an automaton of its own, and an event
//! looks only at the b-threads that it can concern. As long as the states of all b-threads
//! together fit into a table, a step is a look-up in it (see [`Automaton`]). An
//! [`AutomatonState`] is such a run as a value: 16 bytes in the table, about one byte for
//! every b-thread outside. All ways follow the same rules and produce the same traces,
//! snapshots and explanations.
//!
//! # What it costs
//!
//! Medians of `cargo bench -p bthread` on one core of a machine with two:
//!
//! | what | open | closed |
//! |---|---|---|
//! | hot and cold water, 3 b-threads | 12.5 M events/s | 146 M events/s |
//! | a full game of tic-tac-toe, 45 b-threads, fresh run | 0.28 M games/s | 3.7 M games/s |
//! | an event beside 10 / 10,000 / 1,000,000 uninvolved b-threads | 52 / 53 / 55 ns | |
//! | the state of a run of tic-tac-toe, without the shared program | 4.5 KiB | 16 bytes |
//! | a snapshot of it | 77 bytes | 77 bytes |
//!
//! The length of a superstep costs no memory: ten million events streamed to an observer
//! take no more than ten.

mod any_b_thread;
mod b_thread;
mod behaviour;
mod closed;
mod engine;
mod error;
mod event;
mod event_queue;
mod event_set;
mod explanation;
mod feedback;
mod generator;
mod name;
mod observer;
mod open;
#[cfg(feature = "serde")]
mod persistence;
mod priority_set;
mod program;
mod request_ranking;
mod run;
mod script;
mod snapshot;
#[doc(hidden)]
pub mod sorting;
mod state_space;
mod strategy;
mod sync_point;

pub use any_b_thread::AnyBThread;
pub use b_thread::BThread;
pub use behaviour::Behaviour;
pub use closed::{
    Automaton, AutomatonState, ClosedEngine, ClosedLimits, ClosedStateSpace, FollowedSuperstep,
    NotSymmetric, PackedState, Permutation, UnblockedWords,
};
pub use engine::{Engine, Handled};
pub use error::{
    AddError, BlockedEvent, EnqueueError, OutsideAlphabet, ProgramError, RestoreError,
    SuperstepError, TriggerError,
};
pub use event::Event;
pub use event_set::EventSet;
pub use explanation::{
    Cause, EventExplanation, Interest, LossReason, LostRequest, StepExplanation,
};
pub use feedback::{EndlessFeedback, Feedback, Reactions, Triggers};
pub use generator::Generator;
pub use name::Name;
pub use observer::{Explanations, Observer, Step, Unobserved};
pub use open::OpenEngine;
pub use program::Program;
pub use run::{ClosedRun, Limits, OpenRun, Run, Status, Superstep, SuperstepSummary};
pub use snapshot::Snapshot;
pub use state_space::{Explore, OpenStateSpace, StateSpace, Watch};
pub use strategy::{
    Candidate, Choices, FreeEnvironment, Possible, Priority, Random, Scope, Strategy,
    SyncPointPriority,
};
pub use sync_point::{SyncPoint, block, interrupt, request, request_any, violation, wait_for};

/// The README, so that the b-program in it is run by the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
