//! Creating, listing and viewing tables.

use std::net::IpAddr;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use game::{DeclaredGame, Refusal, Seat};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use table::wire::{CreatedTable, ListedTables, Resync, TableCode, Welcome, codes};
use table::{
    Author, Clock, Digest, Entry, EntryBody, Options, PlayerName, Token, can_play_declared,
    no_such_seat,
};
use tokio::sync::oneshot;
use utoipa::ToSchema;

use super::bearer::{Bearer, OfferedToken, SameOrigin};
use super::codes::shown;
use super::json_body::{JsonBody, RequestBody};
use super::query::Query;
use super::seats::{JoinSeat, take};
use super::table_path::TablePath;
use crate::app::App;
use crate::client_address::ClientAddress;
use crate::journal::{
    Appended, Journal, JournalError, MAX_RULES_BYTES, NotWritten, OpenTable, PutOutcome,
    TableStatus,
};
use crate::lobby;
use crate::problem::Problem;
use crate::refusals::refusal;
use crate::table_request::TableRequest;
use crate::tables::Tables;
use crate::work_pool::Payer;
use crate::{RulesAuthor, TableId};

/// The version of the rules of all games.
const RULES: u32 = 1;

/// The options of a new table.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"game": "tic-tac-toe", "computers": [null, "bthreads"], "name": "Ada"}))]
pub(crate) struct CreateTable {
    /// The game, with its parameters: `tic-tac-toe`, `mnk:6,5,4`.
    #[serde(default)]
    #[schema(nullable = false)]
    pub(crate) game: Option<String>,
    /// Instead of a game, rules of your own as a text of at most 64 KiB. Such a table is never listed.
    #[serde(default)]
    #[schema(nullable = false, max_length = 65536)]
    pub(crate) rules: Option<String>,
    /// For each seat, the name of its computer player, or null for a person. Seats that are not listed
    /// are for people.
    #[serde(default)]
    pub(crate) computers: Vec<Option<String>>,
    /// Whether the table is listed publicly.
    #[serde(default)]
    pub(crate) listed: bool,
    /// Whether another seat opens each round.
    #[serde(default)]
    pub(crate) alternate: bool,
    /// The clock, in milliseconds: `{"per_move": 30000}` or `{"per_side": 300000}`.
    #[serde(default, deserialize_with = "clock")]
    pub(crate) clock: Option<Clock>,
    /// Whether the clock of the first round starts when the last seat is taken, and not with the first
    /// move.
    #[serde(default)]
    pub(crate) prompt: bool,
    /// The name of the creator, who then takes a seat at once.
    #[serde(default)]
    pub(crate) name: Option<PlayerName>,
    /// The seat of the creator, counted from 0; without it, the first free seat.
    #[serde(default)]
    pub(crate) seat: Option<Seat>,
    /// The token for the seat of the creator: 32 random hexadecimal digits. It can be in the header
    /// `Authorization` as well. Without it, the server makes one.
    #[serde(default)]
    pub(crate) token: Option<Token>,
}

/// A clock as clients write it: with one of two times.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenClock {
    per_move: Option<u64>,
    per_side: Option<u64>,
}

fn clock<'de, D: Deserializer<'de>>(json: D) -> Result<Option<Clock>, D::Error> {
    let Some(WrittenClock { per_move, per_side }) = Option::deserialize(json)? else {
        return Ok(None);
    };
    match (per_move, per_side) {
        (Some(time), None) => Ok(Some(Clock::PerMove(time))),
        (None, Some(time)) => Ok(Some(Clock::PerSide(time))),
        (Some(_), Some(_)) => Err(D::Error::custom(
            "clock: it has either per_move or per_side, not both. Leave one of them out",
        )),
        (None, None) => Err(D::Error::custom(
            "clock: it has no time. Send per_move or per_side, in milliseconds",
        )),
    }
}

impl CreateTable {
    fn options(&self) -> Options {
        let Self { alternate, clock, prompt, .. } = *self;
        let (computers, own_rules) = (self.computers.clone(), self.rules.is_some());
        Options { alternate, computers, clock, prompt, own_rules }
    }
}

