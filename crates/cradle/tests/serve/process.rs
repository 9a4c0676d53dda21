//! The real program, serving.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

/// A server that ends with the test.
pub(crate) struct Process {
    child: Child,
    out: BufReader<ChildStdout>,
    /// Where it listens, as in `127.0.0.1:4000`.
    pub(crate) address: String,
}

impl Process {
    /// Starts it with its journal in a folder.
    pub(crate) fn start(data: &Path) -> Self {
        Self::start_with(&["--data", data.to_str().expect("the folder has a name of letters")])
    }

    pub(crate) fn start_with(given: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cradle"));
        command.args(["serve", "--listen", "127.0.0.1:0", "--log", "warn"]).args(given);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the command can be run");
        let mut out = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut line = String::new();
        out.read_line(&mut line).expect("it says where it listens");
        let address = line.trim().rsplit("//").next().expect("it ends with an address").to_owned();
        Self { child, out, address }
    }

    /// Stops it as an operator would, and gives its exit code.
    pub(crate) fn stop(mut self) -> Option<i32> {
        self.end()
    }

    /// Stops it; gives the last line that it says.
    pub(crate) fn goodbye(mut self) -> String {
        assert_eq!(self.end(), Some(0));
        let mut said = String::new();
        self.out.read_to_string(&mut said).expect("it says text");
        said.lines().last().expect("it says something").to_owned()
    }

    fn end(&mut self) -> Option<i32> {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-TERM", &id]).status();
        assert!(sent.expect("there is a kill").success());
        self.child.wait().expect("it ends").code()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
