//! What the browser remembers for a person: preferences, seats, games in this browser.

use table::{Action, Options, PlayerName, Token};

use crate::browser::{StorageArea, random};
use crate::json::{AsJson, JsonValue};
use crate::language::say;
use crate::session::SavedTable;

/// A person's name and last choices in the menu.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Preferences {
    pub(crate) name: String,
    /// The computer player.
    pub(crate) level: String,
    /// Whether the person plays the second seat against the computer.
    pub(crate) is_second: bool,
    /// The seconds per move at a table for friends; 0 without a clock.
    pub(crate) seconds: u32,
}

impl Default for Preferences {
    fn default() -> Self {
        Self { name: String::new(), level: "bthreads".to_owned(), is_second: false, seconds: 0 }
    }
}

impl AsJson for Preferences {
    fn to_json(&self) -> JsonValue {
        JsonValue::object([
            ("name", JsonValue::text(&self.name)),
            ("level", JsonValue::text(&self.level)),
            ("is_second", JsonValue::Flag(self.is_second)),
            ("seconds", JsonValue::Number(self.seconds.into())),
        ])
    }

    fn of_json(json: &JsonValue) -> Option<Self> {
        let usual = Self::default();
        Some(Self {
            name: json.text_of("name").unwrap_or(usual.name),
            level: json.text_of("level").unwrap_or(usual.level),
            is_second: json.flag_of("is_second"),
            seconds: json.small_number_of("seconds").unwrap_or(usual.seconds),
        })
    }
}

impl Preferences {
    pub(crate) fn load() -> Self {
        StorageArea::Site.read("person").unwrap_or_default()
    }

    pub(crate) fn save(&self) {
        StorageArea::Site.write("person", self);
    }

    /// The name that others see.
    pub(crate) fn public_name(&self) -> String {
        PlayerName::new(&self.name).map_or_else(|_| say("Guest"), |name| name.to_string())
    }
}

/// A seat that the person holds at a table on the server.
#[derive(Clone, Debug)]
pub(crate) struct StoredSeat {
    /// The id of the table.
    pub(crate) id: String,
    pub(crate) token: Token,
    /// The spoken code of the table; empty if it has none.
    pub(crate) code: String,
    /// One line about the table for the list of recent tables.
    pub(crate) summary: String,
    /// Whether the person is in turn.
    pub(crate) is_turn: bool,
}

impl AsJson for Token {
    fn to_json(&self) -> JsonValue {
        JsonValue::text(&self.reveal())
    }

    fn of_json(json: &JsonValue) -> Option<Self> {
        json.as_text()?.parse().ok()
    }
}

impl AsJson for StoredSeat {
    fn to_json(&self) -> JsonValue {
        JsonValue::object([
            ("id", JsonValue::text(&self.id)),
            ("token", self.token.to_json()),
            ("code", JsonValue::text(&self.code)),
            ("summary", JsonValue::text(&self.summary)),
            ("is_turn", JsonValue::Flag(self.is_turn)),
        ])
    }

    fn of_json(json: &JsonValue) -> Option<Self> {
        Some(Self {
            id: json.text_of("id")?,
            token: Token::of_json(json.get("token"))?,
            code: json.text_of("code").unwrap_or_default(),
            summary: json.text_of("summary").unwrap_or_default(),
            is_turn: json.flag_of("is_turn"),
        })
    }
}

/// The number of seats that are remembered.
const MAX_SEATS: usize = 100;

/// The seats that the person holds, the latest first.
pub(crate) fn seats() -> Vec<StoredSeat> {
    StorageArea::Site.read("seats").unwrap_or_default()
}

pub(crate) fn seat(id: &str) -> Option<StoredSeat> {
    seats().into_iter().find(|seat| seat.id == id)
}