impl RequestBody for CreateTable {
    // In JSON, each end of a line takes two bytes.
    const TEXT_BYTES: usize = 2 * MAX_RULES_BYTES;

    fn has_text(&self) -> bool {
        self.rules.is_some()
    }
}

/// A table that is about to be created.
pub(crate) struct TableDraft {
    /// The name of the game.
    game: String,
    seats: usize,
    /// The text of its rules, if the game is written as text.
    rules: Option<Arc<str>>,
    options: Options,
    is_listed: bool,
}

impl TableDraft {
    /// A table of a game with checked options.
    pub(crate) fn new(
        game: &DeclaredGame,
        rules: Option<Arc<str>>,
        options: Options,
        is_listed: bool,
    ) -> Result<Self, Problem> {
        check_options(game, &options)?;
        let (name, seats) = (game.name().to_owned(), game.seats().len());
        Ok(Self { game: name, seats, rules, options, is_listed })
    }
}

/// Creates a table.
///
/// With a `name`, the creator takes a seat at once, with the token of the request if it has one. All other
/// seats are taken with `POST /api/tables/{id}/seats`. The game is one of the server, or follows from
/// `rules`, which the creator wrote: then everybody at the table is told so, and can read them.
#[utoipa::path(post, path = "/api/tables", operation_id = "create_table", tag = "tables", security((), ("token" = [])), request_body = CreateTable,
    responses((status = 201, description = "The new table", body = CreatedTable),
        (status = 403, description = "The server takes no rules from players"),
        (status = 409, description = "No seat would be free for the creator, or not this one"),
        (status = 422, description = "The rules have mistakes, each with its line, or are no game that can be played")))]
pub(crate) async fn create(
    State(app): State<Arc<App>>,
    ClientAddress(address): ClientAddress,
    _: SameOrigin,
    offered: OfferedToken,
    body: Result<JsonBody<CreateTable>, Problem>,
) -> Result<(StatusCode, Json<CreatedTable>), Problem> {
    let JsonBody(mut request) = body?;
    let token = offered.or_in(request.token.take())?;
    let (name, seat) = (request.name.clone(), request.seat);
    if token.is_some() && name.is_none() {
        let why = "A token is for a seat: send a name, too, or leave the token out";
        return Err(Problem::bad_request(why));
    }
    app.may_create(address)?;
    let (tables, payer) = (&app.tables, Payer::at(address));
    let (declared, rules) = game_and_rules(&app, address, &request).await?;
    check_seat(&declared, &request)?;
    let new = TableDraft::new(&declared, rules, request.options(), request.listed)?;
    // It is kept until the table has it.
    let _built = tables.game(payer, declared).await?;
    let open = open(tables, payer, new).await?;
    let id = open.id;
    let TableCode { code, valid_for } = shown(&open, app.tables.unix_time());
    let mut created = CreatedTable {
        id: id.to_string(),
        code,
        code_valid_for: valid_for,
        path: format!("/t/{id}"),
        seat: None,
        token: None,
    };
    if let Some(name) = name {
        let request = JoinSeat { name, seat, token };
        let taken = take(tables, payer, id, request).await?;
        (created.seat, created.token) = (Some(taken.seat), Some(taken.token));
    }
    Ok((StatusCode::CREATED, Json(created)))
}

/// The game of a new table, and the text of its rules if it is written as text.
async fn game_and_rules(
    app: &App,
    address: IpAddr,
    request: &CreateTable,
) -> Result<(DeclaredGame, Option<Arc<str>>), Problem> {
    let catalog = &app.tables.catalog;
    match (&request.game, &request.rules) {
        (Some(game), None) => {
            let declared = catalog.declared(game).map_err(Problem::bad_request)?;
            let rules = catalog.rules(declared.name());
            Ok((declared, rules))
        }
        (None, Some(text)) => {
            let declared = own_game(app, address, request, text).await?;
            Ok((declared, Some(text.as_str().into())))
        }
        (Some(_), Some(_)) => {
            Err(Problem::bad_request("Send either the name of a game or rules, not both"))
        }
        (None, None) => {
            let why = "game: this field is missing. Send the name of a game, or rules";
            Err(Problem::bad_request(why).with_status(StatusCode::UNPROCESSABLE_ENTITY))
        }
    }
}

