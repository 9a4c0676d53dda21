//! The events of a terminal.

use std::io::{self, IsTerminal, stdin};
use std::process::exit;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use ratatui::crossterm::event::{Event, poll, read};
use signal_hook::consts::{SIGHUP, TERM_SIGNALS};
use signal_hook::flag;

use crate::exit_reason::CUT_SHORT;

/// The events of a terminal, until it goes away or a signal asks the process to end.
pub(super) struct TerminalEvents {
    is_ending: Arc<AtomicBool>,
}

/// How soon a lost terminal or a signal is noticed.
const PATIENCE: Duration = Duration::from_millis(250);

/// Ends the process when its terminal has gone away: crossterm would retry reading from it for ever.
/// There is no terminal left to restore.
#[expect(clippy::exit, reason = "the thread that reads does not come back")]
fn exit_without_terminal() {
    while stdin().is_terminal() {
        thread::sleep(PATIENCE);
    }
    exit(CUT_SHORT.into());
}

impl TerminalEvents {
    /// Turns signals that end the process into the end of the events, so that the terminal can be
    /// restored first.
    pub(super) fn new() -> io::Result<Self> {
        let is_ending = Arc::new(AtomicBool::new(false));
        for signal in TERM_SIGNALS.iter().chain(&[SIGHUP]) {
            flag::register(*signal, Arc::clone(&is_ending))?;
        }
        thread::Builder::new().spawn(exit_without_terminal)?;
        Ok(Self { is_ending })
    }

    /// Waits for the next event; `None` if the process should end.
    pub(super) fn next(&self) -> io::Result<Option<Event>> {
        loop {
            if self.is_ending.load(Ordering::Relaxed) {
                return Ok(None);
            }
            match poll(PATIENCE) {
                Ok(true) => return read().map(Some),
                Ok(false) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}
