//! `HAProxy`, and a check of our settings for it.

use crate::apt::{self, AptPrograms};
use crate::command_line::CommandLine;
use crate::{StepOutcome, TaskFailure, Workspace};

/// The settings, which name addresses by variables.
const SETTINGS: &str = "packaging/haproxy.cfg";

/// Installs Debian's `HAProxy`, unless it is there.
pub(crate) fn install(workspace: &Workspace) -> Result<(), String> {
    // It does not know `--version`.
    if CommandLine::new(&workspace.root, "haproxy", &["-v"]).answer().is_some() {
        return Ok(());
    }
    let advice = "install Debian's package haproxy, or name the program after --haproxy";
    let package = AptPrograms { programs: &[], packages: &["haproxy"], advice };
    apt::install_packages(&workspace.root, "HAProxy", package)
}

/// Lets `HAProxy` read its settings.
///
/// # Errors
/// If they have a mistake.
pub(crate) fn check(workspace: &Workspace) -> Result<StepOutcome, TaskFailure> {
    if let Err(why) = install(workspace) {
        return Ok(StepOutcome::CannotRun(why));
    }
    let mut read = CommandLine::new(&workspace.root, "haproxy", &["-c", "-f", SETTINGS]);
    for variable in ["CRADLE_LISTEN", "CRADLE_NODE_1", "CRADLE_NODE_2", "CRADLE_NODE_3"] {
        read = read.with(variable, "127.0.0.1:4000");
    }
    read.run()?;
    Ok(StepOutcome::Passed)
}
