//! Answers of the HTTP API that clients read.

use game::{AwakeThread, Refusal, Seat};
use serde::{Deserialize, Serialize};

use crate::token::Token;

/// The answer to `POST /api/tables`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CreatedTable {
    /// The id of the table. Everybody who knows it may watch, and join while a seat is free.
    pub id: String,
    /// The spoken code of the table.
    pub code: String,
    /// How long the code is valid, in milliseconds.
    pub code_valid_for: u64,
    /// The path of the table's page.
    pub path: String,
    /// The seat that the creator took, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub seat: Option<Seat>,
    /// The token that holds that seat. Keep it secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub token: Option<Token>,
}

/// The answer to `POST /api/tables/{id}/seats` and `POST /api/pair`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TakenSeat {
    /// The id of the table.
    pub id: String,
    /// The seat, counted from 0.
    pub seat: Seat,
    /// The token that holds the seat. Keep it secret.
    pub token: Token,
}

/// The answer to `POST /api/tables/{id}/code`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TableCode {
    /// The spoken code of the table.
    pub code: String,
    /// How long the code is valid, in milliseconds.
    pub valid_for: u64,
}

/// The answer to `GET /api/codes/{code}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FoundTable {
    /// The id of the table.
    pub id: String,
    /// The game, with its parameters.
    pub game: String,
    /// The number of free seats.
    pub free_seats: u8,
}

/// The answer to `GET /api/tables`, and to a join of the channel `lobby`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ListedTables {
    /// The tables, newest first.
    pub tables: Vec<ListedTable>,
}

/// A table in the public list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ListedTable {
    /// The id of the table.
    pub id: String,
    /// The game, with its parameters.
    pub game: String,
    /// When the table was created, in milliseconds since 1970.
    pub created_at: u64,
    /// The number of free seats.
    pub free_seats: u8,
}

/// The answer to `GET /api/tables/{id}/rules`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TableRules {
    /// The name of the game, which ends with the digest of the text.
    pub game: String,
    /// Whether the player who created the table wrote them.
    pub own_rules: bool,
    /// The text.
    pub text: String,
}

/// The answer to `GET /api/tables/{id}/b-threads`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TableBThreads {
    /// The round, counted from 1.
    pub round: u32,
    /// The number of moves and draws before the position.
    pub ply: u32,
    /// The b-threads that have not ended, highest priority first. Empty if the game is not written as
    /// b-threads.
    pub threads: Vec<AwakeThread>,
}

/// The part of a problem document (RFC 9457) that clients read.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ProblemDocument {
    /// Why the request was refused.
    pub refusal: Refusal,
}
