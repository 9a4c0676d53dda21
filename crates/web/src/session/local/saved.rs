//! A table in this browser, as the browser keeps it and as a worker reads it.

use game::Seat;
use table::{Entry, Occupant, Options, PlayerName, TableSnapshot};

use crate::json::{AsJson, JsonValue};

mod saved_entry;

/// A table as the browser stores it.
#[derive(Clone, Debug)]
pub struct SavedTable {
    pub(super) secret: [u8; 32],
    /// The table at the beginning of the round.
    pub(super) start: TableSnapshot,
    /// The entries since then.
    pub(super) entries: Vec<Entry>,
}

impl SavedTable {
    /// The options that the table was created with.
    #[must_use]
    pub const fn options(&self) -> &Options {
        &self.start.options
    }

    /// The game of the table, with its parameters.
    #[must_use]
    pub fn game(&self) -> &str {
        &self.start.game
    }

    /// The version of the table's log. Every action makes it higher.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.entries.last().map_or(self.start.version, |entry| entry.version)
    }

    /// The table as text: JSON, with entries as logs have them.
    #[must_use]
    pub fn write(&self) -> String {
        self.to_json().write()
    }

    /// Reads a table; `None` if the text is none.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        Self::of_json(&JsonValue::read(text)?)
    }
}

impl AsJson for SavedTable {
    fn to_json(&self) -> JsonValue {
        let secret = self.secret.iter().map(|byte| number(*byte)).collect();
        JsonValue::object([
            ("secret", JsonValue::List(secret)),
            ("start", snapshot(&self.start)),
            ("entries", self.entries.to_json()),
        ])
    }

    fn of_json(json: &JsonValue) -> Option<Self> {
        let byte = |item: &JsonValue| match item {
            JsonValue::Number(number) => u8::try_from(*number).ok(),
            _ => None,
        };
        let secret: Option<Vec<u8>> = json.get("secret").items().iter().map(byte).collect();
        let JsonValue::List(entries) = json.get("entries") else { return None };
        Some(Self {
            secret: secret?.try_into().ok()?,
            start: snapshot_of(json.get("start"))?,
            // Without one of its entries it would be another table.
            entries: entries.iter().map(Entry::of_json).collect::<Option<_>>()?,
        })
    }
}

fn number(number: impl Into<u64>) -> JsonValue {
    JsonValue::Number(number.into())
}

fn seat_number(seat: Seat) -> JsonValue {
    number(seat.number())
}

fn seat_of(json: &JsonValue) -> Option<Seat> {
    match json {
        JsonValue::Number(number) => Seat::new(u8::try_from(*number).ok()?),
        _ => None,
    }
}

/// A table in this browser has computer players and no other options, and no actions of clients.
fn snapshot(start: &TableSnapshot) -> JsonValue {
    let computers = start.options.computers.iter();
    let computers = computers.map(|level| JsonValue::maybe(level.as_deref(), JsonValue::text));
    let occupant = |occupant: &Occupant| {
        JsonValue::object([
            ("name", JsonValue::text(occupant.name.as_str())),
            ("is_here", JsonValue::Flag(occupant.is_here)),
            ("since", number(occupant.since)),
        ])
    };
    let chairs = start.occupants.iter().map(|chair| JsonValue::maybe(chair.as_ref(), occupant));
    let losers = start.losers.iter().map(|loser| JsonValue::maybe(*loser, seat_number));
    let options = [("computers", JsonValue::List(computers.collect()))];
    JsonValue::object([
        ("format", number(start.format)),
        ("version", number(start.version)),
        ("at", number(start.at)),
        ("game", JsonValue::text(&start.game)),
        ("rules", number(start.rules)),
        ("options", JsonValue::object(options)),
        ("chairs", JsonValue::List(chairs.collect())),
        ("losers", JsonValue::List(losers.collect())),
        ("recent", JsonValue::List(Vec::new())),
    ])
}

fn snapshot_of(json: &JsonValue) -> Option<TableSnapshot> {
    let computers = json.get("options").get("computers").items().iter();
    let computers = computers.map(|level| level.as_text().map(str::to_owned)).collect();
    let occupant = |chair: &JsonValue| {
        Some(Occupant {
            name: PlayerName::new(chair.get("name").as_text()?).ok()?,
            token: None,
            is_here: chair.flag_of("is_here"),
            since: chair.number_of("since")?,
        })
    };
    Some(TableSnapshot {
        format: json.small_number_of("format")?,
        version: json.number_of("version")?,
        at: json.number_of("at")?,
        game: json.text_of("game")?,
        rules: json.small_number_of("rules")?,
        options: Options { computers, ..Options::default() },
        occupants: json.get("chairs").items().iter().map(occupant).collect(),
        losers: json.get("losers").items().iter().map(seat_of).collect(),
        recent: Vec::new(),
    })
}
