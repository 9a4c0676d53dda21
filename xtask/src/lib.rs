//! What `cargo xtask` does: the steps that build, test and measure Cat's Cradle.
//!
//! A [`Step`] is data; [`test_steps`] lists those of `cargo xtask test`, and [`run`] goes through
//! a list, says aloud what happens and keeps the [`Report`]. [`serve`], [`drive`] and
//! [`report_page`] are commands of their own.

mod apt;
mod browser;
mod dependencies;
mod drive;
mod lanes;
mod node;
mod page;
mod phoenix;
mod program;
mod report;
mod serve;
mod step;
mod test_steps;
mod toolchain;
mod workspace;

pub use browser::report_page;
pub use drive::drive;
pub use report::{Place, Report, run};
pub use serve::{install, serve};
pub use step::{Failure, Outcome, Step};
pub use test_steps::test_steps;
pub use workspace::{DETERMINISTIC, Package, Workspace, WorkspaceError};
