//! What `cradle games`, `match`, `replay` and `perft` answer.

mod command;
mod games;
mod matches;
mod perft;
mod replay;
