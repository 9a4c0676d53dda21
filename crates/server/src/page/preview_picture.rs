//! The pictures in the previews of links: the board of a table, of a game, or of a game that was played.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use game::{
    AnyGame, Game as _, Generator, Grid, Outcome, PlayedPlies, Seat, StopFlag, Viewer, all_seats,
    seat_name,
};
use table::wire::codes;

use super::board_picture::board_picture;
use crate::api::table_path::TablePath;
use crate::api::tables::fetch;
use crate::app::App;
use crate::client_address::ClientAddress;
use crate::problem::Problem;
use crate::refusals::refusal;
use crate::tables::Tables;
use crate::work_pool::Payer;

/// What it costs to draw a picture, in microseconds, about.
const PICTURE_WORK: u64 = 30_000;

/// What it costs to play a ply, in microseconds, about.
const PLY_WORK: u64 = 20;

/// The longest game in an address, as the page reads it.
const MOST_BYTES: usize = 4_096;

/// The random plies after which a game is shown, and the seed that draws them: the small pictures of the page
/// show the same.
const PLIES: usize = 6;
const SEED: u64 = 7;

/// A game that was played, as a preview shows it.
#[derive(Clone, Debug)]
pub(crate) struct PreviewedReplay {
    /// How it ended, if it has.
    pub(crate) ending: Option<String>,
    /// The board after the plies that are shown, if the game has one.
    pub(crate) board: Option<Grid>,
}

/// The board of a table.
pub(crate) async fn table(
    State(app): State<Arc<App>>,
    TablePath(id): TablePath,
    ClientAddress(address): ClientAddress,
) -> Result<Response, Problem> {
    let payer = Payer::at(address);
    let welcome = fetch(&app.tables, payer, id, None).await?;
    picture(&app.tables, payer, welcome.view.picture.board).await
}

/// The board of a game, some random moves into it.
pub(crate) async fn game(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    ClientAddress(address): ClientAddress,
) -> Result<Response, Problem> {
    let (tables, payer) = (&app.tables, Payer::at(address));
    let declared = tables.catalog.declared(&name).map_err(not_found)?;
    let game = tables.game(payer, declared).await?;
    let play = move |_: &StopFlag| {
        let (mut position, mut generator) = (game.start(), Generator::seeded(SEED));
        for _ in 0..PLIES {
            if game.play_at_random(&mut position, &mut generator).is_err() {
                break;
            }
        }
        game.picture(&position, Viewer::Spectator).board
    };
    let board = tables.compute(payer, PICTURE_WORK, play).await?;
    picture(tables, payer, board).await
}

/// The board at the end of a game that was played.
pub(crate) async fn replay(
    State(app): State<Arc<App>>,
    Path((game, plies)): Path<(String, String)>,
    ClientAddress(address): ClientAddress,
) -> Result<Response, Problem> {
    let payer = Payer::at(address);
    let replay = replay_of(&app.tables, payer, &game, &plies, None).await?;
    picture(&app.tables, payer, replay.board).await
}

/// The board after some plies of a game that was played.
pub(crate) async fn replay_at(
    State(app): State<Arc<App>>,
    Path((game, plies, ply)): Path<(String, String, String)>,
    ClientAddress(address): ClientAddress,
) -> Result<Response, Problem> {
    let payer = Payer::at(address);
    let replay = replay_of(&app.tables, payer, &game, &plies, Some(&ply)).await?;
    picture(&app.tables, payer, replay.board).await
}

/// Plays the plies of an address.
pub(crate) async fn replay_of(
    tables: &Arc<Tables>,
    payer: Payer,
    game: &str,
    plies: &str,
    ply: Option<&str>,
) -> Result<PreviewedReplay, Problem> {
    if plies.len() > MOST_BYTES {
        return Err(not_found("The game is too long"));
    }
    let shown = match ply.map(str::parse::<usize>) {
        None => usize::MAX,
        Some(Ok(ply)) => ply,
        Some(Err(_)) => return Err(not_found("The ply is no number")),
    };
    let declared = tables.catalog.declared(game).map_err(not_found)?;
    let game = tables.game(payer, declared).await?;
    let (plies, work) = (plies.to_owned(), PLY_WORK * plies.len() as u64);
    let play = move |_: &StopFlag| {
        let played = PlayedPlies::read(&game, &plies).ok()?;
        let outcome = game.turn(played.last()).outcome();
        let ending = outcome.map(|outcome| ending(&game, &outcome));
        let last = played.positions.len() - 1;
        let position = &played.positions[shown.min(last)];
        let board = game.picture(position, Viewer::Spectator).board;
        Some(PreviewedReplay { ending, board })
    };
    let played = tables.compute(payer, work, play).await?;
    played.ok_or_else(|| not_found("The rules do not allow these plies"))
}

/// How a game has ended: `X has won`.
fn ending(game: &AnyGame, outcome: &Outcome) -> String {
    let seats = all_seats(game);
    let best = seats.iter().map(|seat| outcome.score(seat)).max();
    let winners: Vec<Seat> =
        seats.iter().filter(|seat| Some(outcome.score(*seat)) == best).collect();
    match winners.as_slice() {
        [winner] => format!("{} has won", seat_name(game, *winner)),
        _ => "a draw".to_owned(),
    }
}

/// Draws a board on a worker.
async fn picture(
    tables: &Arc<Tables>,
    payer: Payer,
    board: Option<Grid>,
) -> Result<Response, Problem> {
    let board = board.ok_or_else(|| not_found("This game has no board"))?;
    let drawn = tables.compute(payer, PICTURE_WORK, move |_| board_picture(&board)).await?;
    let file = drawn.ok_or_else(|| not_found("This board has no squares"))?;
    let mut response = file.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("image/png"));
    // Addresses change with what they show.
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=86400"));
    Ok(response)
}

fn not_found(why: impl Into<String>) -> Problem {
    Problem::from(refusal(codes::NOT_FOUND, why))
}
