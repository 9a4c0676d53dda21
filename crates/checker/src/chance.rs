//! Models in which chance decides some of the steps, and others choose the rest.
//!
//! - [`DecisionProcess`]: states, choices, and where chance leads after each choice.
//!   [`ExploredProcess`] finds the states from a start.
//! - `reachability`: the least and the greatest probability that a goal is reached. `expectation`:
//!   the expected cost of the way to it. [`ProcessSolution`] has the bounds and the choices that
//!   attain them.
//! - `end_components`, `strong_components`: parts of a process in which it can stay for ever.
//!   `free_components`: those in which staying costs nothing.
//! - [`Fraction`], [`ValueBounds`]: numbers that are known exactly, or between two others.

mod decision_process;
mod end_components;
mod expectation;
mod explored_process;
mod fraction;
mod free_components;
mod reachability;
mod solver;
mod strong_components;
mod value_bounds;

pub use decision_process::{Chooser, DecisionProcess, Extreme};
pub use explored_process::{BranchTarget, ExploreError, ExploredProcess, StateChoices};
pub use fraction::Fraction;
pub use solver::ProcessSolution;
pub use value_bounds::{ValueBounds, ValueRange};
