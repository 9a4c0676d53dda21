//! Games, players and matches, and the conformance checks.

mod any_game;
mod b_game;
mod conformance;
mod little_games;
mod matches;
mod players;
mod tournament;
