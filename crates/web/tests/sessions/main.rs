//! People at tables, without a browser.

mod hall;
mod local;
mod remote;
mod scenes;
mod whys;