/// The longest name of a game whose rules a player wrote, with its digest.
const MAX_NAME_BYTES: usize = 100;

/// The game of rules that a player wrote. Everything that is cheap is checked first.
async fn own_game(
    app: &App,
    address: IpAddr,
    request: &CreateTable,
    text: &str,
) -> Result<DeclaredGame, Problem> {
    if request.listed {
        return Err(Problem::bad_request(
            "A table with rules of your own is never listed: leave out listed, and send its link",
        ));
    }
    if text.len() > MAX_RULES_BYTES {
        let why =
            format!("Rules have at most {MAX_RULES_BYTES} bytes, and these have {}", text.len());
        return Err(refusal(codes::BAD_RULES, why).into());
    }
    app.may_bring_rules(address)?;
    let (payer, author) = (Payer::at(address), RulesAuthor::Player);
    let read = app.tables.read_rules(payer, text.to_owned(), author).await?;
    let declared = read.map_err(|why| refusal(codes::BAD_RULES, why))?;
    if declared.name().len() > MAX_NAME_BYTES {
        return Err(refusal(codes::BAD_RULES, "The name of the game is too long").into());
    }
    // The text of the operator stays a game of the operator: tables share it by its name.
    Ok(app.tables.catalog.declared(declared.name()).unwrap_or(declared))
}

/// Checks that the creator can take its seat. Otherwise a table would be created that nobody knows of.
fn check_seat(game: &DeclaredGame, request: &CreateTable) -> Result<(), Problem> {
    let is_free = |seat: Seat| request.computers.get(seat.index()).is_none_or(Option::is_none);
    let mut free = game.seats().iter().filter(|seat| is_free(*seat));
    match (&request.name, request.seat) {
        (None, _) => Ok(()),
        (Some(_), Some(seat)) if free.any(|other| other == seat) => Ok(()),
        (Some(_), None) if free.next().is_some() => Ok(()),
        (Some(_), Some(seat)) if game.seats().iter().all(|other| other != seat) => {
            Err(Refusal::new(no_such_seat(game.seats().len(), seat)).into())
        }
        (Some(_), Some(_)) => {
            Err(refusal(codes::SEAT_TAKEN, "This seat would not be free: choose another one")
                .into())
        }
        (Some(_), None) => Err(refusal(
            codes::TABLE_FULL,
            "No seat would be free for you: leave one without a computer player",
        )
        .into()),
    }
}

/// Checks the options of a table, without building its game.
fn check_options(game: &DeclaredGame, options: &Options) -> Result<(), Problem> {
    check_clock(options.clock)?;
    let seats = game.seats().len();
    if options.computers.len() > seats {
        return Err(Problem::bad_request(format!(
            "This game has {seats} seats: name at most {seats} computers"
        )));
    }
    can_play_declared(game, options).map_err(|error| Problem::bad_request(error.to_string()))
}

/// Writes the first entry of a table, and adds the table to the directory.
pub(crate) async fn open(
    tables: &Arc<Tables>,
    payer: Payer,
    new: TableDraft,
) -> Result<OpenTable, Problem> {
    let TableDraft { game, seats, rules, options, is_listed } = new;
    let created_at = tables.unix_time();
    let computers = options.computers.iter().flatten().count();
    let id = TableId::random().map_err(|_error| Problem::unavailable())?;
    let body = EntryBody::Created {
        game: game.clone(),
        rules: RULES,
        options,
        commitment: tables.secret(id).commitment(),
    };
    let first = Entry::new(1, created_at, Author::Table, body);
    if begin(&*tables.journal, id, first, rules.as_deref()).await? != Appended::Committed {
        return Err(Problem::unavailable());
    }
    tables.metrics.created_tables.inc();
    let free_seats = u8::try_from(seats - computers).unwrap_or(u8::MAX);
    let status = if free_seats == 0 { TableStatus::Playing } else { TableStatus::Waiting };
    let table = OpenTable {
        id,
        code: String::new(),
        code_until: super::codes::expiry(tables),
        game,
        is_listed,
        created_at,
        free_seats,
        status,
    };
    let table = register(tables, table).await?;
    if is_listed {
        tables.lobby.mark_active(id);
        tables.load(payer, id);
    }
    if is_listed && free_seats > 0 {
        tables.lobby.opened(&table);
    }
    Ok(table)
}

