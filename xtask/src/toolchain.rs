//! The parts of the Rust toolchain that the tests and the page need.

use std::path::Path;

use crate::program::Program;
use crate::{Failure, Outcome, Workspace};

/// The target of everything that runs in a browser.
pub(crate) const WASM: &str = "wasm32-unknown-unknown";

/// Installs through rustup what the toolchain lacks.
///
/// # Errors
/// If something is missing and rustup is not there or cannot install it.
pub(crate) fn install(workspace: &Workspace) -> Result<Outcome, Failure> {
    let root = &workspace.root;
    if !answers(root, &["fmt", "--version"]) {
        rustup(root, "rustfmt", &["component", "add", "rustfmt"])?;
    }
    if !answers(root, &["clippy", "--version"]) {
        rustup(root, "clippy", &["component", "add", "clippy"])?;
    }
    install_wasm(root)?;
    Ok(Outcome::Passed)
}

/// Installs the target of the page through rustup, if the toolchain lacks it.
///
/// # Errors
/// If it is missing and rustup is not there or cannot install it.
pub(crate) fn install_wasm(root: &Path) -> Result<(), Failure> {
    if has_target(root, WASM) {
        return Ok(());
    }
    rustup(root, "the target wasm32-unknown-unknown", &["target", "add", WASM])
}

fn answers(root: &Path, arguments: &[&str]) -> bool {
    Program::new(root, "cargo", arguments).answer().is_some()
}

// rustc is asked, not rustup, so that a toolchain from elsewhere serves too if it has the target.
fn has_target(root: &Path, target: &str) -> bool {
    Program::new(root, "rustc", &["--print", "target-libdir", "--target", target])
        .answer()
        .is_some_and(|folder| Path::new(folder.trim()).is_dir())
}

fn rustup(root: &Path, what: &'static str, arguments: &[&str]) -> Result<(), Failure> {
    let install = Program::new(root, "rustup", arguments).run();
    install.map_err(|source| Failure::NotInstalled { what, source: Box::new(source) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_that_does_not_exist_is_not_there() {
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
