//! The page: Cat's Cradle in the browser.
//!
//! [`sitting`] is a person at a table, in this browser or on a server; [`scene`], [`why`] and
//! [`words`] say what is to be seen of it, as values. None of that knows that there is a browser. The
//! rest draws it: `ui` has the views, `browser` has sockets, storage and clocks.
//!
//! No rule of any game is here: what is legal, who has won and why is asked of the table and its
//! game.

mod browser;
mod kept;
mod place;
pub mod scene;
pub mod sitting;
mod ui;
pub mod why;
pub mod words;

pub use ui::start;
