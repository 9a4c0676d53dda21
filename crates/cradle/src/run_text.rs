//! `cradle run`: a b-program event by event, at a prompt or for another program.

mod co_process;
mod command;
mod line_editor;
mod prompt;
mod session;

pub(crate) use command::RunText;
