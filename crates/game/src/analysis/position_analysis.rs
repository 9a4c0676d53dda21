//! The analysis of a position, as people and programs read it.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::players::Value;

/// What a position is worth for the seat to move, and each of its moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PositionAnalysis {
    /// How the values were found: `every position`, `mcts:10000`.
    pub method: String,
    /// The value of the position.
    pub value: PositionValue,
    /// The legal moves, in the game's order.
    pub moves: Vec<MoveAnalysis>,
    /// A best line, as far as it is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<String>,
}

/// What a move is worth for the seat that makes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MoveAnalysis {
    /// The move.
    #[serde(rename = "move")]
    pub chosen: String,
    /// Its value.
    #[serde(flatten)]
    pub value: PositionValue,
    /// How often a search tried it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visits: Option<u32>,
    /// How often the best strategy makes it, where seats must not be predictable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
}

/// A value for the seat to move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PositionValue {
    /// The score that the seat can expect.
    pub expected: f64,
    /// Whether this is certain, or an estimate.
    pub exact: bool,
    /// The number of plies until the end, if nobody makes a mistake and it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub plies: Option<u32>,
    /// The score that is usual for this game: in Connect Four 22 minus the number of stones that the
    /// winner will have played, negative for a loss.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub score: Option<i32>,
}

impl PositionValue {
    /// A value that is certain.
    #[must_use]
    pub fn certain(expected: f64) -> Self {
        Self { expected, exact: true, plies: None, score: None }
    }

    /// An estimate.
    #[must_use]
    pub fn estimate(expected: f64) -> Self {
        Self { expected, exact: false, plies: None, score: None }
    }

    /// The order of moves: more points first, then a shorter win, then a longer loss. The length of a
    /// draw does not matter, and a length that is not known is taken to be the longest.
    #[must_use]
    pub fn compare(&self, other: &Self) -> Ordering {
        let [ours, theirs] = [self, other].map(|value| value.plies.unwrap_or(u32::MAX));
        let plies = match self.expected {
            gain if gain > 0.0 => theirs.cmp(&ours),
            loss if loss < 0.0 => ours.cmp(&theirs),
            _ => Ordering::Equal,
        };
        self.expected.total_cmp(&other.expected).then(plies)
    }

    /// Whether it is certain who wins, and not how soon.
    #[must_use]
    pub fn lacks_distance(&self) -> bool {
        let is_decided = self.expected.abs() >= 1.0;
        self.exact && is_decided && self.plies.is_none()
    }
}

impl From<Value> for PositionValue {
    fn from(value: Value) -> Self {
        let (expected, plies) = match value {
            Value::Loss(plies) => (-1.0, plies),
            Value::Draw(plies) => (0.0, plies),
            Value::Win(plies) => (1.0, plies),
        };
        Self { expected, exact: true, plies: Some(plies), score: None }
    }
}

impl PositionAnalysis {
    /// The best moves.
    pub fn best_moves(&self) -> impl Iterator<Item = &MoveAnalysis> {
        let best = self.moves.iter().map(|each| each.value).max_by(PositionValue::compare);
        let is_best = move |each: &&MoveAnalysis| {
            best.is_some_and(|best| each.value.compare(&best) == Ordering::Equal)
        };
        self.moves.iter().filter(is_best)
    }
}

/// `a win in 3 plies`, `0.531 points`, `about 0.5 points`.
impl fmt::Display for PositionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { expected, exact, plies, .. } = *self;
        let is_whole =
            [-1.0, 0.0, 1.0].iter().any(|whole: &f64| whole.total_cmp(&(expected + 0.0)).is_eq());
        if !exact {
            return write!(f, "about {expected:+.3}");
        }
        if !is_whole {
            return write!(f, "{expected:+.4}");
        }
        let word = match expected.total_cmp(&0.0) {
            Ordering::Greater => "a win",
            Ordering::Less if expected < 0.0 => "a loss",
            _ => return f.write_str("a draw"),
        };
        match plies {
            Some(1) => write!(f, "{word} in 1 ply"),
            Some(plies) => write!(f, "{word} in {plies} plies"),
            None => f.write_str(word),
        }
    }
}
