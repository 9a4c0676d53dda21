//! Ctrl-C ends every command with exit code 3, also in the middle of long work.

use std::fs::read_to_string;
use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Read, Write, pipe};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread::yield_now;

use rustix::process::{Pid, Signal, kill_process};

/// A command that runs.
struct Running {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<PipeReader>,
}

impl Running {
    fn new(arguments: &[&str]) -> Self {
        let (output, writer) = pipe().expect("there are pipes");
        Self::writing(arguments, output, writer)
    }

    /// A command whose output already holds so much that little more fits into it.
    fn with_full_output(arguments: &[&str]) -> Self {
        let (output, mut writer) = pipe().expect("there are pipes");
        writer.write_all(&vec![b'.'; 60_000]).expect("a pipe of Linux holds 64 KiB");
        Self::writing(arguments, output, writer)
    }

    fn writing(arguments: &[&str], output: PipeReader, writer: PipeWriter) -> Self {
        // Shells start jobs in the background with Ctrl-C ignored, and so would be the command.
        let mut command = Command::new("env");
        command.args(["--default-signal=INT", env!("CARGO_BIN_EXE_cradle")]).args(arguments);
        command.stdin(Stdio::piped()).stdout(writer).stderr(Stdio::piped());
        let mut child = command.spawn().expect("coreutils provides env");
        let input = child.stdin.take();
        Self { child, input, output: BufReader::new(output) }
    }

    /// Waits until the command handles Ctrl-C.
    fn wait_for_handler(&self) {
        let status = format!("/proc/{}/status", self.child.id());
        let handles = |status: String| {
            let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
            let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
            mask.is_some_and(|mask| mask & 2 != 0)
        };
        while !handles(read_to_string(&status).expect("it runs")) {
            yield_now();
        }
    }

    /// Waits until the output has this text.
    fn wait_for(&mut self, text: &str) {
        let mut shown = String::new();
        let mut byte = [0];
        while !shown.contains(text) {
            self.output.read_exact(&mut byte).expect("it goes on until then");
            shown.push(char::from(byte[0]));
        }
    }

    fn write(&mut self, text: &str) {
        let input = self.input.as_mut().expect("it is open");
        input.write_all(text.as_bytes()).expect("it reads");
    }

    fn interrupt(&self) {
        kill_process(Pid::from_child(&self.child), Signal::INT).expect("it runs");
    }

    /// The exit code after Ctrl-C, the rest of the output, and what it says on standard error.
    fn interrupted_with_output(mut self) -> (Option<i32>, String, String) {
        self.interrupt();
        let mut shown = String::new();
        self.output.read_to_string(&mut shown).expect("it prints text");
        let (code, said) = self.ended();
        (code, shown, said)
    }

    /// The exit code after Ctrl-C, and what it says on standard error.
    fn interrupted(self) -> (Option<i32>, String) {
        self.interrupt();
        self.ended()
    }

    fn ended(mut self) -> (Option<i32>, String) {
        // The input stays open: a command that reads must not wait for its end.
        let status = self.child.wait().expect("it ends");
        let mut said = String::new();
        let mut err = self.child.stderr.take().expect("it is piped");
        err.read_to_string(&mut said).expect("it speaks text");
        (status.code(), said)
    }
}

#[track_caller]
fn check(running: Running, expected: &str) {
    let (code, said) = running.interrupted();
    assert_eq!(code, Some(3), "{said}");
    assert!(said.starts_with(expected), "{said}");
}

#[test]
fn a_game_line_by_line_ends_with_its_score() {
    let mut game = Running::new(&["play", "--against", "scripted:b2", "--seed", "1"]);
    game.wait_for("X> ");
    game.write("a1\nresign\n");
    game.wait_for("Write new for another round.\nX> ");
    let expected = "Ctrl-C ended the game. Score after 1 round: X (you) 0, O (scripted:b2) 1.\n\
                    To repeat it: cradle play tic-tac-toe --seat X --against scripted:b2 --seed 1\n";
    let (code, said) = game.interrupted();
    assert_eq!((code, said.as_str()), (Some(3), expected));
}

