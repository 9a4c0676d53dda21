//! Ctrl-C in commands that do not fill the screen.

use std::fs::read_to_string;
use std::io::{IsTerminal, Write, stderr};
use std::process::exit;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use anyhow::Context;
use game::StopFlag;
use signal_hook::consts::SIGINT;
use signal_hook::iterator::{Handle, Signals};

use crate::console::visible;
use crate::exit_reason::{CUT_SHORT, DeviceFailure};

/// Ends the process on Ctrl-C, with a sentence on standard error and the exit code of a command that
/// was cut short. Dropping it makes Ctrl-C somebody else's concern.
///
/// A thread of its own does this, because the work that is interrupted may be a search of minutes or
/// a read that never returns.
#[derive(Debug)]
pub(crate) struct Interrupt {
    last_words: Arc<Mutex<String>>,
    signals: Option<Handle>,
}

/// How long standard error may take to accept the sentence: its reader may have stopped reading.
const PATIENCE: Duration = Duration::from_millis(500);

impl Interrupt {
    /// Waits for Ctrl-C from now on, with these words to say.
    ///
    /// # Errors
    /// If the system refuses a thread or a handler.
    pub(crate) fn watch(words: impl Into<String>) -> anyhow::Result<Self> {
        Self::after(None, words)
    }

    /// Waits for Ctrl-C from now on: the first one sets the flag, so that the work ends and tells what
    /// it knows; the second one ends the process.
    ///
    /// # Errors
    /// If the system refuses a thread or a handler.
    pub(crate) fn stop(flag: StopFlag, words: impl Into<String>) -> anyhow::Result<Self> {
        Self::after(Some(flag), words)
    }

    fn after(flag: Option<StopFlag>, words: impl Into<String>) -> anyhow::Result<Self> {
        let last_words = Arc::new(Mutex::new(words.into()));
        if is_ignored() {
            return Ok(Self { last_words, signals: None });
        }
        let failure = || DeviceFailure::new("Ctrl-C cannot be handled");
        let mut signals = Signals::new([SIGINT]).with_context(failure)?;
        let handle = signals.handle();
        let words = Arc::clone(&last_words);
        let wait = move || {
            let mut arrivals = signals.forever();
            if let Some(flag) = flag {
                if arrivals.next().is_none() {
                    return;
                }
                flag.stop();
            }
            if arrivals.next().is_some() {
                end(words);
            }
        };
        thread::Builder::new().spawn(wait).with_context(failure)?;
        Ok(Self { last_words, signals: Some(handle) })
    }

    /// Replaces the words.
    pub(crate) fn say(&self, words: impl Into<String>) {
        *self.last_words.lock().unwrap_or_else(PoisonError::into_inner) = words.into();
    }
}

impl Drop for Interrupt {
    fn drop(&mut self) {
        if let Some(signals) = &self.signals {
            signals.close();
        }
    }
}

#[expect(clippy::exit, reason = "the interrupted thread does not come back")]
fn end(words: Arc<Mutex<String>>) {
    let (said, is_said) = mpsc::channel();
    thread::spawn(move || {
        let words = words.lock().unwrap_or_else(PoisonError::into_inner);
        let mut err = stderr().lock();
        // A terminal has echoed `^C` at the end of whatever was there.
        let start = if err.is_terminal() { "\n" } else { "" };
        // There is no other place to report a failure.
        drop(writeln!(err, "{start}{}", visible(&words)));
        // The process ends either way.
        said.send(()).unwrap_or_default();
        // The lock is kept, so that these are the last words.
        thread::park();
    });
    // The exit code says the same if the words cannot be written in time.
    is_said.recv_timeout(PATIENCE).unwrap_or_default();
    exit(CUT_SHORT.into());
}

/// Whether this process was started with SIGINT ignored, as shells start jobs in the background: then
/// Ctrl-C is meant for somebody else.
fn is_ignored() -> bool {
    read_to_string("/proc/self/status").is_ok_and(|status| ignores(&status, SIGINT))
}

/// Whether a process ignores a signal, in Linux's report on it.
fn ignores(status: &str, signal: i32) -> bool {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ignored_signal_is_read_from_the_report_of_linux() {
        assert!(ignores("SigBlk:\t0000000000000000\nSigIgn:\t0000000000000002\n", SIGINT));
        assert!(!ignores("SigIgn:\t0000000000001000\nSigCgt:\t0000000000000002\n", SIGINT));
        assert!(!ignores("", SIGINT));
    }
}
