//! The lobby: which tables wait for players.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use channels::{JoinAnswer, ShortText};
use serde::Serialize;

use crate::TableId;
use crate::guest::{GuestId, Outbox, Outgoing};
use crate::house::House;
use crate::journal::{Listing, OpenTable, Status};
use crate::request::{codes, payload, refusal};
use crate::told::frame;

/// The lobby: who is there is told which tables wait for players, and when that changes.
#[derive(Debug, Default)]
pub(crate) struct Lobby(Mutex<Inside>);

#[derive(Debug, Default)]
struct Inside {
    guests: Vec<(GuestId, Outbox)>,
    /// The tables that somebody was told of: the ids of others are nobody's business.
    shown: HashSet<TableId>,
    /// The tables at which something has happened since the server runs, and that were not given up
    /// since. What the directory says of others was so when the server stopped: nobody is there.
    alive: HashSet<TableId>,
}

/// A table as strangers are shown it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub(crate) struct ListedTable {
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

impl From<&OpenTable> for ListedTable {
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

/// Tables that strangers are shown.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct ListedTables {
    /// The newest first.
    pub(crate) tables: Vec<ListedTable>,
}

/// A table that no longer waits.
#[derive(Debug, Serialize)]
struct Closed {
    id: String,
}

impl Lobby {
    /// Lets somebody in and tells which tables there are.
    pub(crate) fn join(&self, house: &Arc<House>, guest: GuestId, outbox: Outbox) {
        self.inside().guests.push((guest, outbox.clone()));
        let house = Arc::clone(house);
        tokio::spawn(async move {
            let answer = match listed(&house, Status::Waiting).await {
                Ok(tables) => {
                    let ids =
                        tables.tables.iter().filter_map(|table| table.id.parse::<TableId>().ok());
                    house.lobby.inside().shown.extend(ids);
                    JoinAnswer::Welcome(payload(&tables))
                }
                Err(refusal) => {
                    house.lobby.leave(guest);
                    JoinAnswer::Refuse(payload(&refusal))
                }
            };
            outbox.send(Outgoing::Answer(Box::new((guest.channel, answer, Vec::new()))));
        });
    }

    pub(crate) fn leave(&self, guest: GuestId) {
        self.inside().guests.retain(|(other, _)| *other != guest);
    }

    /// Something happens at a table: it may be offered.
    pub(crate) fn revive(&self, id: TableId) {
        self.inside().alive.insert(id);
    }

    /// Nobody is at a table any more: it is not offered.
    pub(crate) fn give_up(&self, id: TableId) {
        self.inside().alive.remove(&id);
    }

    /// Says that a table waits for players.
    pub(crate) fn opened(&self, table: &OpenTable) {
        self.inside().shown.insert(table.id);
        self.tell("opened", &ListedTable::from(table));
    }

    /// Says that a table no longer waits, if anybody was told that it did.
    pub(crate) fn closed(&self, id: TableId) {
        let was_shown = self.inside().shown.remove(&id);
        if was_shown {
            self.tell("closed", &Closed { id: id.to_string() });
        }
    }

    fn tell<T: Serialize>(&self, event: &str, message: &T) {
        let topic = ShortText::new("lobby").expect("it is short");
        let text = frame(&topic, event, payload(message));
        let mut inside = self.inside();
        inside.guests.retain(|(_, outbox)| outbox.send(Outgoing::Frame(text.clone())));
    }

    fn inside(&self) -> std::sync::MutexGuard<'_, Inside> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How many tables are shown at once.
const MOST: usize = 100;

/// The tables that strangers are shown and at which this happens, the newest first.
pub(crate) async fn listed(
    house: &Arc<House>,
    status: Status,
) -> Result<ListedTables, game::Refusal> {
    let mut listing = Listing { status: Some(status), after: None, most: MOST };
    let mut tables = Vec::new();
    loop {
        let page = house.directory.listed(listing).await;
        let page = page.map_err(|error| refusal(codes::UNAVAILABLE, error.to_string()))?;
        let (alive, left): (Vec<_>, Vec<_>) = {
            let inside = house.lobby.inside();
            page.iter().partition(|table| inside.alive.contains(&table.id))
        };
        tables.extend(alive.into_iter().map(ListedTable::from));
        // The first ones are enough: the next who asks finds others.
        if listing.after.is_none() {
            for table in left {
                house.look_after(table.id);
            }
        }
        listing.after = page.last().map(|table| (table.created_at, table.id));
        if page.len() < MOST || tables.len() >= MOST {
            tables.truncate(MOST);
            return Ok(ListedTables { tables });
        }
    }
}
