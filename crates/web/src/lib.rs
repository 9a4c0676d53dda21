//! The page: Cat's Cradle in the browser.
//!
//! - [`session`] is one person's part in a table, in this browser or on a server.
//! - [`games_menu`] lists the games and levels that the page offers.
//! - [`replay`] looks at a game again.
//! - [`screen`], [`explanation`] and [`texts`] turn it into what the screen shows, as values.
//! - [`lab`] is the page on which rules are written, switched off, played and proved, as values.
//! - [`worker`] does what takes long beside the page, which sends it messages.
//! - `ui` draws these values; `browser` has sockets, storage and clocks; `storage` remembers names,
//!   seats and games. These three need a browser and are behind the feature `page`.
//!
//! Two programs are made of it, so that each visitor loads only what is needed: `web` (the page) and
//! `lab`, which runs a second time as its own worker.
//!
//! No rule of any game is here: the table and its game say what is legal, who has won, and why.

#[cfg(feature = "page")]
mod browser;
pub mod explanation;
pub mod games_menu;
pub mod lab;
pub mod replay;
#[cfg(any(feature = "page", test))]
mod route;
pub mod screen;
pub mod session;
#[cfg(feature = "page")]
mod storage;
pub mod texts;
#[cfg(feature = "page")]
mod ui;

pub mod worker;

#[cfg(feature = "page")]
pub use browser::{is_worker, start_worker};
#[cfg(feature = "page")]
pub use lab::page::start as start_lab;
#[cfg(feature = "page")]
pub use ui::start;
