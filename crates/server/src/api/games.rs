//! Which games there are.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use game::{Game, PlayerName, all_seats};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;

/// The games that can be played here.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Games {
    games: Vec<Known>,
}

/// A game.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Known {
    /// What it is called, as when a table is created.
    name: String,
    /// What its seats are called.
    seats: Vec<String>,
    /// The computer players that can play it, for each seat.
    computers: Vec<Vec<String>>,
}

/// Lists the games that can be played here, and the computer players for each seat.
#[utoipa::path(get, path = "/api/games", tag = "tables", responses((status = 200, description = "It is so", body = Games)))]
pub(crate) async fn list(State(app): State<Arc<App>>) -> Json<Games> {
    let names = app.house.catalog.names();
    let games = names.iter().filter_map(|name| app.house.game(name).ok());
    // Which players can play is found by asking; the perfect one thinks for a while.
    let known = |game: game::AnyGame| Known {
        name: game.name(),
        seats: game.seats().iter().map(|&seat| seat.to_owned()).collect(),
        computers: all_seats(&game)
            .iter()
            .map(|seat| {
                let can_play = |name: &&PlayerName| game.player(name, seat, 0).is_ok();
                let players = [PlayerName::Random, PlayerName::BThreads];
                players.iter().filter(can_play).map(ToString::to_string).collect()
            })
            .collect(),
    };
    Json(Games { games: games.map(known).collect() })
}
