//! Sessions and screens, without a browser.

mod agreements;
mod explanations;
mod fake_server;
mod local;
mod remote;
mod screens;
mod searching;
