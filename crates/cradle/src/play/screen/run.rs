//! The loop that draws the screen and handles events.

use std::env::var_os;
use std::io;

use anyhow::Context;

use super::charset::Charset;
use super::palette::Palette;
use super::state::ScreenState;
use super::terminal::Screen;
use super::terminal_events::TerminalEvents;
use super::update::{Flow, handle};
use crate::exit_reason::DeviceFailure;
use crate::paint::Paint;
use crate::play::session::{NextActor, PlaySession};

/// How a session on the screen ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::play) enum Ending {
    /// The person has quit.
    Quit,
    /// Ctrl-C or a signal ended it.
    Interrupted,
}

/// Plays on the whole terminal until the person quits, and restores the terminal.
///
/// # Errors
/// If the terminal fails.
pub(in crate::play) fn run(session: &mut PlaySession, charset: Charset) -> anyhow::Result<Ending> {
    let colours = var_os("COLORTERM");
    let palette = Palette::of(Paint::of_standard_output(), colours.as_deref());
    let state = ScreenState::new(session, palette, charset);
    let played = Screen::open().and_then(|mut screen| {
        let ending = play(&mut screen, session, state);
        screen.close().and(ending)
    });
    played.context(DeviceFailure::new("the terminal failed"))
}

fn play(
    screen: &mut Screen,
    session: &mut PlaySession,
    mut state: ScreenState,
) -> io::Result<Ending> {
    let events = TerminalEvents::new()?;
    loop {
        screen.draw(session, &state)?;
        while matches!(session.next_actor(), NextActor::Computer(_) | NextActor::Chance) {
            session.step();
            screen.draw(session, &state)?;
        }
        let Some(event) = events.next()? else { return Ok(Ending::Interrupted) };
        match handle(session, &mut state, screen.window()?, &event) {
            Flow::Continue => {}
            Flow::Suspend => screen.suspend()?,
            Flow::Quit => return Ok(Ending::Quit),
            Flow::Interrupt => return Ok(Ending::Interrupted),
        }
    }
}
