//! Twins of honest games, each of which breaks one promise.

mod fault;
mod faulty_game;
mod list;
mod position;

pub(crate) use self::fault::Fault;
pub(crate) use self::faulty_game::Twin;
