//! The NATS server that tests of clusters need.

use std::path::PathBuf;

use crate::{StepOutcome, Workspace, python};

/// The folder that names the package of the server.
pub(crate) const FOLDER: &str = "crates/server/tests/nats";

/// Installs the NATS server into the target folder, unless it is there; returns the program.
///
/// Debian's own package is too old.
///
/// # Errors
/// A sentence that says what is missing.
pub(crate) fn program(workspace: &Workspace) -> Result<PathBuf, String> {
    let environment = python::install(workspace, "nats", &workspace.root.join(FOLDER))?;
    Ok(environment.join("bin").join("nats-server"))
}

/// Installs the NATS server, as a step of the tests.
pub(crate) fn install(workspace: &Workspace) -> StepOutcome {
    match program(workspace) {
        Ok(_) => StepOutcome::Passed,
        // Without a network everything else can still be tested.
        Err(why) => StepOutcome::CannotRun(why),
    }
}
