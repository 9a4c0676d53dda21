//! A program that a step starts.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::Failure;

/// A command line that can be run once.
#[derive(Debug)]
pub(crate) struct Program {
    command: Command,
    text: String,
}

impl Program {
    /// The command line of `program` with `arguments`, run in the folder `root`.
    pub(crate) fn new(root: &Path, program: &str, arguments: &[&str]) -> Self {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(root);
        for variable in std::env::vars_os().map(|(name, _)| name).filter(|name| is_of_package(name))
        {
            command.env_remove(variable);
        }
        let text = [&[program], arguments].concat().join(" ");
        Self { command, text }
    }

    /// The same command line with an environment variable set.
    pub(crate) fn with(mut self, variable: &str, value: &str) -> Self {
        self.command.env(variable, value);
        self
    }

    /// Runs it, with its output where ours goes.
    ///
    /// # Errors
    /// If it cannot be started or does not succeed.
    pub(crate) fn run(mut self) -> Result<(), Failure> {
        match self.command.stdin(Stdio::null()).status() {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(Failure::Failed { command: self.text, status }),
            Err(source) => Err(Failure::NotStarted { command: self.text, source }),
        }
    }

    /// What it writes to its standard output, or nothing if it does not succeed.
    pub(crate) fn answer(mut self) -> Option<String> {
        let output = self.command.stdin(Stdio::null()).output().ok()?;
        let text = output.status.success().then_some(output.stdout)?;
        String::from_utf8(text).ok()
    }
}

/// Whether Cargo has set this variable to tell a program of which package it is. Some build scripts
/// look at such variables: with ours they would run again whenever Cargo is called from here after it
/// was called by hand, and everything on top of them would be built again.
fn is_of_package(variable: &OsStr) -> bool {
    let beginnings = ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_NAME", "CARGO_CRATE_NAME"];
    variable
        .to_str()
        .is_some_and(|name| beginnings.iter().any(|beginning| name.starts_with(beginning)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_not_told_of_which_package_we_are() {
        for name in ["CARGO_PKG_NAME", "CARGO_MANIFEST_DIR", "CARGO_MANIFEST_PATH"] {
            assert!(is_of_package(OsStr::new(name)), "{name}");
        }
        for name in ["CARGO_TARGET_DIR", "CARGO_HOME", "CARGO", "PATH"] {
            assert!(!is_of_package(OsStr::new(name)), "{name}");
        }
    }

    fn program(arguments: &[&str]) -> Program {
        Program::new(Path::new("."), "cargo", arguments)
    }

    #[test]
    fn a_program_that_succeeds_answers() {
        let answer = program(&["--version"]).answer().expect("cargo has a version");
        assert!(answer.starts_with("cargo "), "{answer}");
    }

    #[test]
    fn a_program_that_fails_is_named_with_its_arguments() {
        assert_eq!(program(&["no-such-subcommand"]).answer(), None);
        let failure = program(&["no-such-subcommand"]).run().unwrap_err();
        assert!(failure.to_string().starts_with("`cargo no-such-subcommand` failed"), "{failure}");
    }

    #[test]
    fn a_program_that_does_not_exist_is_named() {
        let failure = Program::new(Path::new("."), "no-such-program", &[]).run().unwrap_err();
        assert!(
            failure.to_string().starts_with("`no-such-program` could not be started"),
            "{failure}"
        );
    }
}
