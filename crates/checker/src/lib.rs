//! Explicit-state model checking: proofs, shortest counterexamples and pictures of
//! b-programs and of any other [`Model`].

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

pub use b_program::BProgram;
pub use checker::Checker;
pub use graph::Graph;
pub use model::Model;
pub use property::Property;
pub use report::{Coverage, Finding, Identity, Report, Trace, Verdict};
pub use search::{Order, Progress};
