//! Tests of the HTTP API in Python: a validator, a generated client and the bot of the docs.

use std::fs;
use std::path::{Path, PathBuf};

use crate::apt::{self, AptPrograms};
use crate::command_line::CommandLine;
use crate::{StepOutcome, TaskFailure, Workspace};

/// The folder of the tests.
const FOLDER: &str = "crates/server/tests/python";

const PYTHON: AptPrograms<'_> = AptPrograms {
    programs: &["python3"],
    packages: &["python3", "python3-venv"],
    advice: "install Python 3.11 or newer with its module venv",
};

/// Validates the description of the API, and plays with a client that is generated from it and with the
/// bot of the docs, on the server that the tests have built.
///
/// # Errors
/// If a test fails.
pub(crate) fn check(workspace: &Workspace) -> Result<StepOutcome, TaskFailure> {
    let folder = workspace.root.join(FOLDER);
    let environment = match install(workspace, "python", &folder) {
        Ok(environment) => environment,
        Err(why) => return Ok(StepOutcome::CannotRun(why)),
    };
    let python = environment.join("bin").join("python").display().to_string();
    let client = environment.join("client").display().to_string();
    let server = workspace.tested_program("cradle")?;
    let run = |arguments: &[&str]| {
        let line = CommandLine::new(&folder, &python, arguments).with("CRADLE", &server);
        line.with("PYTHONPATH", &client).with("PYTHONDONTWRITEBYTECODE", "1").run()
    };
    run(&["generate.py", &client])?;
    run(&["-m", "unittest", "play_test", "bot_test"])?;
    Ok(StepOutcome::Passed)
}

/// Installs exactly the packages of a folder's `requirements.txt` into an environment in the target folder,
/// unless they are there; returns the environment.
///
/// # Errors
/// A sentence that says what is missing.
pub(crate) fn install(
    workspace: &Workspace,
    environment: &str,
    folder: &Path,
) -> Result<PathBuf, String> {
    let environment = workspace.target.join(environment);
    let wanted = folder.join("requirements.txt");
    let stamp = environment.join("installed.txt");
    let text = fs::read_to_string(&wanted).map_err(|error| error.to_string())?;
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == text) {
        return Ok(environment);
    }
    let root = &workspace.root;
    apt::install(root, PYTHON)?;
    // Debian's python3 comes without the module.
    if CommandLine::new(root, "python3", &["-c", "import ensurepip, venv"]).answer().is_none() {
        apt::install_packages(root, "Python's module venv", PYTHON)?;
    }
    let place = environment.display().to_string();
    let pip = environment.join("bin").join("pip").display().to_string();
    let wanted = wanted.display().to_string();
    let packages = ["install", "--quiet", "--disable-pip-version-check", "--requirement", &wanted];
    // Without a network everything else can still be tested.
    CommandLine::new(root, "python3", &["-m", "venv", "--clear", &place])
        .run()
        .and_then(|()| CommandLine::new(root, &pip, &packages).run())
        .map_err(|failure| failure.to_string())?;
    fs::write(stamp, text).map_err(|error| error.to_string())?;
    Ok(environment)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_package_has_an_exact_version_and_no_host() {
        for folder in [FOLDER, crate::nats::FOLDER] {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
            let text = fs::read_to_string(folder.join("requirements.txt")).unwrap();
            assert!(!text.contains("://"), "pip's settings decide where packages come from");
            for line in text.lines().filter(|line| !line.starts_with('#')) {
                let (name, version) = line.split_once("==").expect(line);
                let is_exact = version.starts_with(|first: char| first.is_ascii_digit());
                assert!(!name.is_empty() && is_exact);
            }
        }
    }
}
