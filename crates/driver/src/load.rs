//! Load tests of the server.

mod cluster_costs;
mod cluster_load;
mod disk;
mod failover;
mod floor;
mod idle;
mod load_command;
mod pair;
mod relay;
mod report;
mod subjects;
mod subjects_load;

pub(crate) use self::load_command::Load;
pub(crate) use self::pair::{Pace, PlayerPair};
pub(crate) use self::relay::relay;
