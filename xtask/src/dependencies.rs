//! What cargo-deny says about the dependencies, and how to get cargo-deny.

use std::path::{Path, PathBuf};

use crate::program::Program;
use crate::{Failure, Outcome, Workspace};

/// The version that is installed where there is none; a newer one serves as well.
const VERSION: &str = "0.20.2";

/// Builds cargo-deny into the target folder if it is neither there nor on the path.
pub(crate) fn install(workspace: &Workspace) -> Outcome {
    if find(workspace).is_some() {
        return Outcome::Passed;
    }
    match build(workspace).run() {
        Ok(()) => Outcome::Passed,
        // A machine without a network cannot build it, and everything else can still be tested there.
        Err(failure) => Outcome::CannotRun(failure.to_string()),
    }
}

// It runs for a second: its own settings (whole-program optimisation) would double the build.
fn build(workspace: &Workspace) -> Program {
    let folder = tools(workspace).display().to_string();
    let package = format!("cargo-deny@{VERSION}");
    let arguments = ["install", "--quiet", "--locked", "--root", &folder, &package];
    Program::new(&workspace.root, "cargo", &arguments)
        .with("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
        .with("CARGO_PROFILE_RELEASE_LTO", "off")
        .with("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1")
}

/// Licences, sources and versions of all dependencies, as `deny.toml` wants them.
///
/// # Errors
/// If cargo-deny objects.
pub(crate) fn check(workspace: &Workspace) -> Result<Outcome, Failure> {
    match find(workspace) {
        Some(program) => deny(workspace, &program, &["check", "bans", "licenses", "sources"]),
        None => Ok(not_installed()),
    }
}

/// Known vulnerabilities, where an advisory database is at hand; it is never fetched from here.
///
/// # Errors
/// If cargo-deny objects.
pub(crate) fn check_advisories(workspace: &Workspace) -> Result<Outcome, Failure> {
    match find(workspace) {
        Some(program) if databases().is_some_and(|folder| has_folder(&folder)) => {
            deny(workspace, &program, &["--offline", "check", "advisories"])
        }
        Some(program) => Ok(Outcome::PassedWithout(format!(
            "there is no advisory database; `{program} fetch db` brings one where there is a network"
        ))),
        None => Ok(not_installed()),
    }
}

fn deny(workspace: &Workspace, program: &str, arguments: &[&str]) -> Result<Outcome, Failure> {
    Program::new(&workspace.root, program, arguments).run()?;
    Ok(Outcome::Passed)
}

fn not_installed() -> Outcome {
    Outcome::CannotRun("cargo-deny is not installed".to_owned())
}

fn find(workspace: &Workspace) -> Option<String> {
    let ours = tools(workspace).join("bin").join("cargo-deny").display().to_string();
    [ours, "cargo-deny".to_owned()].into_iter().find(|program| {
        Program::new(&workspace.root, program, &["--version"])
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
    fn our_version_and_newer_ones_serve() {
        for answer in ["cargo-deny 0.20.2\n", "cargo-deny 0.21.0", "cargo-deny 1.0.0"] {
            assert!(is_recent(answer), "{answer}");
        }
    }

    #[test]
    fn older_versions_and_other_answers_do_not_serve() {
        for answer in ["cargo-deny 0.14.2", "cargo-deny 0.20.1", "cargo-deny", ""] {
            assert!(!is_recent(answer), "{answer}");
        }
    }

    #[test]
    fn a_folder_that_does_not_exist_has_no_database() {
        assert!(!has_folder(Path::new("no-such-folder")));
    }
}
