//! `cradle play` on a terminal, with the keys that the terminal handles itself.

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A shell on a terminal that `script` provides. The shell has job control.
struct Terminal {
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
    fn run(commands: &str) -> Self {
        let commands = commands.replace("cradle", env!("CARGO_BIN_EXE_cradle"));
        // The terminal of `script` has no size of its own if its input is a pipe.
        let commands = format!("stty cols 80 rows 24; {commands}");
        let mut command = Command::new("script");
        command.args(["-q", "-e", "-c", &commands, "/dev/null"]);
        command.env("SHELL", "/bin/bash").env("TERM", "xterm").env("LC_ALL", "C.UTF-8");
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("util-linux provides script");
        let keys = child.stdin.take().expect("it is piped");
        let screen = child.stdout.take().expect("it is piped");
        Self { child, keys, screen, shown: String::new(), awaited: 0 }
    }

    /// Waits until the terminal has shown this text after everything awaited before.
    fn wait_for(&mut self, text: &str) {
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

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("the terminal takes keys");
    }

    fn exit_code(mut self) -> Option<i32> {
        self.child.wait().expect("it ends").code()
    }
}

const ENTER_SCREEN: &str = "\x1b[?1049h";
const LEAVE_SCREEN: &str = "\x1b[?1049l";
const SHOW_CURSOR: &str = "\x1b[?25h";

#[test]
fn control_c_cuts_the_game_short() {
    let mut terminal = Terminal::run("cradle play --seed 1");
    terminal.wait_for("resign");
    terminal.press("\x03");
    terminal.wait_for(LEAVE_SCREEN);
    terminal.wait_for("No round was finished.");
    assert_eq!(terminal.exit_code(), Some(3));
}

#[test]
fn quitting_is_fine() {
    let mut terminal = Terminal::run("cradle play --seed 1");
    terminal.wait_for("resign");
    terminal.press("q");
    terminal.wait_for(LEAVE_SCREEN);
    assert_eq!(terminal.exit_code(), Some(0));
}

#[test]
fn control_z_gives_the_terminal_back_until_the_shell_continues_the_game() {
    let mut terminal =
        Terminal::run("set -m; cradle play --seed 1; echo stopped $?; fg; echo ended $?");
    terminal.wait_for(ENTER_SCREEN);
    terminal.wait_for("resign");
    terminal.press("\x1a");
    terminal.wait_for(SHOW_CURSOR);
    terminal.wait_for(LEAVE_SCREEN);
    terminal.wait_for("stopped 148");
    terminal.wait_for(ENTER_SCREEN);
    terminal.wait_for("resign");
    terminal.press("q");
    terminal.wait_for(LEAVE_SCREEN);
    terminal.wait_for("ended 0");
    assert_eq!(terminal.exit_code(), Some(0));
}

#[test]
fn a_terminal_without_unicode_gets_ascii() {
    for (arguments, is_ascii) in [("", false), (" --charset ascii", true)] {
        let mut terminal = Terminal::run(&format!("cradle play --seed 1{arguments}"));
        terminal.wait_for(ENTER_SCREEN);
        terminal.wait_for("resign");
        terminal.press("44");
        terminal.wait_for("SquareTaken");
        assert_eq!(terminal.shown.is_ascii(), is_ascii, "{}", terminal.shown);
        terminal.press("\x03");
        assert_eq!(terminal.exit_code(), Some(3));
    }
}
