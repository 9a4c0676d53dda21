//! Creating tables, finding them, looking at them.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use game::{Game, Seat};
use serde::{Deserialize, Serialize};
use table::wire::{Resync, Welcome};
use table::{Author, Clock, Digest, Entry, EntryBody, Options, PlayerName, can_play};
use tokio::sync::oneshot;
use utoipa::ToSchema;

use super::asked::Asked;
use super::bearer::{Bearer, SameSite};
use super::named::Named;
use super::said::Said;
use super::seats::{JoinSeat, take};
use crate::TableId;
use crate::app::App;
use crate::client_address::ClientAddress;
use crate::house::House;
use crate::journal::{Appended, OpenTable, Put, Status};
use crate::lobby::{ListedTables, listed};
use crate::problem::Problem;
use crate::request::{Request, refusal};

/// Which rules of the games are known here.
const RULES: u32 = 1;

/// What a table shall be.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(example = json!({"game": "tic-tac-toe", "computers": [null, "bthreads"], "name": "Ada"}))]
pub(crate) struct CreateTable {
    /// The game, with its parameters: `tic-tac-toe`, `mnk:6,5,4`.
    pub(crate) game: String,
    /// The computer players: for each seat the name of one, or null.
    #[serde(default)]
    pub(crate) computers: Vec<Option<String>>,
    /// Whether strangers are shown it while it waits for players.
    #[serde(default)]
    pub(crate) listed: bool,
    /// Whether who opens the next round did not open this one.
    #[serde(default)]
    pub(crate) alternate: bool,
    /// How long players may think, in milliseconds: `{"per_move": 30000}` or `{"per_side": 300000}`.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub(crate) clock: Option<Clock>,
    /// What its creator is called, to take a seat at once.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub(crate) name: Option<PlayerName>,
    /// Which seat that shall be; the first free one if it does not matter.
    #[serde(default)]
    #[schema(value_type = Option<u8>)]
    pub(crate) seat: Option<Seat>,
}

/// A table that has been created.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CreatedTable {
    /// What it is called. Who knows this may watch, and join while a seat is free.
    pub(crate) id: String,
    /// What people say to each other to find it.
    pub(crate) code: String,
    /// The path of its page.
    pub(crate) path: String,
    /// The seat that its creator has taken.
    #[schema(value_type = Option<u8>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seat: Option<Seat>,
    /// What holds that seat: keep it, and show it to nobody.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) token: Option<String>,
}

/// Creates a table.
///
/// With a `name` its creator takes a seat at once. Otherwise, and for everybody else, seats are taken
/// with `POST /api/tables/{id}/seats`.
#[utoipa::path(post, path = "/api/tables", tag = "tables", request_body = CreateTable,
    responses((status = 201, description = "It is so", body = CreatedTable), (status = "4XX", description = "Why not", body = crate::problem::Document, content_type = "application/problem+json")))]
pub(crate) async fn create(
    State(app): State<Arc<App>>,
    ClientAddress(address): ClientAddress,
    _: SameSite,
    body: Result<Said<CreateTable>, Problem>,
) -> Result<(StatusCode, Json<CreatedTable>), Problem> {
    let Said(wanted) = body?;
    app.may_create(address)?;
    let (name, seat) = (wanted.name.clone(), wanted.seat);
    check_seat(&app.house, &wanted)?;
    let open = open(&app.house, wanted).await?;
    let id = open.id;
    let mut created = CreatedTable {
        id: id.to_string(),
        code: open.code,
        path: format!("/t/{id}"),
        seat: None,
        token: None,
    };
    if let Some(name) = name {
        let taken = take(&app.house, id, JoinSeat { name, seat, token: None }).await?;
        (created.seat, created.token) = (Some(taken.seat), Some(taken.token));
    }
    Ok((StatusCode::CREATED, Json(created)))
}

/// Whether its creator will be able to take a seat: otherwise nobody would know of the table.
fn check_seat(house: &House, wanted: &CreateTable) -> Result<(), Problem> {
    let game = house.game(&wanted.game).map_err(Problem::bad_request)?;
    let is_free = |seat: Seat| wanted.computers.get(seat.index()).is_none_or(Option::is_none);
    let mut free = game::all_seats(&game).iter().filter(|seat| is_free(*seat));
    match (&wanted.name, wanted.seat) {
        (None, _) => Ok(()),
        (Some(_), Some(seat)) if free.any(|other| other == seat) => Ok(()),
        (Some(_), None) if free.next().is_some() => Ok(()),
        (Some(_), Some(_)) => {
            Err(refusal(table::wire::codes::SEAT_TAKEN, "That seat would not be free").into())
        }
        (Some(_), None) => {
            Err(refusal(table::wire::codes::TABLE_FULL, "No seat would be free").into())
        }
    }
}

