//! Tic-tac-toe, played through: every game, every position, every strategy taken away.

mod design;
mod designs;
mod environment;
mod game;
mod model;
mod plain_board;
mod play;
mod positions;
mod rules;
mod strategies;
mod turn_by_turn;
