//! What a position is worth, and each of its moves.

mod exact;
mod position_analysis;
mod search;

pub use exact::{ExactSolver, line_from};
pub use position_analysis::{MoveAnalysis, PositionAnalysis, PositionValue};
pub(crate) use search::analyze_with;
pub use search::{AnalysisBudget, CannotAnalyze, analyze};
