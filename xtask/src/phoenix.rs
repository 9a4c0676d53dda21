//! The phoenix client of npm, unmodified, against the server.

use crate::program::Program;
use crate::{Failure, Outcome, Workspace, node};

/// Where the tests in JavaScript are.
pub(crate) const FOLDER: &str = "crates/server/tests/phoenix";

/// Lets the phoenix client play whole games against the server.
///
/// # Errors
/// If the server cannot be built, or a game goes wrong.
pub(crate) fn check(workspace: &Workspace) -> Result<Outcome, Failure> {
    let folder = workspace.root.join(FOLDER);
    if let Err(why) = node::install(&workspace.root, &folder) {
        return Ok(Outcome::CannotRun(why));
    }
    Program::new(&workspace.root, "cargo", &["build", "--package", "cradle"]).run()?;
    let server = workspace.target.join("debug").join("cradle").display().to_string();
    Program::new(&folder, "node", &["--test"]).with("CRADLE", &server).run()?;
    Ok(Outcome::Passed)
}
