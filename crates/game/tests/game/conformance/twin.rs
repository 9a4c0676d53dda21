//! Twins of honest games, each with one fault.

mod fault;
mod faulty_game;
mod faulty_position;
mod move_list;

pub(crate) use self::fault::Fault;
pub(crate) use self::faulty_game::FaultyGame;
