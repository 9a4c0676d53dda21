//! Sessions and screens, without a browser.

mod agreements;
mod explanations;
mod fake_server;
mod local;
mod puzzles;
mod remote;
mod screens;
mod searching;
