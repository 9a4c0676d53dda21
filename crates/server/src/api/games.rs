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
    games: Vec<GameInfo>,
}

/// A game and its computer players.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct GameInfo {
    /// The name of the game, as `POST /api/tables` takes it.
    name: String,
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
    Json(GameList { games: declared.map(|game| GameInfo::new(&game)).collect() })
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
        Self {
            name: game.name().to_owned(),
            seats: game.seat_names().to_vec(),
            computers: game.seats().iter().map(computers).collect(),
        }
    }
}
