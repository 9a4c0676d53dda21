//! The list of games.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use game::{AnyGame, Game, PlayerKind, Seat, all_seats};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::problem::Problem;
use crate::tables::Tables;

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
    /// For each seat, the computer players that can play it.
    computers: Vec<Vec<String>>,
}

/// Lists the games, with the computer players for each seat.
#[utoipa::path(get, path = "/api/games", operation_id = "list_games", tag = "tables",
    responses((status = 200, description = "The games", body = GameList)))]
pub(crate) async fn list(State(app): State<Arc<App>>) -> Result<Json<GameList>, Problem> {
    let tables = Arc::clone(&app.tables);
    // Whether the perfect player can play a game takes a while to find out, so it is done once.
    let games = app.games.get_or_try_init(|| tokio::task::spawn_blocking(move || all(&tables)));
    let games = games.await.map_err(|_panic| Problem::unavailable())?;
    Ok(Json(GameList { games: games.clone() }))
}

fn all(tables: &Tables) -> Vec<GameInfo> {
    let names = tables.catalog.names();
    names
        .iter()
        .filter_map(|name| tables.game(name).ok())
        .map(|game| GameInfo::new(&game))
        .collect()
}

impl GameInfo {
    fn new(game: &AnyGame) -> Self {
        let players = [PlayerKind::Random, PlayerKind::BThreads, PlayerKind::Perfect];
        let computers = |seat: Seat| {
            let can_play = |name: &&PlayerKind| game.player(name, seat, 0).is_ok();
            players.iter().filter(can_play).map(ToString::to_string).collect()
        };
        Self {
            name: game.name(),
            seats: game.seats().iter().map(|&seat| seat.to_owned()).collect(),
            computers: all_seats(game).iter().map(computers).collect(),
        }
    }
}