/// Writes the first entry of a table, and puts it into the directory.
pub(crate) async fn open(house: &Arc<House>, wanted: CreateTable) -> Result<OpenTable, Problem> {
    let game = house.game(&wanted.game).map_err(Problem::bad_request)?;
    let (is_listed, created_at) = (wanted.listed, house.unix_time());
    let options =
        Options { alternate: wanted.alternate, computers: wanted.computers, clock: wanted.clock };
    check_clock(options.clock)?;
    let seats = game::all_seats(&game).len();
    if options.computers.len() > seats {
        return Err(Problem::bad_request(format!("This game has {seats} seats")));
    }
    let computers = options.computers.iter().flatten().count();
    // Some players think about the whole game before they know that they cannot play it.
    let (asked, chosen) = (game.clone(), options.clone());
    let can_play = tokio::task::spawn_blocking(move || can_play(&asked, &chosen)).await;
    can_play
        .map_err(|_panic| Problem::unavailable())?
        .map_err(|error| Problem::bad_request(error.to_string()))?;
    let id = TableId::random().map_err(|_error| Problem::unavailable())?;
    let body = EntryBody::Created {
        game: game.name(),
        rules: RULES,
        options,
        commitment: house.secret(id).commitment(),
    };
    let first = Entry::new(1, created_at, Author::Table, body);
    match house.journal.append(id, 0, vec![first]).await? {
        Appended::Committed => {}
        Appended::Conflict(_) => return Err(Problem::unavailable()),
    }
    house.metrics.created_tables.inc();
    let free_seats = u8::try_from(seats - computers).unwrap_or(u8::MAX);
    let status = if free_seats == 0 { Status::Playing } else { Status::Waiting };
    let table = OpenTable {
        id,
        code: String::new(),
        game: game.name(),
        is_listed,
        created_at,
        free_seats,
        status,
    };
    let table = enter(house, table).await?;
    if is_listed {
        house.lobby.revive(id);
        house.look_after(id);
    }
    if is_listed && free_seats > 0 {
        house.lobby.opened(&table);
    }
    Ok(table)
}

fn check_clock(clock: Option<Clock>) -> Result<(), Problem> {
    let within = |most: u64| (1_000..=7 * 24 * 3_600 * 1_000).contains(&most);
    match clock {
        Some(Clock::PerMove(most) | Clock::PerSide(most)) if !within(most) => {
            Err(Problem::bad_request("A clock runs between a second and a week"))
        }
        _ => Ok(()),
    }
}

/// Puts a table into the directory under a code that no other has.
async fn enter(house: &House, table: OpenTable) -> Result<OpenTable, Problem> {
    for syllables in [3, 3, 3, 4, 4, 5] {
        let code = super::codes::invent(syllables).map_err(|_error| Problem::unavailable())?;
        let table = OpenTable { code, ..table.clone() };
        if house.directory.put(table.clone()).await? == Put::Done {
            return Ok(table);
        }
    }
    Err(Problem::unavailable())
}

/// Which tables are asked for.
#[derive(Debug, Deserialize)]
pub(crate) struct Which {
    status: Option<String>,
}

/// Lists tables that strangers are shown, the newest first: those that wait for players or, with
/// `status=playing`, those that can be watched.
#[utoipa::path(get, path = "/api/tables", tag = "tables",
    params(("status" = Option<String>, Query, description = "`waiting`, as if nothing was said, or `playing`")),
    responses((status = 200, description = "It is so", body = ListedTables),
        (status = 400, description = "There is no such status", body = crate::problem::Document, content_type = "application/problem+json")))]
pub(crate) async fn list(
    State(app): State<Arc<App>>,
    Asked(which): Asked<Which>,
) -> Result<Json<ListedTables>, Problem> {
    let status = match which.status.as_deref() {
        None | Some("waiting") => Status::Waiting,
        Some("playing") => Status::Playing,
        Some(_) => {
            return Err(Problem::bad_request(
                "A status is waiting or playing: ask for one of them, or for none",
            ));
        }
    };
    Ok(Json(listed(&app.house, status).await?))
}

/// Shows how a table stands.
///
/// With a token it is shown as the seat that it holds may see it: its legal moves are there, too.
#[utoipa::path(get, path = "/api/tables/{id}", tag = "tables", security((), ("token" = [])),
    params(("id" = String, Path, description = "The id of the table")),
    responses((status = 200, description = "How the table stands: `version` counts what has happened, `seat` is yours, `view` says whose turn it is, what is allowed and what the board shows, `entries` are those of this round", body = Object),
        (status = 404, description = "There is none", body = crate::problem::Document, content_type = "application/problem+json")))]
pub(crate) async fn look(
    State(app): State<Arc<App>>,
    Named(id): Named,
    Bearer(token): Bearer,
) -> Result<Json<Welcome>, Problem> {
    Ok(Json(see(&app.house, id, token).await?))
}

/// How a table stands, as who shows this token may see it.
pub(crate) async fn see(
    house: &Arc<House>,
    id: TableId,
    token: Option<Digest>,
) -> Result<Welcome, Problem> {
    let (answer, answered) = oneshot::channel();
    house.ask(id, Request::Look { token, known: Resync::default(), answer });
    Ok(answered.await.map_err(|_gone| Problem::unavailable())??)
}
