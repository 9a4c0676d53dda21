//! `cargo xtask agreement`: random programs, run in every way that there is.

use crate::command_line::CommandLine;
use crate::{TaskFailure, Workspace};

/// The number of programs, unless somebody asks for another one.
const USUAL_PROGRAMS: &str = "80000";

/// Runs random programs open, local and tabled, beside a reference, on all cores. It fails at the
/// first program on which two of them disagree.
///
/// # Errors
/// If they disagree, or the tests cannot be built.
pub fn compare_runs(workspace: &Workspace, programs: Option<&str>) -> Result<(), TaskFailure> {
    let test = ["test", "--release", "--package", "bthread", "--test", "agreement"];
    let only = ["--", "--exact", "many::many_random_programs_agree", "--nocapture"];
    CommandLine::new(&workspace.root, "cargo", &[&test[..], &only[..]].concat())
        .with("AGREEMENT_PROGRAMS", programs.unwrap_or(USUAL_PROGRAMS))
        .run()
}
