//! A session on the whole terminal.
//!
//! - `view`: what is on the screen besides the session. `keys`: what keys and clicks mean;
//!   `acting`: what comes of that.
//! - `plan`: where everything is. `frame` draws it all; `board`, `marks`, `menu`, `panel`,
//!   `help`, `status` and `footer` its parts; `palette`: in which colours.

mod acting;
mod board;
mod footer;
mod frame;
mod help;
mod keys;
mod marks;
mod menu;
mod palette;
mod panel;
mod plan;
#[cfg(test)]
mod stage;
mod status;
#[cfg(test)]
mod svg;
mod view;
mod waiting;

use std::env::var_os;
use std::io::{self, stdout};
use std::panic::{set_hook, take_hook};

use anyhow::Context;
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::execute;
use ratatui::layout::Rect;

use self::acting::{Flow, act};
use self::palette::Palette;
use self::view::View;
use self::waiting::Waiting;
use super::session::{Awaited, Session};
use crate::paint::Paint;

/// Plays on the whole terminal until the person has enough, and leaves it as it was.
///
/// # Errors
/// If the terminal fails.
pub(super) fn run(session: &mut Session) -> anyhow::Result<()> {
    let colours = var_os("COLORTERM");
    let palette = Palette::of(Paint::of_standard_output(), colours.as_deref());
    let mut terminal = ratatui::try_init().context("the terminal cannot be drawn on")?;
    let played = capture_mouse().and_then(|()| play(&mut terminal, session, palette));
    let released = execute!(stdout(), DisableMouseCapture);
    ratatui::restore();
    played.and(released).context("the terminal fails")
}

/// Also makes sure that a panic gives the mouse back; what comes before does so with the rest.
fn capture_mouse() -> io::Result<()> {
    let before = take_hook();
    set_hook(Box::new(move |panic| {
        // There is nobody left to tell if it cannot be written.
        drop(execute!(stdout(), DisableMouseCapture));
        before(panic);
    }));
    execute!(stdout(), EnableMouseCapture)
}

fn play(terminal: &mut DefaultTerminal, session: &mut Session, palette: Palette) -> io::Result<()> {
    let mut view = View::new(session, palette);
    let waiting = Waiting::new()?;
    loop {
        draw(terminal, session, &view)?;
        while matches!(session.awaited(), Awaited::Computer(_) | Awaited::Chance) {
            session.go_on();
            draw(terminal, session, &view)?;
        }
        let Some(event) = waiting.next()? else { return Ok(()) };
        let window = Rect::from((ratatui::layout::Position::ORIGIN, terminal.size()?));
        if let Some(action) = keys::action(&event, &view.mode)
            && act(session, &mut view, window, action) == Flow::End
        {
            return Ok(());
        }
    }
}

fn draw(terminal: &mut DefaultTerminal, session: &Session, view: &View) -> io::Result<()> {
    terminal.draw(|frame| frame::draw(frame.buffer_mut(), session, view)).map(drop)
}
