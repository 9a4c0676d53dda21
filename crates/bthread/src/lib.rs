//! Behavioral programming: b-threads as plain values, fast and explainable.
//!
//! A *b-thread* is one rule or one wish. It stands at a *sync point*, where it
//! **requests** events, **waits for** events and **blocks** events; when an event
//! happens that it requested or waited for, it goes on to its next sync point.
//! A *program* is a list of b-threads that know nothing of each other: an event
//! can happen if somebody requests it (or the world triggers it) and nobody
//! blocks it.
//!
//! ```
//! use bthread::{BThread, Program, TriggerError, block, request, wait_for};
//!
//! let program = Program::new([
//!     // A rule: the door opens only after the bell.
//!     BThread::new("BellFirst").then(wait_for("bell").block("open")),
//!     // A wish.
//!     BThread::new("Butler").then(request("open")).then(request("welcome")),
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
//! # What is here
//!
//! - [`BThread`]: a script of [`SyncPoint`]s made with [`request`], [`wait_for`],
//!   [`block`] and [`interrupt`], or a [`Behaviour`] with a state of its own.
//!   Events are your own type ([`Event`]); sets of them are [`EventSet`]s.
//! - [`Program`]: b-threads in order of priority, shared by all of its runs.
//! - [`Run`]: a program in motion. [`Run::trigger`] offers an event and returns the
//!   superstep that follows or a [`Refusal`] that names the blockers;
//!   [`Run::enqueue`] keeps a blocked event; [`Run::add`] adds b-threads.
//! - [`Strategy`]: which of several possible events happens; [`Priority`],
//!   [`Random`], or your own.
//! - [`Run::explain`] and [`Explained`]: who wants, waits, blocks, and to whom a
//!   request lost. [`Observer`]s watch a run; [`Feedback`] reacts to it.
//! - [`Snapshot`]: how far a run has come, as a value; with the feature `serde` it
//!   can be written down.
//!
//! # Two ways to run
//!
//! An *open* run ([`Program::start`]) takes any events. Sync points are indexed by
//! event and by kind, so what an event costs depends on the b-threads that it
//! concerns. A *closed* run ([`Program::close`]) declares all events beforehand;
//! the program becomes an [`Automaton`], built state by state when a run first
//! comes there and shared by all runs and cores, and a step is a look-up. Both
//! follow the same rules and give the same traces, snapshots and explanations.
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
//! | an instance of tic-tac-toe beside the shared program | 4.5 KiB | 16 bytes |
//! | a snapshot of it | 77 bytes | 77 bytes |
//!
//! A superstep may be of any length: ten million events streamed to an observer
//! take no more memory than ten.

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
mod space;
mod strategy;
mod sync_point;
mod thread;

pub use behaviour::Behaviour;
pub use closed::{Automaton, Closed, ClosedSpace, Instance, NotSymmetric, Packed, Permutation};
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
pub use observer::{Explained, Observer, Step, Unobserved};
pub use open::Open;
pub use program::Program;
pub use run::{ClosedRun, Happened, Limits, OpenRun, Run, Status, Superstep};
pub use snapshot::Snapshot;
pub use space::{OpenSpace, Space};
pub use strategy::{Against, Candidate, Choices, Look, Priority, Random, Ranked, Strategy};
pub use sync_point::{SyncPoint, block, interrupt, request, request_any, violation, wait_for};
pub use thread::BThread;

/// The README, so that the b-program in it is run by the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
