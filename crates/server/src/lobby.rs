//! The lobby: the tables that wait for players.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use channels::{JoinAnswer, ShortText};
use serde::Serialize;

use table::wire::{ListedTable, ListedTables, codes};

use crate::TableId;
use crate::broadcast::frame;
use crate::journal::{Listing, OpenTable, TableStatus};
use crate::outbox::{Outbox, Outgoing};
use crate::push_reply::payload;
use crate::refusals::refusal;
use crate::subscriber::SubscriberId;
use crate::tables::Tables;
use crate::work_pool::Payer;

/// The lobby. Its subscribers receive the tables that wait for players, and every change.
#[derive(Debug, Default)]
pub(crate) struct Lobby(Mutex<LobbyState>);

#[derive(Debug, Default)]
struct LobbyState {
    subscribers: Vec<(SubscriberId, Outbox)>,
    /// The tables that were announced. The ids of others are not revealed.
    announced: HashSet<TableId>,
    /// The tables that were active since the server was started, and have not become idle. The
    /// directory may list others to which no client has come back.
    active: HashSet<TableId>,
}

/// A table that no longer waits for players.
#[derive(Debug, Serialize)]
struct ClosedTable {
    id: String,
}

impl Lobby {
    /// Adds a subscriber and sends it the tables that wait for players.
    pub(crate) fn join(&self, tables: &Arc<Tables>, subscriber: SubscriberId, outbox: Outbox) {
        self.state().subscribers.push((subscriber, outbox.clone()));
        let tables = Arc::clone(tables);
        tokio::spawn(async move {
            let answer = match list(&tables, TableStatus::Waiting).await {
                Ok(listed) => {
                    let ids =
                        listed.tables.iter().filter_map(|table| table.id.parse::<TableId>().ok());
                    tables.lobby.state().announced.extend(ids);
                    JoinAnswer::Welcome(payload(&listed))
                }
                Err(refusal) => {
                    tables.lobby.leave(subscriber);
                    JoinAnswer::Refuse(payload(&refusal))
                }
            };
            outbox.send(Outgoing::Answer(Box::new((subscriber.channel, answer, Vec::new()))));
        });
    }

    pub(crate) fn leave(&self, subscriber: SubscriberId) {
        self.state().subscribers.retain(|(other, _)| *other != subscriber);
    }

    /// Marks a table as active, so that it may be listed.
    pub(crate) fn mark_active(&self, id: TableId) {
        self.state().active.insert(id);
    }

    /// Marks a table as idle, so that it is not listed.
    pub(crate) fn mark_idle(&self, id: TableId) {
        self.state().active.remove(&id);
    }

    /// Announces a table that waits for players, once.
    pub(crate) fn opened(&self, table: &OpenTable) {
        let is_new = self.state().announced.insert(table.id);
        if is_new {
            self.broadcast("opened", &listed_table(table));
        }
    }

    /// Announces what has become of a listed table, perhaps at another server.
    pub(crate) fn changed(&self, table: &OpenTable) {
        if table.status == TableStatus::Waiting && table.free_seats > 0 {
            self.opened(table);
        } else {
            self.closed(table.id);
        }
    }

    /// Announces that a table no longer waits, if it was announced before.
    pub(crate) fn closed(&self, id: TableId) {
        let was_announced = self.state().announced.remove(&id);
        if was_announced {
            self.broadcast("closed", &ClosedTable { id: id.to_string() });
        }
    }

    fn broadcast<T: Serialize>(&self, event: &str, message: &T) {
        let topic = ShortText::new("lobby").expect("the text is short");
        let text = frame(&topic, event, payload(message));
        let mut state = self.state();
        state.subscribers.retain(|(_, outbox)| outbox.send(Outgoing::Frame(text.clone())));
    }

    fn state(&self) -> std::sync::MutexGuard<'_, LobbyState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The largest number of tables in one list.
const MAX_LISTED: usize = 100;

/// The listed tables with this status, newest first.
pub(crate) async fn list(
    tables: &Arc<Tables>,
    status: TableStatus,
) -> Result<ListedTables, game::Refusal> {
    let mut listing = Listing { status: Some(status), after: None, limit: MAX_LISTED };
    let mut listed = Vec::new();
    loop {
        let page = tables.directory.listed(listing).await;
        let page = page.map_err(|error| refusal(codes::UNAVAILABLE, error.to_string()))?;
        let (active, abandoned): (Vec<_>, Vec<_>) = {
            let lobby = tables.lobby.state();
            page.iter().partition(|table| lobby.active.contains(&table.id))
        };
        // Other servers may have tables that are not active here.
        let elsewhere = if tables.is_shared() { abandoned.clone() } else { Vec::new() };
        let mut shown = [active, elsewhere].concat();
        shown.sort_by_key(|table| std::cmp::Reverse((table.created_at, table.id)));
        listed.extend(shown.into_iter().map(listed_table));
        // Loading an abandoned table corrects its status in the directory. One page at a time is
        // enough: the next request finds others.
        if listing.after.is_none() {
            for table in abandoned {
                tables.load(Payer::Server, table.id);
            }
        }
        listing.after = page.last().map(|table| (table.created_at, table.id));
        if page.len() < MAX_LISTED || listed.len() >= MAX_LISTED {
            listed.truncate(MAX_LISTED);
            return Ok(ListedTables { tables: listed });
        }
    }
}

fn listed_table(table: &OpenTable) -> ListedTable {
    ListedTable {
        id: table.id.to_string(),
        game: table.game.clone(),
        created_at: table.created_at,
        free_seats: table.free_seats,
    }
}
