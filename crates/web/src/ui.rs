//! The views of the page.
//!
//! `index.html` brings the frame and the menu. The views fill the places that it leaves open.

mod app;
mod board;
mod drawing;
mod explanation_panel;
mod game_page;
mod history;
mod home;
mod invitation;
mod local_table;
mod navigator;
mod problem;
mod reactive;
mod remote_table;
mod replay;
mod rules_note;
mod session_handle;
mod table;
mod watch;

pub use app::{start, start_first};