#[test]
fn a_count_ends_in_the_middle_of_a_depth() {
    let mut count = Running::new(&["perft", "connect-four", "30"]);
    count.wait_for("117,649");
    check(count, "Ctrl-C ended the count before depth ");
}

#[test]
fn a_match_whose_output_nobody_reads_ends() {
    let long = ["match", "mnk:19,19,19", "random", "random", "--seed", "1"];
    let mut endless = Running::new(&long);
    endless.wait_for("\n");
    check(endless, "Ctrl-C ended the match before its result.\n");
}

#[test]
fn a_verification_whose_drawing_nobody_reads_ends() {
    let arguments = ["verify", "tic-tac-toe", "--graph-states", "1000", "--dot", "-"];
    let search = Running::with_full_output(&arguments);
    search.wait_for_handler();
    check(search, "Ctrl-C ended the search after ");
}

#[test]
fn a_replay_that_waits_for_input_ends() {
    let mut replay = Running::new(&["replay", "-", "--game", "pig"]);
    // More than fits into a pipe: the command reads before all of it is written.
    replay.write(&"\n".repeat(1 << 17));
    replay.wait_for_handler();
    check(replay, "Ctrl-C ended the replay. No line was checked.\n");
}

#[test]
fn a_run_that_waits_for_input_ends() {
    for (more, shown) in [(&[][..], "> "), (&["--json"], "\n")] {
        let mut run = Running::new(&[&["run", "dining", "n=3"], more].concat());
        run.wait_for(shown);
        check(run, "Ctrl-C ended the run. What was saved is kept.\n");
    }
}

#[test]
fn a_job_in_the_background_leaves_ctrl_c_to_others() {
    let mut command = Command::new("env");
    command.args(["--ignore-signal=INT", env!("CARGO_BIN_EXE_cradle"), "play", "--seed", "1"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("coreutils provides env");
    let mut output = BufReader::new(child.stdout.take().expect("it is piped"));
    let mut line = String::new();
    output.read_line(&mut line).expect("it says what it plays");
    kill_process(Pid::from_child(&child), Signal::INT).expect("it runs");
    drop(child.stdin.take());
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn a_tournament_ends_with_what_is_known() {
    let players = ["tournament", "tic-tac-toe", "random", "mcts:100", "--games", "10000000"];
    let long = Running::new(&[&players[..], &["--seed", "1", "--format", "csv"]].concat());
    long.wait_for_handler();
    let (code, shown, said) = long.interrupted_with_output();
    assert_eq!(code, Some(3));
    assert!(shown.starts_with("player,games,"), "{shown}");
    assert!(shown.lines().skip(1).all(|line| line.ends_with(",true")), "{shown}");
    assert!(said.starts_with("Ctrl-C ended the tournament after "), "{said}");
    assert!(said.ends_with(" of 10,000,000 games.\n"), "{said}");
}

#[test]
fn a_tournament_that_was_cut_short_says_so_in_every_format() {
    let players = ["tournament", "tic-tac-toe", "random", "mcts:100", "--games", "10000000"];
    for (format, words) in [
        ("json", "\"cut_short\": true"),
        ("text", "\ncut short after "),
        ("svg", ", cut short after "),
    ] {
        let long = Running::new(&[&players[..], &["--seed", "1", "--format", format]].concat());
        long.wait_for_handler();
        let (code, shown, _) = long.interrupted_with_output();
        assert_eq!(code, Some(3));
        assert!(shown.contains(words), "{shown}");
    }
}

#[test]
fn an_analysis_ends_with_an_estimate() {
    let limits = ["--positions", "1000000000000", "--simulations", "50"];
    let long = Running::new(&[&["analyze", "connect-four"], &limits[..]].concat());
    long.wait_for_handler();
    let (code, shown, said) = long.interrupted_with_output();
    assert_eq!(code, Some(3));
    assert!(
        shown.contains("X to move: about ") && shown.contains("(estimate, by mcts:50)"),
        "{shown}"
    );
    assert_eq!(said, "Ctrl-C ended the search early: this is an estimate.\n");
}
