//! What `cradle games`, `match`, `replay`, `tournament`, `analyze` and `perft` answer.

mod analyze;
mod command;
mod games;
mod matches;
mod perft;
mod replay;
mod tournament;