/// Remembers a seat. The list is read afresh, because other tabs write to it too.
pub(crate) fn save_seat(id: &str, token: Token, code: &str, summary: &str) {
    let mut seats = seats();
    seats.retain(|other| other.id != id);
    let (id, code, summary) = (id.to_owned(), code.to_owned(), summary.to_owned());
    seats.insert(0, StoredSeat { id, token, code, summary, is_turn: false });
    seats.truncate(MAX_SEATS);
    StorageArea::Site.write("seats", &seats);
}

/// Changes the line about a table for the list of recent tables.
pub(crate) fn save_summary(id: &str, summary: &str, is_turn: bool) {
    let is_new = |seat: &StoredSeat| (seat.summary.as_str(), seat.is_turn) != (summary, is_turn);
    let Some(seat) = seat(id).filter(is_new) else { return };
    save_seat(id, seat.token, &seat.code, summary);
    let mut seats = seats();
    if let Some(seat) = seats.first_mut() {
        seat.is_turn = is_turn;
        StorageArea::Site.write("seats", &seats);
    }
}

/// Forgets a seat that the person did not get.
pub(crate) fn forget_seat(id: &str) {
    let seats: Vec<StoredSeat> = seats().into_iter().filter(|seat| seat.id != id).collect();
    StorageArea::Site.write("seats", &seats);
}

/// The token for a seat at a table. It is stored before the server hears of it: a second request,
/// after a lost answer or from another tab, claims the same seat.
pub(crate) fn seat_token(id: &str, code: &str) -> Token {
    if let Some(seat) = seat(id) {
        return seat.token;
    }
    let token = Token::new(random());
    save_seat(id, token.clone(), code, "");
    token
}

/// The token for a quick match. It stays the same until the match has begun.
pub(crate) fn pairing_token() -> Token {
    StorageArea::Site.read("pairing").unwrap_or_else(|| {
        let token = Token::new(random());
        StorageArea::Site.write("pairing", &token);
        token
    })
}

/// Forgets the pairing token: the person does not wait any more.
pub(crate) fn cancel_pairing() {
    StorageArea::Site.remove("pairing");
}

/// Forgets the pairing token once the match at this table has begun.
pub(crate) fn end_pairing(id: &str) {
    let waiting = StorageArea::Site.read::<Token>("pairing").map(|token| token.digest());
    if waiting.is_some() && waiting == seat(id).map(|seat| seat.token.digest()) {
        StorageArea::Site.remove("pairing");
    }
}

/// A table in this browser, for the list on the home page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LocalTable {
    /// The game, with its parameters.
    pub(crate) game: String,
    /// The computer player of each seat.
    pub(crate) computers: Vec<Option<String>>,
    /// One line about the table.
    pub(crate) summary: String,
    /// Whether the person is in turn.
    pub(crate) is_turn: bool,
}

impl AsJson for LocalTable {
    fn to_json(&self) -> JsonValue {
        let computers = self.computers.iter();
        let computers = computers.map(|level| JsonValue::maybe(level.as_deref(), JsonValue::text));
        JsonValue::object([
            ("game", JsonValue::text(&self.game)),
            ("computers", JsonValue::List(computers.collect())),
            ("summary", JsonValue::text(&self.summary)),
            ("is_turn", JsonValue::Flag(self.is_turn)),
        ])
    }

    fn of_json(json: &JsonValue) -> Option<Self> {
        let computers = json.get("computers").items().iter();
        Some(Self {
            game: json.text_of("game")?,
            computers: computers.map(|level| level.as_text().map(str::to_owned)).collect(),
            summary: json.text_of("summary")?,
            is_turn: json.flag_of("is_turn"),
        })
    }
}

impl LocalTable {
    fn key(&self) -> String {
        local_key(&self.game, &self.computers)
    }

    fn is_same(&self, other: &Self) -> bool {
        (&self.game, &self.computers) == (&other.game, &other.computers)
    }
}

/// The number of tables in this browser that are remembered.
const MAX_LOCAL_TABLES: usize = 20;

