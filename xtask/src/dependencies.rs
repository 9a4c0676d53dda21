//! Checks of the dependencies with cargo-deny, and its installation.

use std::path::{Path, PathBuf};

use crate::command_line::CommandLine;
use crate::{StepOutcome, TaskFailure, Workspace};

/// The version that we install; a newer one is accepted too.
const VERSION: &str = "0.20.2";

/// Installs cargo-deny into the target folder, unless it is there or on the path.
pub(crate) fn install(workspace: &Workspace) -> StepOutcome {
    if find(workspace).is_some() {
        return StepOutcome::Passed;
    }
    match build(workspace).run() {
        Ok(()) => StepOutcome::Passed,
        // Without a network everything else can still be tested.
        Err(failure) => StepOutcome::CannotRun(failure.to_string()),
    }
}

// It runs for a second: the optimisations that it asks for would double the time of its build.
fn build(workspace: &Workspace) -> CommandLine {
    let folder = tools(workspace).display().to_string();
    let package = format!("cargo-deny@{VERSION}");
    let arguments = ["install", "--quiet", "--locked", "--root", &folder, &package];
    CommandLine::new(&workspace.root, "cargo", &arguments)
        .with("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
        .with("CARGO_PROFILE_RELEASE_LTO", "off")
        .with("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
}

/// Checks licences, sources and versions of all dependencies against `deny.toml`.
///
/// # Errors
/// If a dependency violates `deny.toml`.
pub(crate) fn check(workspace: &Workspace) -> Result<StepOutcome, TaskFailure> {
    match find(workspace) {
        Some(program) => deny(workspace, &program, &["check", "bans", "licenses", "sources"]),
        None => Ok(not_installed()),
    }
}

/// Checks for known vulnerabilities, if there is an advisory database; it is never fetched from here.
///
/// # Errors
/// If a dependency has a known vulnerability.
pub(crate) fn check_advisories(workspace: &Workspace) -> Result<StepOutcome, TaskFailure> {
    match find(workspace) {
        Some(program) if databases().is_some_and(|folder| has_folder(&folder)) => {
            deny(workspace, &program, &["--offline", "check", "advisories"])
        }
        Some(program) => Ok(StepOutcome::PassedWithout(format!(
            "there is no advisory database; run `{program} fetch db` to download one"
        ))),
        None => Ok(not_installed()),
    }
}

fn deny(
    workspace: &Workspace,
    program: &str,
    arguments: &[&str],
) -> Result<StepOutcome, TaskFailure> {
    CommandLine::new(&workspace.root, program, arguments).run()?;
    Ok(StepOutcome::Passed)
}

fn not_installed() -> StepOutcome {
    StepOutcome::CannotRun("cargo-deny is not installed".to_owned())
}

fn find(workspace: &Workspace) -> Option<String> {
    let ours = tools(workspace).join("bin").join("cargo-deny").display().to_string();
    [ours, "cargo-deny".to_owned()].into_iter().find(|program| {
        CommandLine::new(&workspace.root, program, &["--version"])
            .answer()
            .is_some_and(|answer| is_recent(&answer))
    })
}

fn tools(workspace: &Workspace) -> PathBuf {
    workspace.target.join("tools")
}

fn is_recent(answer: &str) -> bool {
    let found = answer.split_whitespace().last().and_then(version);
    found.is_some_and(|found| Some(found) >= version(VERSION))
}

fn version(text: &str) -> Option<Vec<u32>> {
    text.split('.').map(|part| part.parse().ok()).collect()
}

fn databases() -> Option<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    Some(home?.join("advisory-dbs"))
}

fn has_folder(folder: &Path) -> bool {
    folder.read_dir().is_ok_and(|entries| entries.flatten().any(|entry| entry.path().is_dir()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_version_and_newer_ones_are_accepted() {
        for answer in ["cargo-deny 0.20.2\n", "cargo-deny 0.21.0", "cargo-deny 1.0.0"] {
            assert!(is_recent(answer), "{answer}");
        }
    }

    #[test]
    fn older_versions_and_other_answers_are_not_accepted() {
        for answer in ["cargo-deny 0.14.2", "cargo-deny 0.20.1", "cargo-deny", ""] {
            assert!(!is_recent(answer), "{answer}");
        }
    }

    #[test]
    fn a_folder_that_does_not_exist_has_no_database() {
        assert!(!has_folder(Path::new("no-such-folder")));
    }
}
