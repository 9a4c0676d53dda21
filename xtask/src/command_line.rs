//! A program with its arguments.

use std::ffi::OsStr;
use std::io::{self, BufRead as _, BufReader, IsTerminal as _};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};

use serde_json::Value;

use crate::TaskFailure;
use crate::last_lines::LastLines;

/// A program with its arguments, to be run once.
#[derive(Debug)]
pub(crate) struct CommandLine {
    command: Command,
    text: String,
}

impl CommandLine {
    /// Runs `program` with `arguments` in the folder `root`.
    pub(crate) fn new(root: &Path, program: &str, arguments: &[&str]) -> Self {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(root);
        for variable in std::env::vars_os().map(|(name, _)| name).filter(|name| is_of_package(name))
        {
            command.env_remove(variable);
        }
        // Continuous integration compiles a fresh clone once: what an incremental build stores is never used.
        if std::env::var_os("CI").is_some() {
            command.env("CARGO_INCREMENTAL", "0");
        }
        let text = [&[program], arguments].concat().join(" ");
        Self { command, text }
    }

    /// The same with an environment variable set.
    pub(crate) fn with(mut self, variable: &str, value: &str) -> Self {
        self.command.env(variable, value);
        self
    }

    /// Runs the program; its output goes where ours goes.
    ///
    /// # Errors
    /// If it cannot be started or does not succeed.
    pub(crate) fn run(mut self) -> Result<(), TaskFailure> {
        let is_watched = io::stdout().is_terminal() || io::stderr().is_terminal();
        if is_watched {
            let child = self.start()?;
            return self.finish(child);
        }
        self.command.stderr(Stdio::piped()).stdout(Stdio::piped());
        let mut child = self.start()?;
        let output = child.stdout.take().map(|it| LastLines::copying(it, io::stdout()));
        let errors = child.stderr.take().map(|it| LastLines::copying(it, io::stderr()));
        // A finished copy is all that there is, unless the program has left others that still print.
        let end = child.wait();
        let copied = |copying: Option<_>| copying.map(LastLines::of_ended).unwrap_or_default();
        let last_lines = copied(output).followed_by(copied(errors));
        self.ended(end, last_lines)
    }

    /// Runs the program without its standard output; complaints go where ours go.
    ///
    /// # Errors
    /// If it cannot be started or does not succeed.
    pub(crate) fn run_silently(mut self) -> Result<(), TaskFailure> {
        self.command.stdout(Stdio::null());
        let child = self.start()?;
        self.finish(child)
    }

    /// Runs the program; a complaint on its standard error is a failure, whatever its exit status.
    ///
    /// # Errors
    /// If it cannot be started, complains or does not succeed.
    pub(crate) fn run_without_complaint(mut self) -> Result<(), TaskFailure> {
        let output = self.command.stdin(Stdio::null()).stdout(Stdio::null()).output();
        let command = self.text;
        match output {
            Ok(output) if output.status.success() && output.stderr.is_empty() => Ok(()),
            Ok(output) => {
                eprint!("{}", String::from_utf8_lossy(&output.stderr));
                let last_lines = LastLines::default();
                Err(TaskFailure::Failed { command, status: output.status, last_lines })
            }
            Err(source) => Err(TaskFailure::NotStarted { command, source }),
        }
    }

