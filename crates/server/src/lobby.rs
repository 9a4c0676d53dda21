//! The lobby: which tables wait for players.

use std::sync::{Arc, Mutex, PoisonError};

use channels::{Answer, Label};
use serde::Serialize;

use crate::guest::{GuestId, Outbox, Outgoing};
use crate::host::frame;
use crate::house::House;
use crate::journal::{Listing, OpenTable, Status};
use crate::request::{codes, payload, refusal};

/// The lobby: who is there is told which tables wait for players, and when that changes.
#[derive(Debug, Default)]
pub(crate) struct Lobby(Mutex<Vec<(GuestId, Outbox)>>);

/// A table that waits for players, as strangers are shown it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub(crate) struct Waiting {
    /// What it is called.
    pub(crate) id: String,
    /// What people say to each other to find it.
    pub(crate) code: String,
    /// Its game, with its parameters.
    pub(crate) game: String,
    /// When it was created, in milliseconds since 1970.
    pub(crate) created_at: u64,
    /// How many may still join.
    pub(crate) free_seats: u8,
}

impl From<&OpenTable> for Waiting {
    fn from(table: &OpenTable) -> Self {
        Self {
            id: table.id.to_string(),
            code: table.code.clone(),
            game: table.game.clone(),
            created_at: table.created_at,
            free_seats: table.free_seats,
        }
    }
}

/// The tables that wait for players.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct WaitingTables {
    /// The newest first.
    pub(crate) tables: Vec<Waiting>,
}

/// A table that no longer waits.
#[derive(Debug, Serialize)]
struct Closed {
    id: String,
}

impl Lobby {
    /// Lets somebody in and tells which tables there are.
    pub(crate) fn join(&self, house: &Arc<House>, guest: GuestId, outbox: Outbox) {
        self.guests().push((guest, outbox.clone()));
        let house = Arc::clone(house);
        tokio::spawn(async move {
            let answer = match waiting(&house).await {
                Ok(tables) => Answer::Welcome(payload(&tables)),
                Err(refusal) => {
                    house.lobby.leave(guest);
                    Answer::Refuse(payload(&refusal))
                }
            };
            outbox.send(Outgoing::Answer(Box::new((guest.channel, answer, Vec::new()))));
        });
    }

    pub(crate) fn leave(&self, guest: GuestId) {
        self.guests().retain(|(other, _)| *other != guest);
    }

    /// Says that a table waits for players.
    pub(crate) fn opened(&self, table: &OpenTable) {
        self.tell("opened", &Waiting::from(table));
    }

    /// Says that a table no longer waits.
    pub(crate) fn closed(&self, id: crate::TableId) {
        self.tell("closed", &Closed { id: id.to_string() });
    }

    fn tell<T: Serialize>(&self, event: &str, message: &T) {
        let topic = Label::new("lobby").expect("it is short");
        let text = frame(&topic, event, payload(message));
        self.guests().retain(|(_, outbox)| outbox.send(Outgoing::Frame(text.clone())));
    }

    fn guests(&self) -> std::sync::MutexGuard<'_, Vec<(GuestId, Outbox)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The tables that wait for players, the newest first.
pub(crate) async fn waiting(house: &House) -> Result<WaitingTables, game::Refusal> {
    let listing = Listing { status: Some(Status::Waiting), after: None, most: 100 };
    match house.directory.listed(listing).await {
        Ok(tables) => Ok(WaitingTables { tables: tables.iter().map(Waiting::from).collect() }),
        Err(error) => Err(refusal(codes::UNAVAILABLE, error.to_string())),
    }
}
