//! The page: Cat's Cradle in the browser.
//!
//! - [`session`] is one person's part in a table, in this browser or on a server.
//! - [`games_menu`] lists the games and levels that the page offers.
//! - [`replay`] looks at a game again.
//! - [`rules_link`] leads from games and tables to their rules in the lab.
//! - [`screen`], [`explanation`] and [`texts`] turn it into what the screen shows, as values.
//! - [`language`] says sentences in the person's language.
//! - `json` is JSON without a type for each value.
//! - [`lab`] is the page on which rules are written, switched off, played and proved, as values.
//! - [`worker`] does what takes long beside the lab, which sends it messages; [`searching`] does so beside
//!   the page.
//! - `ui` draws these values; `browser` has sockets, storage and clocks; `storage` remembers names,
//!   seats and games. These three need a browser and are behind the feature `page`.
//!
//! Four programs are made of it, so that each visitor loads only what is needed: `web` (the home page, and
//! tic-tac-toe in this browser), `pages` (the whole page), `search` (the worker of both, which computes what
//! the computer plays and what positions are worth) and `lab`, which runs a second time as its own worker.
//!
//! No rule of any game is here: the table and its game say what is legal, who has won, and why.

#[cfg(feature = "page")]
mod browser;
pub mod explanation;
pub mod games_menu;
mod json;
pub mod lab;
pub mod language;
pub mod puzzle;
pub mod replay;
#[cfg(any(feature = "page", test))]
mod route;
pub mod rules_link;
pub mod screen;
pub mod searching;
pub mod session;
#[cfg(any(feature = "page", test))]
mod small_board;
#[cfg(feature = "page")]
mod storage;
pub mod texts;
#[cfg(feature = "page")]
mod ui;

pub mod worker;

#[cfg(feature = "page")]
pub use browser::is_worker;
#[cfg(feature = "page")]
pub use lab::page::start as start_lab;
#[cfg(feature = "page")]
pub use ui::{start, start_first};

/// Starts the worker of the lab.
#[cfg(feature = "page")]
pub fn start_worker() {
    browser::listen(|message, reply| {
        worker::answer(message, &mut |told| reply(&told.write()));
    });
}

/// Starts the worker of the page.
#[cfg(feature = "page")]
pub fn start_search_worker() {
    let mut searcher = searching::Searcher::default();
    browser::listen(move |message, reply| {
        if let Some(text) = searcher.answer(message) {
            reply(&text);
        }
    });
}
