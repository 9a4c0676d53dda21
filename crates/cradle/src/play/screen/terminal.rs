//! The terminal that we draw on.

use std::io::{self, stdout};
use std::panic::{set_hook, take_hook};

use ratatui::DefaultTerminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{EnterAlternateScreen, enable_raw_mode};
use ratatui::layout::{Position, Rect};
use rustix::process::{Signal, kill_current_process_group};

use super::frame;
use super::state::ScreenState;
use crate::play::session::PlaySession;

/// The whole terminal, with raw keys and the mouse.
#[derive(Debug)]
pub(super) struct Screen {
    terminal: DefaultTerminal,
}

impl Screen {
    /// Takes over the terminal.
    pub(super) fn open() -> io::Result<Self> {
        let terminal = ratatui::try_init()?;
        release_mouse_on_panic();
        execute!(stdout(), EnableMouseCapture)?;
        Ok(Self { terminal })
    }

    /// Restores the terminal.
    pub(super) fn close(&mut self) -> io::Result<()> {
        let cursor = self.terminal.show_cursor();
        let mouse = execute!(stdout(), DisableMouseCapture);
        ratatui::try_restore().and(mouse).and(cursor)
    }

    /// The size of the window.
    pub(super) fn window(&self) -> io::Result<Rect> {
        Ok(Rect::from((Position::ORIGIN, self.terminal.size()?)))
    }

    pub(super) fn draw(&mut self, session: &PlaySession, state: &ScreenState) -> io::Result<()> {
        self.terminal.draw(|frame| frame::draw(frame.buffer_mut(), session, state)).map(drop)
    }

    /// Restores the terminal, stops until the shell continues us, and takes the terminal over again.
    pub(super) fn suspend(&mut self) -> io::Result<()> {
        self.close()?;
        // A shell stops a whole job at once: `cargo run` must stop with us.
        kill_current_process_group(Signal::TSTP)?;
        enable_raw_mode()?;
        execute!(stdout(), EnterAlternateScreen, EnableMouseCapture)?;
        // A new terminal draws everything again. `clear` would wait for an answer of the terminal.
        self.terminal = DefaultTerminal::new(CrosstermBackend::new(stdout()))?;
        Ok(())
    }
}

/// Ratatui restores the rest after a panic.
fn release_mouse_on_panic() {
    let before = take_hook();
    set_hook(Box::new(move |panic| {
        // There is no other place to report a failure.
        drop(execute!(stdout(), DisableMouseCapture));
        before(panic);
    }));
}
