//! Tests of the server with the unmodified `phoenix` client from npm.

use crate::command_line::CommandLine;
use crate::{StepOutcome, TaskFailure, Workspace, node};

/// The folder of the tests.
pub(crate) const FOLDER: &str = "crates/server/tests/phoenix";

/// Plays whole games through the phoenix client, on the server that the tests have built.
///
/// # Errors
/// If a test fails.
pub(crate) fn check(workspace: &Workspace) -> Result<StepOutcome, TaskFailure> {
    let folder = workspace.root.join(FOLDER);
    if let Err(why) = node::install(&workspace.root, &folder) {
        return Ok(StepOutcome::CannotRun(why));
    }
    let server = workspace.tested_program("cradle")?;
    CommandLine::new(&folder, "node", &["--test"]).with("CRADLE", &server).run()?;
    Ok(StepOutcome::Passed)
}
