//! What the browser keeps for a person: a name, what was chosen last, seats, games of its own.

use serde::{Deserialize, Serialize};
use table::{Action, PlayerName, Token};

use crate::browser::{Drawer, now, random};
use crate::sitting::Saved;

/// What a person is called, and what was chosen last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Person {
    pub(crate) name: String,
    /// The computer player.
    pub(crate) level: String,
    /// Whether the person plays the second seat against the computer.
    pub(crate) is_second: bool,
    /// How long a move may take at a table for friends, in seconds; 0 without a clock.
    pub(crate) seconds: u32,
}

impl Default for Person {
    fn default() -> Self {
        Self { name: String::new(), level: "bthreads".to_owned(), is_second: false, seconds: 0 }
    }
}

impl Person {
    pub(crate) fn kept() -> Self {
        Drawer::Always.take_out("person").unwrap_or_default()
    }

    pub(crate) fn keep(&self) {
        Drawer::Always.put("person", self);
    }

    /// What others are told.
    pub(crate) fn public_name(&self) -> String {
        PlayerName::new(&self.name).map_or_else(|_| "Guest".to_owned(), |name| name.to_string())
    }
}

/// A table at which the person has a seat.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Seat {
    pub(crate) id: String,
    pub(crate) token: Token,
    /// The code that was said aloud, while a seat is free.
    #[serde(default)]
    pub(crate) code: String,
    /// How it stood when it was last seen.
    #[serde(default)]
    pub(crate) summary: String,
    /// When that was, in milliseconds since 1970.
    #[serde(default)]
    pub(crate) at: u64,
}

/// How many tables are remembered.
const MOST_SEATS: usize = 100;

/// The tables at which the person has a seat, the latest first.
pub(crate) fn seats() -> Vec<Seat> {
    Drawer::Always.take_out("seats").unwrap_or_default()
}

pub(crate) fn seat(id: &str) -> Option<Seat> {
    seats().into_iter().find(|seat| seat.id == id)
}

/// Remembers a seat. Other tabs may have remembered others meanwhile.
pub(crate) fn keep_seat(seat: Seat) {
    let mut seats = seats();
    seats.retain(|other| other.id != seat.id);
    seats.insert(0, seat);
    seats.truncate(MOST_SEATS);
    Drawer::Always.put("seats", &seats);
}

/// Remembers how a table stands.
pub(crate) fn note_seat(id: &str, summary: &str) {
    if let Some(seat) = seat(id).filter(|seat| seat.summary != summary) {
        keep_seat(Seat { summary: summary.to_owned(), at: now(), ..seat });
    }
}

/// The token for a seat at a table, which is kept before anybody is asked for the seat: who asks again,
/// after an answer was lost or in another tab, gets the same one.
pub(crate) fn token(id: &str, code: &str) -> Token {
    if let Some(seat) = seat(id) {
        return seat.token;
    }
    let token = Token::new(random());
    let (id, code, summary) = (id.to_owned(), code.to_owned(), String::new());
    keep_seat(Seat { id, token: token.clone(), code, summary, at: now() });
    token
}

/// The token for the seat of a quick match, which is the same until somebody has come.
pub(crate) fn pairing_token() -> Token {
    Drawer::Always.take_out("pairing").unwrap_or_else(|| {
        let token = Token::new(random());
        Drawer::Always.put("pairing", &token);
        token
    })
}

/// Somebody has come to a table: the next quick match is another one.
pub(crate) fn end_pairing(id: &str) {
    let waiting = Drawer::Always.take_out::<Token>("pairing").map(|token| token.digest());
    if waiting.is_some() && waiting == seat(id).map(|seat| seat.token.digest()) {
        Drawer::Always.empty("pairing");
    }
}

/// Forgets a seat that somebody else has got.
pub(crate) fn forget_seat(id: &str) {
    let seats: Vec<Seat> = seats().into_iter().filter(|seat| seat.id != id).collect();
    Drawer::Always.put("seats", &seats);
}

/// A game in this browser, and whom it was against.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct OwnGame {
    pub(crate) level: String,
    pub(crate) is_second: bool,
    pub(crate) saved: Saved,
}

pub(crate) fn own_game(key: &str) -> Option<OwnGame> {
    Drawer::Always.take_out(key)
}

pub(crate) fn keep_own_game(key: &str, game: &OwnGame) {
    Drawer::Always.put(key, game);
}

/// Own actions that nobody has answered; they belong to this tab and outlive a reload.
pub(crate) fn unanswered(id: &str) -> Vec<Action> {
    Drawer::ThisTab.take_out(&format!("unanswered:{id}")).unwrap_or_default()
}

pub(crate) fn keep_unanswered(id: &str, actions: &[Action]) {
    let key = format!("unanswered:{id}");
    if actions.is_empty() {
        Drawer::ThisTab.empty(&key);
    } else {
        Drawer::ThisTab.put(&key, &actions);
    }
}
