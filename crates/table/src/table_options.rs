//! The options of a table.

use serde::{Deserialize, Serialize};

use crate::fields::{Fielded, Fields, deserialize_fielded};

/// The options of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Options {
    /// Seats take turns to open a round; otherwise seat 0 opens every round.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub alternate: bool,
    /// For each seat the name of its computer player, such as `perfect`; the seat of a person has none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub computers: Vec<Option<String>>,
    /// The time limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub clock: Option<Clock>,
    /// The clock of the first round starts when the last seat is taken; otherwise it starts with the
    /// first move, as in later rounds.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub prompt: bool,
    /// The player who created the table wrote its rules.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub own_rules: bool,
}

/// A time limit, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Clock {
    /// For each move.
    #[cfg_attr(feature = "openapi", schema(title = "ClockPerMove"))]
    PerMove(u64),
    /// For all moves of a round.
    #[cfg_attr(feature = "openapi", schema(title = "ClockPerSide"))]
    PerSide(u64),
}

deserialize_fielded!(Options);

impl Fielded for Options {
    const EXPECTED: &'static str = "the options of a table";
    const NAMES: &'static [&'static str] =
        &["alternate", "computers", "clock", "prompt", "own_rules"];

    fn of(fields: &mut Fields) -> Result<Self, serde_json::Error> {
        Ok(Self {
            alternate: fields.take_or_default("alternate")?,
            computers: fields.take_or_default("computers")?,
            clock: fields.take_any("clock")?,
            prompt: fields.take_or_default("prompt")?,
            own_rules: fields.take_or_default("own_rules")?,
        })
    }
}
