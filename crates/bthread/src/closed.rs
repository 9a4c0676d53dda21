//! Running a program over a declared finite alphabet.

mod alphabet;
mod automaton;
mod automaton_state;
mod block_changes;
mod blueprint;
mod builder;
mod closed_engine;
mod event_tally;
mod learned;
mod local_place;
mod local_ranking;
mod local_reader;
mod local_state;
mod number_set;
mod packed_rules;
mod packed_state;
mod permutation;
mod space;
mod standing;
mod state_place;
mod strays;
mod table;
mod unblocked_words;

pub use self::automaton::{Automaton, ClosedLimits};
pub use self::automaton_state::{AutomatonState, FollowedSuperstep};
pub use self::closed_engine::ClosedEngine;
pub use self::packed_state::PackedState;
pub use self::permutation::{NotSymmetric, Permutation};
pub use self::space::ClosedStateSpace;
pub use self::unblocked_words::UnblockedWords;
