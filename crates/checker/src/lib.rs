//! Explicit-state model checking: proofs, shortest counterexamples and pictures of
//! b-programs and of any other [`Model`].
//!
//! ```
//! use bthread::{BThread, Behaviour, Program, Random, SyncPoint, request, violation, wait_for};
//! use checker::{BProgram, Checker, Property, Verdict};
//!
//! // A requirement is one more b-thread: here one that counts who is inside.
//! #[derive(Clone, Debug, PartialEq, Eq, Hash)]
//! struct NoCrowd {
//!     inside: u32,
//! }
//!
//! impl Behaviour<&'static str> for NoCrowd {
//!     fn sync_point(&self) -> Option<SyncPoint<&'static str>> {
//!         let doors = ["cat enters", "cat leaves", "dog enters", "dog leaves"];
//!         Some(if self.inside > 1 { violation("two are inside") } else { wait_for(doors) })
//!     }
//!
//!     fn go_on(&mut self, event: &&'static str) {
//!         self.inside = if event.ends_with("enters") { self.inside + 1 } else { self.inside - 1 };
//!     }
//! }
//!
//! let visitor = |enters, leaves| {
//!     BThread::new(enters).then(request(enters)).then(request(leaves)).forever()
//! };
//! let program = Program::new([
//!     visitor("cat enters", "cat leaves"),
//!     visitor("dog enters", "dog leaves"),
//!     BThread::behaving("NoCrowd", NoCrowd { inside: 0 }),
//! ])?;
//!
//! let model = BProgram::new(program.space(), Random::seeded(0));
//! let report = Checker::new(&model).property(Property::requirement("NoCrowd")).run()?;
//! assert_eq!(report.verdict(), Verdict::Violated);
//! assert_eq!(report.findings[0].to_string(), "\
//!     NoCrowd: violated: two are inside\n  cat enters, dog enters");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is here
//!
//! - [`Model`]: states and actions; two methods make one. [`BProgram`] is the model
//!   of a b-program, open or closed: its strategy says which choices are free.
//!   Nothing is triggered from outside: a b-thread plays the world.
//!   [`Alike`] runs two models side by side to see whether they behave alike.
//! - [`Property`]: what should be true. An event never happens, a predicate always
//!   holds, no state is stuck, something can happen or be reached, nobody says
//!   that a requirement was violated, nobody stays for ever where it must not.
//! - [`Checker`]: the search, breadth-first unless told otherwise, on as many
//!   threads as you like, with bounds, symmetry, and a compact mode.
//! - [`Report`]: verdicts with traces, exact counts, whether every state was seen,
//!   and a [`Graph`] to draw. A search cut short never says that something holds.
//!
//! The report depends neither on the number of threads nor on the machine.
//!
//! # What it costs
//!
//! Medians of `cargo bench -p checker` on a machine with two cores:
//!
//! | what | one core | two |
//! |---|---|---|
//! | tic-tac-toe with 244 b-threads, 5,194 states | 14 ms | |
//! | ten dining philosophers, 154,450 states, 1,116,130 edges | 0.15 s | 0.10 s |
//! | eleven, 510,116 states, 4,054,985 edges | 0.61 s | 0.36 s |
//! | two counters, a million states | 2.1 M states/s | 2.3 M states/s |
//! | memory per state, the state included | 41 to 54 bytes | |

mod alike;
mod b_program;
mod checker;
mod cycles;
mod graph;
mod inspect;
mod model;
mod property;
mod report;
mod search;
mod store;
mod trace;

pub use alike::{Alike, EitherError};
pub use b_program::BProgram;
pub use checker::Checker;
pub use graph::Graph;
pub use model::Model;
pub use property::Property;
pub use report::{Coverage, Finding, Identity, Report, Trace, Verdict};
pub use search::{Order, Progress};
