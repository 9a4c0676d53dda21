//! `cradle tournament`: players play many games, and their strength is measured.

mod command;
mod plot;
mod report;
mod rounds;
mod standings_table;

pub(crate) use command::TournamentCommand;
