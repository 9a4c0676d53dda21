//! Running a program over a declared finite alphabet.

mod alphabet;
mod automaton;
mod blueprint;
mod builder;
mod event_tally;
mod instance;
mod learned;
mod local_state;
mod number_set;
mod permutation;
mod space;
mod standing;
mod strays;
mod table;

pub use self::automaton::{Automaton, ClosedLimits};
pub use self::instance::{AutomatonState, ClosedEngine, FollowedSuperstep, UnblockedWords};
pub use self::permutation::{NotSymmetric, Permutation};
pub use self::space::{ClosedStateSpace, PackedState};
