//! What `cargo xtask` does: the steps that build, test and measure Cat's Cradle.
//!
//! A [`Step`] is data; [`test_steps`] lists those of `cargo xtask test`, and [`run`] goes through
//! a list, says aloud what happens and keeps the [`Report`].

mod dependencies;
mod phoenix;
mod program;
mod report;
mod step;
mod test_steps;
mod toolchain;
mod workspace;

pub use report::{Place, Report, run};
pub use step::{Failure, Outcome, Step};
pub use test_steps::test_steps;
pub use workspace::{DETERMINISTIC, Package, Workspace, WorkspaceError};
