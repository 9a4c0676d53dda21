//! A command on a terminal.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A shell on a terminal that `script` provides. The shell has job control.
pub(crate) struct Terminal {
    child: Child,
    keys: ChildStdin,
    screen: ChildStdout,
    /// Everything that the terminal has shown.
    shown: String,
    /// The part of it that was awaited, in bytes.
    awaited: usize,
}

impl Terminal {
    /// Runs commands in a shell in which `cradle` is the command under test.
    pub(crate) fn run(commands: &str) -> Self {
        let folder = Path::new(env!("CARGO_BIN_EXE_cradle")).parent().expect("it is in a folder");
        let others = std::env::var("PATH").expect("there are other commands");
        // The terminal of `script` has no size of its own if its input is a pipe.
        let commands = format!("stty cols 80 rows 24; {commands}");
        let mut command = Command::new("script");
        command.args(["-q", "-e", "-c", &commands, "/dev/null"]);
        command.env("PATH", format!("{}:{others}", folder.display()));
        command.env("SHELL", "/bin/bash").env("TERM", "xterm").env("LC_ALL", "C.UTF-8");
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("util-linux provides script");
        let keys = child.stdin.take().expect("it is piped");
        let screen = child.stdout.take().expect("it is piped");
        Self { child, keys, screen, shown: String::new(), awaited: 0 }
    }

    /// Waits until the terminal has shown this text after everything awaited before.
    pub(crate) fn wait_for(&mut self, text: &str) {
        let mut bytes = [0; 4096];
        loop {
            let rest = self.shown.get(self.awaited..).expect("awaited text ends at a character");
            if let Some(found) = rest.find(text) {
                self.awaited += found + text.len();
                return;
            }
            let read = self.screen.read(&mut bytes).expect("the terminal can be read");
            assert_ne!(read, 0, "{text:?} is missing in {}", self.shown);
            self.shown.push_str(&String::from_utf8_lossy(&bytes[..read]));
        }
    }

    /// Everything that the terminal has shown.
    pub(crate) fn shown(&self) -> &str {
        &self.shown
    }

    pub(crate) fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("the terminal takes keys");
    }

    pub(crate) fn exit_code(mut self) -> Option<i32> {
        self.child.wait().expect("it ends").code()
    }
}
