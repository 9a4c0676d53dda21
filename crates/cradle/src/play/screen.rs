//! A session on the whole terminal.
//!
//! - `state`: what the screen shows besides the session. `keys`: the meaning of keys and clicks.
//!   `update`: what they do.
//! - `layout`: where everything is. `frame` draws the whole screen; `board`, `marks`, `menu`,
//!   `panel`, `help`, `text_box`, `status` and `footer` draw its parts.
//! - `palette`: colours. `charset`: characters.
//! - `run`: the loop. `terminal`: the terminal itself. `terminal_events`: its events.

mod board;
mod charset;
mod footer;
mod frame;
mod help;
mod keys;
mod layout;
mod marks;
mod menu;
mod palette;
mod panel;
mod run;
mod state;
mod status;
#[cfg(test)]
mod svg;
mod terminal;
mod terminal_events;
#[cfg(test)]
mod test_screen;
mod text_box;
mod update;

pub(super) use self::charset::Charset;
pub(super) use self::run::{Ending, run};
