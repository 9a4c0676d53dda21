//! Tic-tac-toe, completely: every game, every position, and every program without one strategy.

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