/// Begins the log of a table, after its rules are kept.
async fn begin(
    journal: &dyn Journal,
    id: TableId,
    first: Entry,
    rules: Option<&str>,
) -> Result<Appended, JournalError> {
    loop {
        if let Some(rules) = rules {
            journal.keep_rules(rules.to_owned()).await?;
        }
        match journal.append(id, 0, vec![first.clone()]).await {
            // Meanwhile, the last other table that named them was deleted.
            Err(JournalError::NotWritten(NotWritten::NoRules)) if rules.is_some() => {}
            appended => return appended,
        }
    }
}

fn check_clock(clock: Option<Clock>) -> Result<(), Problem> {
    let is_valid = |time: u64| (1_000..=7 * 24 * 3_600 * 1_000).contains(&time);
    match clock {
        Some(Clock::PerMove(time) | Clock::PerSide(time)) if !is_valid(time) => {
            Err(Problem::bad_request("The time of a clock is between a second and a week"))
        }
        _ => Ok(()),
    }
}

/// Adds a table to the directory, with a new code.
async fn register(tables: &Tables, table: OpenTable) -> Result<OpenTable, Problem> {
    for _ in 0..super::codes::ATTEMPTS {
        let table = OpenTable { code: super::codes::random()?, ..table.clone() };
        if tables.directory.put(table.clone()).await? == PutOutcome::Done {
            return Ok(table);
        }
    }
    Err(Problem::unavailable())
}

/// The query for listed tables.
#[derive(Debug, Deserialize)]
pub(crate) struct ListQuery {
    status: Option<String>,
}

/// Lists public tables, newest first: those that wait for players or, with `status=playing`, those that
/// can be watched.
#[utoipa::path(get, path = "/api/tables", operation_id = "list_tables", tag = "tables",
    params(("status" = Option<String>, Query, nullable = false, pattern = "^(waiting|playing)$", description = "`waiting` (the default) or `playing`")),
    responses((status = 200, description = "The tables", body = ListedTables),
        (status = 400, description = "There is no such status")))]
pub(crate) async fn list(
    State(app): State<Arc<App>>,
    Query(query): Query<ListQuery>,
) -> Result<Json<ListedTables>, Problem> {
    let status = match query.status.as_deref() {
        None | Some("waiting") => TableStatus::Waiting,
        Some("playing") => TableStatus::Playing,
        Some(_) => {
            return Err(Problem::bad_request(
                "The status is waiting or playing: use one of them, or leave it out",
            ));
        }
    };
    Ok(Json(lobby::list(&app.tables, status).await?))
}

/// Returns the state of a table.
///
/// With a token, it is the state as that seat may see it, with the legal moves of the seat.
#[utoipa::path(get, path = "/api/tables/{id}", operation_id = "view_table", tag = "tables", security((), ("token" = [])),
    params(("id" = String, Path, description = "The id of the table")),
    responses((status = 200, description = "The table as the holder of the token may see it", body = Welcome),
        (status = 404, description = "There is no such table")))]
pub(crate) async fn view(
    State(app): State<Arc<App>>,
    TablePath(id): TablePath,
    ClientAddress(address): ClientAddress,
    Bearer(token): Bearer,
) -> Result<Json<Welcome>, Problem> {
    Ok(Json(fetch(&app.tables, Payer::at(address), id, token).await?))
}

/// The state of a table, as the holder of a token may see it.
pub(crate) async fn fetch(
    tables: &Arc<Tables>,
    payer: Payer,
    id: TableId,
    token: Option<Digest>,
) -> Result<Welcome, Problem> {
    let (answer, answered) = oneshot::channel();
    tables.send(payer, id, TableRequest::View { token, known: Resync::default(), answer });
    Ok(answered.await.map_err(|_gone| Problem::unavailable())??)
}
