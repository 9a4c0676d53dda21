//! Programs from Debian's packages.

use std::path::Path;

use crate::command_line::CommandLine;

/// Programs and the packages that contain them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AptPrograms<'a> {
    /// The names of the programs.
    pub(crate) programs: &'a [&'a str],
    /// The packages that contain the programs.
    pub(crate) packages: &'a [&'a str],
    /// What to do where there is no apt.
    pub(crate) advice: &'a str,
}

/// Installs the programs that are missing, if this is Debian and we are root.
///
/// # Errors
/// A sentence that names the missing programs and says why they were not installed.
pub(crate) fn install(root: &Path, wanted: AptPrograms<'_>) -> Result<(), String> {
    let missing = missing(root, wanted.programs);
    if missing.is_empty() {
        return Ok(());
    }
    install_packages(root, &missing.join(" and "), wanted)
}

/// Installs the packages because something in them is missing, if this is Debian and we are root.
///
/// # Errors
/// A sentence that says what is missing and why it was not installed.
pub(crate) fn install_packages(
    root: &Path,
    missing: &str,
    wanted: AptPrograms<'_>,
) -> Result<(), String> {
    if !is_root_on_debian(root) {
        return Err(format!("{missing} is missing: {}", wanted.advice));
    }
    println!("{missing} is missing; installing it through apt.");
    let options = ["install", "--quiet", "--yes", "--no-install-recommends"];
    let packages = [&options[..], wanted.packages].concat();
    let install = |arguments| {
        CommandLine::new(root, "apt-get", arguments).with("DEBIAN_FRONTEND", "noninteractive").run()
    };
    // The package lists may be missing as well.
    install(&["update"])
        .and_then(|()| install(&packages))
        .map_err(|failure| format!("{missing} is missing and could not be installed: {failure}"))
}

fn missing<'a>(root: &Path, programs: &[&'a str]) -> Vec<&'a str> {
    let is_missing =
        |program: &&str| CommandLine::new(root, program, &["--version"]).answer().is_none();
    programs.iter().copied().filter(is_missing).collect()
}

fn is_root_on_debian(root: &Path) -> bool {
    let who = CommandLine::new(root, "id", &["--user"]).answer();
    let is_root = who.is_some_and(|who| who.trim() == "0");
    is_root && Path::new("/etc/debian_version").exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_does_not_exist_is_missing_and_one_that_does_is_not() {
        assert_eq!(missing(Path::new("."), &["cargo", "no-such-program"]), ["no-such-program"]);
    }
}
