//! The signals of a server.

use std::io::{self, IsTerminal as _, stdin};

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc;

use super::reload::Reload;

/// The signals that stop a server, and the one that makes it read its settings again.
pub(super) struct Signals {
    interrupt: Signal,
    terminate: Signal,
    quit: Signal,
    user: Signal,
    hangup: Signal,
    /// Whether the server was started at a terminal.
    had_terminal: bool,
}

impl Signals {
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            quit: signal(SignalKind::quit())?,
            user: signal(SignalKind::user_defined1())?,
            hangup: signal(SignalKind::hangup())?,
            had_terminal: stdin().is_terminal(),
        })
    }

    /// Handles signals for ever: asks the server to stop, or loads its settings again.
    pub(super) async fn handle(
        mut self,
        stop: mpsc::Sender<&'static str>,
        reload: Reload<'_>,
    ) -> ! {
        loop {
            let why = tokio::select! {
                _ = self.interrupt.recv() => "SIGINT",
                _ = self.terminate.recv() => "SIGTERM",
                _ = self.quit.recv() => "SIGQUIT",
                _ = self.user.recv() => "SIGUSR1",
                _ = self.hangup.recv() => if self.has_lost_its_terminal() {
                    "SIGHUP, and the terminal is gone"
                } else {
                    reload.run();
                    continue;
                }
            };
            if stop.try_send(why).is_err() {
                tracing::debug!(why, "the server is ending already");
            }
        }
    }

    /// Whether the window is closed in which the server was started: the same signal tells.
    fn has_lost_its_terminal(&self) -> bool {
        self.had_terminal && !stdin().is_terminal()
    }
}
