//! Games, players and matches, and the conformance checks.

mod any_game;
mod b_game;
mod conformance;
mod little_games;
mod matches;
mod players;
mod simultaneous_choices;
mod stopped_searches;
mod tournament;
