//! The list of games.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use game::{DeclaredGame, PlayerKind, Seat, SkillLevel};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;

/// The games that can be played here.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct GameList {
    /// The games.
    games: Vec<GameInfo>,
    /// Whether `POST /api/tables` takes rules that a player wrote.
    own_rules: bool,
}

/// A game and its computer players.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct GameInfo {
    /// The name of the game, as `POST /api/tables` takes it.
    name: String,
    /// What it is, in a few words, if it is written as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    summary: Option<String>,
    /// The number of columns of its board, if it is written as text and has a board.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    columns: Option<u32>,
    /// The number of rows of that board.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    rows: Option<u32>,
    /// The names of its seats.
    seats: Vec<String>,
    /// For each seat, the computer players that can play it, without those that have a number, such as
    /// `mcts:1000`.
    computers: Vec<Vec<String>>,
}

/// Lists the games, with the computer players for each seat.
#[utoipa::path(get, path = "/api/games", operation_id = "list_games", tag = "tables",
    responses((status = 200, description = "The games", body = GameList)))]
pub(crate) async fn list(State(app): State<Arc<App>>) -> Json<GameList> {
    let catalog = &app.tables.catalog;
    let declared = catalog.names().into_iter().filter_map(|name| catalog.declared(&name).ok());
    let own_rules = app.tables.limits().own_rules_per_minute > 0;
    Json(GameList { games: declared.map(|game| GameInfo::new(&game)).collect(), own_rules })
}

impl GameInfo {
    fn new(game: &DeclaredGame) -> Self {
        let levels = SkillLevel::ALL.map(PlayerKind::Level);
        let others = [PlayerKind::Random, PlayerKind::BThreads, PlayerKind::Perfect];
        let players: Vec<PlayerKind> = others.into_iter().chain(levels).collect();
        let computers = |seat: Seat| {
            let can_play = |kind: &&PlayerKind| game.check_player(kind, seat).is_ok();
            players.iter().filter(can_play).map(ToString::to_string).collect()
        };
        let (columns, rows) = game.grid().unzip();
        Self {
            name: game.name().to_owned(),
            summary: game.summary().map(str::to_owned),
            columns,
            rows,
            seats: game.seat_names().to_vec(),
            computers: game.seats().iter().map(computers).collect(),
        }
    }
}
