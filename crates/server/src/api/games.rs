//! Which games there are.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use game::{AnyGame, Game, PlayerKind, Seat, all_seats};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::house::House;
use crate::problem::Problem;

/// The games that can be played here.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Games {
    games: Vec<Known>,
}

/// A game.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Known {
    /// What it is called, as when a table is created.
    name: String,
    /// What its seats are called.
    seats: Vec<String>,
    /// The computer players that can play it, for each seat.
    computers: Vec<Vec<String>>,
}

/// Lists the games that can be played here, and the computer players for each seat.
#[utoipa::path(get, path = "/api/games", tag = "tables",
    responses((status = 200, description = "It is so", body = Games)))]
pub(crate) async fn list(State(app): State<Arc<App>>) -> Result<Json<Games>, Problem> {
    let house = Arc::clone(&app.house);
    // Who can play is found by asking, and the perfect player thinks for a while: once is enough.
    let known = app.games.get_or_try_init(|| tokio::task::spawn_blocking(move || all(&house)));
    let games = known.await.map_err(|_panic| Problem::unavailable())?;
    Ok(Json(Games { games: games.clone() }))
}

fn all(house: &House) -> Vec<Known> {
    let names = house.catalog.names();
    names.iter().filter_map(|name| house.game(name).ok()).map(|game| Known::new(&game)).collect()
}

impl Known {
    fn new(game: &AnyGame) -> Self {
        let players = [PlayerKind::Random, PlayerKind::BThreads, PlayerKind::Perfect];
        let who = |seat: Seat| {
            let can_play = |name: &&PlayerKind| game.player(name, seat, 0).is_ok();
            players.iter().filter(can_play).map(ToString::to_string).collect()
        };
        Self {
            name: game.name(),
            seats: game.seats().iter().map(|&seat| seat.to_owned()).collect(),
            computers: all_seats(game).iter().map(who).collect(),
        }
    }
}
