//! The phoenix client of npm, unmodified, against the server.

use std::path::Path;

use crate::program::Program;
use crate::{Failure, Outcome, Workspace};

/// Where the tests in JavaScript are.
const FOLDER: &str = "crates/server/tests/phoenix";

/// Lets the phoenix client play whole games against the server.
///
/// # Errors
/// If the server cannot be built, or a game goes wrong.
pub(crate) fn check(workspace: &Workspace) -> Result<Outcome, Failure> {
    let folder = workspace.root.join(FOLDER);
    if let Err(why) = install_node(&workspace.root).and_then(|()| install_packages(&folder)) {
        return Ok(Outcome::CannotRun(why));
    }
    Program::new(&workspace.root, "cargo", &["build", "--package", "cradle"]).run()?;
    let server = workspace.target.join("debug").join("cradle").display().to_string();
    Program::new(&folder, "node", &["--test"]).with("CRADLE", &server).run()?;
    Ok(Outcome::Passed)
}

/// Installs node and npm through apt where they are missing and that is possible.
fn install_node(root: &Path) -> Result<(), String> {
    let missing = missing(root, &["node", "npm"]);
    if missing.is_empty() {
        return Ok(());
    }
    let missing = missing.join(" and ");
    if !is_root_on_debian(root) {
        return Err(format!("{missing} is missing: install Node.js 18 or newer with npm"));
    }
    let packages = ["install", "--yes", "--no-install-recommends", "nodejs", "npm"];
    let install = |arguments| {
        Program::new(root, "apt-get", arguments).with("DEBIAN_FRONTEND", "noninteractive").run()
    };
    // The lists of packages may be missing, too.
    install(&["update"])
        .and_then(|()| install(&packages))
        .map_err(|failure| format!("{missing} is missing and could not be installed: {failure}"))
}

fn missing<'a>(root: &Path, programs: &[&'a str]) -> Vec<&'a str> {
    let is_missing =
        |program: &&str| Program::new(root, program, &["--version"]).answer().is_none();
    programs.iter().copied().filter(is_missing).collect()
}

fn is_root_on_debian(root: &Path) -> bool {
    let who = Program::new(root, "id", &["--user"]).answer();
    let is_root = who.is_some_and(|who| who.trim() == "0");
    is_root && Path::new("/etc/debian_version").exists()
}

/// Installs exactly the packages of the lock file.
fn install_packages(folder: &Path) -> Result<(), String> {
    // A machine without a network cannot do it, and everything else can still be tested there.
    Program::new(folder, "npm", &["ci"]).run().map_err(|failure| failure.to_string())
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn folder() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(FOLDER)
    }

    #[test]
    fn a_program_that_does_not_exist_is_missing_and_one_that_does_is_not() {
        assert_eq!(missing(Path::new("."), &["cargo", "no-such-program"]), ["no-such-program"]);
    }

    #[test]
    fn the_lock_file_names_exact_versions_and_no_host() {
        let lock = std::fs::read_to_string(folder().join("package-lock.json")).unwrap();
        assert!(!lock.contains("://"), "packages come from wherever npm is told to get them");
        let wanted = std::fs::read_to_string(folder().join("package.json")).unwrap();
        let wanted: serde_json::Value = serde_json::from_str(&wanted).unwrap();
        for (name, version) in wanted["devDependencies"].as_object().unwrap() {
            let version = version.as_str().unwrap();
            assert!(version.starts_with(|first: char| first.is_ascii_digit()), "{name} {version}");
        }
    }
}
