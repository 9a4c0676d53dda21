//! The real program, serving.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A server that ends with the test.
pub(crate) struct Process {
    child: Child,
    /// Where it listens, as in `127.0.0.1:4000`.
    pub(crate) address: String,
}

impl Process {
    pub(crate) fn start(data: &Path) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cradle"));
        command.args(["serve", "--listen", "127.0.0.1:0", "--log", "warn", "--data"]).arg(data);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the command can be run");
        let out = child.stdout.as_mut().expect("it is piped");
        let mut line = String::new();
        BufReader::new(out).read_line(&mut line).expect("it says where it listens");
        let address = line.trim().rsplit("//").next().expect("it ends with an address").to_owned();
        Self { child, address }
    }

    /// Stops it as an operator would, and gives its exit code.
    pub(crate) fn stop(mut self) -> Option<i32> {
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
