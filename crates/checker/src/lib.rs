//! Explicit-state model checking: proofs, shortest counterexamples and graphs of
//! b-programs and of any other [`Model`].
//!
//! ```
//! use bthread::{BThread, Behaviour, Program, SyncPoint, request, violation, wait_for};
//! use checker::{BProgram, Checker, Property, Verdict};
//!
//! // A requirement is one more b-thread. This one counts the visitors inside.
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
//! let visitor = |enters, leaves| BThread::new(enters).then([enters, leaves].map(request)).forever();
//! let program = Program::new([
//!     visitor("cat enters", "cat leaves").into(),
//!     visitor("dog enters", "dog leaves").into(),
//!     BThread::behaving("NoCrowd", NoCrowd { inside: 0 }),
//! ])?;
//!
//! let model = BProgram::exhaustive(program.space());
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
//!   of a b-program, open or closed. Nothing is triggered from outside: b-threads
//!   play the environment. [`Bisimulation`] runs two models side by side and checks
//!   that they behave alike.
//! - [`Property`]: what should be true. An event never happens, a predicate always
//!   holds, no state is stuck, an event or a state is possible, no requirement is
//!   violated, no b-thread stays for ever at a hot sync point.
//! - [`Checker`]: the search, breadth-first by default, on one or several threads,
//!   with bounds, symmetry, and a compact mode.
//! - [`DecisionProcess`]: a model in which chance decides some steps. It computes the least and the
//!   greatest probability that a goal is reached, and the expected cost of the way to it, exactly or
//!   between bounds, with the choices that attain them.
//! - [`Report`]: verdicts with traces, exact counts, the coverage of the search, and
//!   a [`Graph`] to draw. A search that was cut short never claims that something holds.
//!
//! The report depends neither on the number of threads nor on the machine.
//!
//! # What it costs
//!
//! `cargo bench -p checker` on a quiet machine with two cores (`docs/measuring.md` has more):
//!
//! | what | one core | two |
//! |---|---|---|
//! | tic-tac-toe with 244 b-threads, 5,194 states | 3 ms | |
//! | ten dining philosophers, 154,450 states, 1,116,130 edges | 25 ms | 21 ms |
//! | eleven, 510,116 states, 4,054,985 edges | 0.11 s | 0.08 s |
//! | memory per state, the state included | 35 bytes and what vectors have to spare | |

mod b_program;
mod bisimulation;
mod chance;
mod checker;
mod cycles;
mod finding;
mod graph;
mod inspect;
mod model;
mod property;
mod report;
mod runs;
mod search;
mod store;
mod trace;

pub use b_program::BProgram;
pub use bisimulation::{Bisimulation, EitherError};
pub use chance::{
    BranchTarget, Chooser, DecisionProcess, ExploreError, ExploredProcess, Extreme, Fraction,
    ProcessSolution, StateChoices, ValueBounds, ValueRange,
};
pub use checker::Checker;
pub use graph::Graph;
pub use model::{Model, ModelExplorer, ThreadFinder, ViolationFinder};
pub use property::Property;
pub use report::{Coverage, Finding, Identity, Report, Trace, Verdict};
pub use runs::count_runs;
pub use search::{Order, SearchProgress};
