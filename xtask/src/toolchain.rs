//! The parts of the Rust toolchain that the tests and the page need.

use std::path::Path;

use crate::command_line::CommandLine;
use crate::{StepOutcome, TaskFailure, Workspace};

/// The target of everything that runs in a browser.
pub(crate) const WASM: &str = "wasm32-unknown-unknown";

/// Installs the missing parts of the toolchain through rustup.
///
/// # Errors
/// If a part is missing, and rustup is missing too or cannot install it.
pub(crate) fn install(workspace: &Workspace) -> Result<StepOutcome, TaskFailure> {
    let root = &workspace.root;
    if !answers(root, &["fmt", "--version"]) {
        rustup(root, "rustfmt", &["component", "add", "rustfmt"])?;
    }
    if !answers(root, &["clippy", "--version"]) {
        rustup(root, "clippy", &["component", "add", "clippy"])?;
    }
    install_wasm(root)?;
    Ok(StepOutcome::Passed)
}

/// Installs the target of the page through rustup if it is missing.
///
/// # Errors
/// If it is missing, and rustup is missing too or cannot install it.
pub(crate) fn install_wasm(root: &Path) -> Result<(), TaskFailure> {
    if has_target(root, WASM) {
        return Ok(());
    }
    rustup(root, "the target wasm32-unknown-unknown", &["target", "add", WASM])
}

fn answers(root: &Path, arguments: &[&str]) -> bool {
    CommandLine::new(root, "cargo", arguments).answer().is_some()
}

// We ask rustc, not rustup, so that a toolchain that is not rustup's works too.
fn has_target(root: &Path, target: &str) -> bool {
    CommandLine::new(root, "rustc", &["--print", "target-libdir", "--target", target])
        .answer()
        .is_some_and(|folder| Path::new(folder.trim()).is_dir())
}

fn rustup(root: &Path, what: &'static str, arguments: &[&str]) -> Result<(), TaskFailure> {
    let install = CommandLine::new(root, "rustup", arguments).run();
    install.map_err(|source| TaskFailure::NotInstalled { what, source: Box::new(source) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_that_does_not_exist_is_missing() {
        assert!(!has_target(Path::new("."), "no-such-target"));
    }

    #[test]
    fn what_cannot_be_installed_is_named_with_the_command_that_failed() {
        let refusal =
            rustup(Path::new("."), "the moon", &["no-such-command"]).unwrap_err().to_string();
        let expected = "the moon is missing and could not be installed: `rustup no-such-command` ";
        assert!(refusal.starts_with(expected), "{refusal}");
    }
}
