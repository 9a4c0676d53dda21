//! `cradle draw`: the states of a text, or one of its runs, as a picture.

mod command;
mod picture_file;
mod state_picture;
mod states;

pub(crate) use command::DrawText;