/// The tables in this browser, the latest first.
pub(crate) fn local_tables() -> Vec<LocalTable> {
    StorageArea::Site.read("local-tables").unwrap_or_default()
}

/// Lists a table in this browser first.
pub(crate) fn list_local_table(table: LocalTable) {
    let mut tables = local_tables();
    if tables.first() == Some(&table) {
        return;
    }
    tables.retain(|other| !other.is_same(&table));
    tables.insert(0, table);
    for forgotten in tables.drain(MAX_LOCAL_TABLES.min(tables.len())..) {
        StorageArea::Site.remove(&forgotten.key());
    }
    StorageArea::Site.write("local-tables", &tables);
}

/// Removes a table in this browser.
pub(crate) fn forget_local_table(table: &LocalTable) {
    let tables: Vec<LocalTable> =
        local_tables().into_iter().filter(|other| !other.is_same(table)).collect();
    StorageArea::Site.remove(&table.key());
    StorageArea::Site.write("local-tables", &tables);
}

/// A round that the person has played to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlayedGame {
    /// The game, with its parameters.
    pub(crate) game: String,
    /// The other players; empty on one screen.
    pub(crate) against: String,
    /// `Won`, `Lost`, `Drawn`, or who won on one screen.
    pub(crate) result: String,
    /// Its plies, as a replay reads them.
    pub(crate) plies: String,
    /// When it ended, in milliseconds since 1970.
    pub(crate) at: u64,
}

impl AsJson for PlayedGame {
    fn to_json(&self) -> JsonValue {
        JsonValue::object([
            ("game", JsonValue::text(&self.game)),
            ("against", JsonValue::text(&self.against)),
            ("result", JsonValue::text(&self.result)),
            ("plies", JsonValue::text(&self.plies)),
            ("at", JsonValue::Number(self.at)),
        ])
    }

    fn of_json(json: &JsonValue) -> Option<Self> {
        Some(Self {
            game: json.text_of("game")?,
            against: json.text_of("against")?,
            result: json.text_of("result")?,
            plies: json.text_of("plies")?,
            at: json.number_of("at")?,
        })
    }
}

/// The number of games that are remembered.
const MAX_GAMES: usize = 200;

/// The person's games, the latest first.
pub(crate) fn played_games() -> Vec<PlayedGame> {
    StorageArea::Site.read("games").unwrap_or_default()
}

/// Remembers a game.
pub(crate) fn save_game(game: PlayedGame) {
    let mut games = played_games();
    games.insert(0, game);
    games.truncate(MAX_GAMES);
    StorageArea::Site.write("games", &games);
}

/// Forgets all games.
pub(crate) fn forget_games() {
    StorageArea::Site.remove("games");
}

/// The stored table in this browser of this game with these options.
pub(crate) fn saved_table(game: &str, options: &Options) -> Option<SavedTable> {
    let saved: SavedTable = StorageArea::Site.read(&local_key(game, &options.computers))?;
    (saved.options() == options).then_some(saved)
}

pub(crate) fn save_table(table: &SavedTable) {
    let key = local_key(table.game(), &table.options().computers);
    StorageArea::Site.write(&key, table);
}

/// Tables of different games, levels and sides are stored beside each other.
fn local_key(game: &str, computers: &[Option<String>]) -> String {
    let computers = computers.iter().map(|computer| computer.as_deref().unwrap_or("person"));
    format!("local:{game}:{}", computers.collect::<Vec<_>>().join(":"))
}

/// The person's unanswered actions at a table. They belong to this tab and survive a reload.
pub(crate) fn unanswered(id: &str) -> Vec<Action> {
    let text = StorageArea::Tab.read_text(&format!("unanswered:{id}"));
    text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}

/// Remembers such actions as text, which is empty if there are none.
pub(crate) fn save_unanswered(id: &str, actions: String) {
    let key = format!("unanswered:{id}");
    if actions.is_empty() {
        StorageArea::Tab.remove(&key);
    } else {
        StorageArea::Tab.write_text(&key, actions);
    }
}