    /// Runs the program; its standard output goes where ours goes, and is returned.
    ///
    /// # Errors
    /// If it cannot be started or does not succeed.
    pub(crate) fn run_and_read(mut self) -> Result<String, TaskFailure> {
        self.command.stdout(Stdio::piped());
        let mut child = self.start()?;
        let output = child.stdout.take().expect("its output is piped");
        let mut text = String::new();
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            println!("{line}");
            text.push_str(&line);
            text.push('\n');
        }
        self.finish(child)?;
        Ok(text)
    }

    /// Runs `cargo build`, and calls `compiled` with the name of each crate that is newly compiled.
    /// Only warnings and errors are shown. A break kills Cargo.
    ///
    /// # Errors
    /// If Cargo cannot be started, does not succeed or is killed.
    pub(crate) fn run_build(
        mut self,
        mut compiled: impl FnMut(&str) -> ControlFlow<()>,
    ) -> Result<(), TaskFailure> {
        self.command.args(["--quiet", "--message-format", "json-render-diagnostics"]);
        self.command.stdout(Stdio::piped());
        let mut child = self.start()?;
        let output = child.stdout.take().expect("its output is piped");
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            let compiled = compiled_crate(&line).map(|name| compiled(&name));
            if compiled.is_some_and(|flow| flow.is_break()) {
                // Cargo may have ended meanwhile, which is as good.
                drop(child.kill());
                drop(child.wait());
                return Err(TaskFailure::Stopped);
            }
        }
        self.finish(child)
    }

    fn start(&mut self) -> Result<Child, TaskFailure> {
        let child = self.command.stdin(Stdio::null()).spawn();
        child.map_err(|source| TaskFailure::NotStarted { command: self.text.clone(), source })
    }

    fn finish(self, mut child: Child) -> Result<(), TaskFailure> {
        self.ended(child.wait(), LastLines::default())
    }

    fn ended(self, end: io::Result<ExitStatus>, last_lines: LastLines) -> Result<(), TaskFailure> {
        match end {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(TaskFailure::Failed { command: self.text, status, last_lines }),
            Err(source) => Err(TaskFailure::NotStarted { command: self.text, source }),
        }
    }

    /// What the program writes to its standard output, or nothing if it does not succeed.
    pub(crate) fn answer(mut self) -> Option<String> {
        let output = self.command.stdin(Stdio::null()).output().ok()?;
        let text = output.status.success().then_some(output.stdout)?;
        String::from_utf8(text).ok()
    }
}

/// The crate that Cargo has newly compiled, if that is what this line of its messages says.
fn compiled_crate(message: &str) -> Option<String> {
    let message: Value = serde_json::from_str(message).ok()?;
    let is_compiled = message["reason"] == "compiler-artifact" && message["fresh"] == false;
    is_compiled.then(|| message["target"]["name"].as_str().map(str::to_owned))?
}

/// Whether Cargo has set this variable to say which package a program belongs to. Some build scripts
/// read such variables: with ours they would run again whenever Cargo is called from here after it
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
    fn a_crate_is_reported_when_it_is_compiled_and_not_when_it_is_fresh() {
        let message = |fresh: bool| {
            format!(
                r#"{{"reason":"compiler-artifact","target":{{"name":"serde"}},"fresh":{fresh}}}"#
            )
        };
        assert_eq!(compiled_crate(&message(false)).as_deref(), Some("serde"));
        for line in [&message(true), r#"{"reason":"build-finished","success":true}"#, "serde", ""] {
            assert_eq!(compiled_crate(line), None, "{line}");
        }
    }

    #[test]
    fn programs_do_not_learn_which_package_we_are() {
        for name in ["CARGO_PKG_NAME", "CARGO_MANIFEST_DIR", "CARGO_MANIFEST_PATH"] {
            assert!(is_of_package(OsStr::new(name)), "{name}");
        }
        for name in ["CARGO_TARGET_DIR", "CARGO_HOME", "CARGO", "PATH"] {
            assert!(!is_of_package(OsStr::new(name)), "{name}");
        }
    }

    fn program(arguments: &[&str]) -> CommandLine {
        CommandLine::new(Path::new("."), "cargo", arguments)
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
    fn a_failure_ends_with_the_last_messages_of_the_program() {
        let script = "echo done; echo 'no moon tonight' >&2; exit 3";
        let run = CommandLine::new(Path::new("."), "sh", &["-c", script]).run();
        // At a terminal the messages are seen as they come.
        if !io::stdout().is_terminal() && !io::stderr().is_terminal() {
            let failure = run.unwrap_err().to_string();
            assert!(failure.ends_with("\n    | done\n    | no moon tonight"), "{failure}");
        }
    }

    #[test]
    fn the_output_of_a_program_is_read_unless_it_fails() {
        let run = |script| CommandLine::new(Path::new("."), "sh", &["-c", script]).run_and_read();
        assert_eq!(run("echo a; echo b").ok().as_deref(), Some("a\nb\n"));
        assert!(run("echo a; exit 1").is_err());
    }

    #[test]
    fn a_complaint_is_a_failure_even_if_the_program_succeeds() {
        let run = |script| CommandLine::new(Path::new("."), "sh", &["-c", script]);
        assert!(run("echo fine").run_without_complaint().is_ok());
        assert!(run("echo no >&2").run_without_complaint().is_err());
        assert!(run("exit 1").run_without_complaint().is_err());
    }

    #[test]
    fn a_program_that_does_not_exist_is_named() {
        let failure = CommandLine::new(Path::new("."), "no-such-program", &[]).run().unwrap_err();
        assert!(
            failure.to_string().starts_with("`no-such-program` could not be started"),
            "{failure}"
        );
    }
}
