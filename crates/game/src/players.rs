//! The kinds of players that play any game they can.

mod alpha_beta;
mod budget;
mod cfr;
mod chance_solution;
mod expectiminimax;
mod heuristic;
mod level;
mod mcts;
mod perfect;
mod pick;
mod player_kind;
mod random;
mod score;
mod scripted;
mod shuffle;
mod solver_player;
mod suitability;
mod transposition;

pub(crate) use alpha_beta::DecidedMove;
pub use alpha_beta::{AlphaBeta, AlphaBetaPlayer, SearchError};
pub use budget::{CutShort, SearchBudget};
pub use cfr::{CfrPlayer, Equilibrium, NoEquilibrium};
pub use expectiminimax::ExpectiminimaxPlayer;
pub use heuristic::HeuristicPlayer;
pub use level::SkillLevel;
pub(crate) use level::usual_level;
pub use mcts::MctsPlayer;
pub(crate) use mcts::SearchTree;
pub(crate) use perfect::{MOST_KEPT_POSITIONS, SolutionCache};
pub use perfect::{PerfectPlayer, Solution, TooManyPositions, Unsolvable, Value};
pub(crate) use player_kind::PlayerResources;
pub use player_kind::{PlayerKind, UnknownPlayer};
pub(crate) use random::play_at_random;
pub use random::{PlayoutError, RandomPlayer, playout};
pub use scripted::ScriptedPlayer;
pub(crate) use suitability::GameFeatures;
