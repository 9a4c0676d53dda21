//! Explicit-state model checking: proofs, shortest counterexamples and pictures of
//! b-programs and of any other [`Model`].
//!
//! ```
//! use bthread::{BThread, Program, Random, request, violation, wait_for};
//! use checker::{BProgram, Checker, Property, Verdict};
//!
//! // Two who enter and leave as they like, and a requirement: one more b-thread.
//! let visitor = |enters, leaves| {
//!     BThread::new(enters).then(request(enters)).then(request(leaves)).forever()
//! };
//! let no_crowd = BThread::new("NoCrowd")
//!     .then(wait_for(["cat enters", "dog enters"]))
//!     .then(wait_for(["cat enters", "dog enters"]).interrupt(["cat leaves", "dog leaves"]))
//!     .then(violation("two are inside"));
//! let cat = visitor("cat enters", "cat leaves");
//! let dog = visitor("dog enters", "dog leaves");
//! let program = Program::new([cat, dog, no_crowd])?;
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
//! | ten dining philosophers, 154,450 states, 1,116,130 edges | 0.14 s | 0.11 s |
//! | eleven, 510,116 states, 4,054,985 edges | 0.63 s | 0.34 s |
//! | two counters, a million states | 2.3 M states/s | |
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
