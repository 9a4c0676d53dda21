//! Running a program over a declared finite alphabet.

mod alphabet;
mod automaton;
mod bits;
mod builder;
mod instance;
mod locals;
mod permutation;
mod space;
mod table;

pub use self::automaton::Automaton;
pub use self::instance::{AutomatonState, ClosedEngine};
pub use self::permutation::{NotSymmetric, Permutation};
pub use self::space::{ClosedStateSpace, PackedState};
