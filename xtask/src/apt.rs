//! Programs that are no part of Rust, from Debian's packages.

use std::path::Path;

use crate::program::Program;

/// Programs that belong together, and where they come from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted<'a> {
    /// The names of the programs.
    pub(crate) programs: &'a [&'a str],
    /// The packages that have them.
    pub(crate) packages: &'a [&'a str],
    /// What somebody can do where there is no apt.
    pub(crate) advice: &'a str,
}

/// Installs what is missing, where that is possible.
///
/// # Errors
/// A sentence that says what is missing, and why it still is.
pub(crate) fn install(root: &Path, wanted: Wanted<'_>) -> Result<(), String> {
    let missing = missing(root, wanted.programs);
    if missing.is_empty() {
        return Ok(());
    }
    let missing = missing.join(" and ");
    if !is_root_on_debian(root) {
        return Err(format!("{missing} is missing: {}", wanted.advice));
    }
    println!("{missing} is missing and is installed through apt.");
    let options = ["install", "--quiet", "--yes", "--no-install-recommends"];
    let packages = [&options[..], wanted.packages].concat();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_does_not_exist_is_missing_and_one_that_does_is_not() {
        assert_eq!(missing(Path::new("."), &["cargo", "no-such-program"]), ["no-such-program"]);
    }
}
