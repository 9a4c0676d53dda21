//! The commands of `cargo xtask`, which build, test and measure Cat's Cradle.
//!
//! [`test_steps`] lists the [`TestStep`]s of `cargo xtask test`; [`selected`] chooses some of them; [`run`]
//! runs them in order and returns a [`StepReport`]. [`serve`], [`install`], [`drive`], [`draw_growth`],
//! [`compare_runs`], [`compare_benchmarks`], [`report_page`] and [`take_pictures`] are the other commands.

mod agreement;
mod apt;
mod benchmark_output;
mod browser;
mod build_progress;
mod command_line;
mod compare;
mod dependencies;
mod drive;
mod growth;
mod haproxy;
mod lanes;
mod last_lines;
mod nats;
mod nginx;
mod node;
mod packed_page;
mod phoenix;
mod python;
mod serve;
mod step;
mod step_report;
mod step_selection;
mod systemd;
mod test_steps;
mod toolchain;
mod workspace;

pub use agreement::compare_runs;
pub use browser::{report_page, take_pictures};
pub use compare::compare_benchmarks;
pub use drive::drive;
pub use growth::draw_growth;
pub use last_lines::LastLines;
pub use serve::{install, serve};
pub use step::{StepOutcome, TaskFailure, TestStep};
pub use step_report::{StepReport, TestHost, run};
pub use step_selection::{BadSelection, list, selected};
pub use test_steps::test_steps;
pub use workspace::{DETERMINISTIC, Package, Workspace, WorkspaceError};
