//! What the browser remembers for a person: preferences, seats, games in this browser.

use serde::{Deserialize, Serialize};
use table::{Action, Options, PlayerName, Token};

use crate::browser::{StorageArea, random};
use crate::session::SavedTable;

/// A person's name and last choices in the menu.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
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

impl Preferences {
    pub(crate) fn load() -> Self {
        StorageArea::Site.read("person").unwrap_or_default()
    }

    pub(crate) fn save(&self) {
        StorageArea::Site.write("person", self);
    }

    /// The name that others see.
    pub(crate) fn public_name(&self) -> String {
        PlayerName::new(&self.name).map_or_else(|_| "Guest".to_owned(), |name| name.to_string())
    }
}

/// A seat that the person holds at a table on the server.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct StoredSeat {
    /// The id of the table.
    pub(crate) id: String,
    pub(crate) token: Token,
    /// The spoken code of the table; empty if it has none.
    #[serde(default)]
    pub(crate) code: String,
    /// One line about the table for the list of recent tables.
    #[serde(default)]
    pub(crate) summary: String,
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
    seats.insert(0, StoredSeat { id, token, code, summary });
    seats.truncate(MAX_SEATS);
    StorageArea::Site.write("seats", &seats);
}

/// Changes the line about a table for the list of recent tables.
pub(crate) fn save_summary(id: &str, summary: &str) {
    if let Some(seat) = seat(id).filter(|seat| seat.summary != summary) {
        save_seat(id, seat.token, &seat.code, summary);
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

/// Forgets the pairing token once the match at this table has begun.
pub(crate) fn end_pairing(id: &str) {
    let waiting = StorageArea::Site.read::<Token>("pairing").map(|token| token.digest());
    if waiting.is_some() && waiting == seat(id).map(|seat| seat.token.digest()) {
        StorageArea::Site.remove("pairing");
    }
}

/// The stored table in this browser that has these options.
pub(crate) fn saved_table(options: &Options) -> Option<SavedTable> {
    let saved: SavedTable = StorageArea::Site.read(table_key(options))?;
    (saved.options() == options).then_some(saved)
}

pub(crate) fn save_table(table: &SavedTable) {
    StorageArea::Site.write(table_key(table.options()), table);
}

fn table_key(options: &Options) -> &'static str {
    if options.computers.is_empty() { "one-screen-table" } else { "computer-table" }
}

/// The person's unanswered actions at a table. They belong to this tab and survive a reload.
pub(crate) fn unanswered(id: &str) -> Vec<Action> {
    StorageArea::Tab.read(&format!("unanswered:{id}")).unwrap_or_default()
}

pub(crate) fn save_unanswered(id: &str, actions: &[Action]) {
    let key = format!("unanswered:{id}");
    if actions.is_empty() {
        StorageArea::Tab.remove(&key);
    } else {
        StorageArea::Tab.write(&key, &actions);
    }
}
