//! Waiting for what the person does.

use std::io::{self, IsTerminal, stdin};
use std::process::exit;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use ratatui::crossterm::event::{Event, poll, read};
use signal_hook::consts::TERM_SIGNALS;
use signal_hook::flag;

/// Waits for the person, but no longer than there is a terminal and nobody wants the process to end.
pub(super) struct Waiting {
    is_ending: Arc<AtomicBool>,
}

/// How long it takes at most to notice that it is in vain.
const PATIENCE: Duration = Duration::from_millis(250);

/// The terminal goes away.
#[cfg(unix)]
const HANG_UP: &[i32] = &[signal_hook::consts::SIGHUP];
#[cfg(not(unix))]
const HANG_UP: &[i32] = &[];

/// Ends the process when its terminal has gone away: whoever reads from it would not notice, but try
/// again for ever. There is nothing left that could be put back as it was.
#[expect(clippy::exit, reason = "the thread that reads does not come back")]
fn watch_the_terminal() {
    while stdin().is_terminal() {
        thread::sleep(PATIENCE);
    }
    exit(1);
}

impl Waiting {
    /// From now on, who wants the process to end only says so: the terminal is to be left as it was.
    pub(super) fn new() -> io::Result<Self> {
        let is_ending = Arc::new(AtomicBool::new(false));
        for signal in TERM_SIGNALS.iter().chain(HANG_UP) {
            flag::register(*signal, Arc::clone(&is_ending))?;
        }
        thread::Builder::new().spawn(watch_the_terminal)?;
        Ok(Self { is_ending })
    }

    /// What the person does next; `None` if that cannot be waited for any more.
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
