//! The views of the page.
//!
//! `index.html` brings the frame and the menu. The views fill the places that it leaves open.

mod absent_player;
mod analysis;
mod app;
mod board;
mod devices;
mod drawing;
mod drawn;
mod explanation_panel;
mod fairness;
mod followed;
mod game_page;
mod history;
mod home;
mod invitation;
mod local_table;
mod navigator;
mod problem;
mod puzzle;
mod reactive;
mod remote_table;
mod replay;
mod rules_note;
mod rules_why;
mod session_handle;
mod table;
mod takebacks;
mod view;
mod watch;

pub use app::{start, start_first};
