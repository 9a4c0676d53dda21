//! A session at a table that the server shows, because the page cannot follow its log.

use channels::Json;
use game::Seat;
use games::catalog;
use table::wire::{Entries, FromClient, FromServer, GameName, PROTOCOL, Welcome};
use table::{Action, ActionId, Entry, TableView};

use super::{PushPurpose, RemoteSession};
use crate::session::finished_round::{HOLD_TIME, RoundEnding};
use crate::session::{Intent, Now, SocketCommand, ViewedTable};

/// A table as the server shows it.
#[derive(Debug)]
pub(super) struct ServerShownTable {
    /// The table as it is now.
    pub(super) view: TableView,
    /// The person's seat; a spectator has none.
    pub(super) seat: Option<Seat>,
    held: Option<HeldRound>,
}

/// A round that is over, which the person still looks at. The next one has begun.
#[derive(Debug)]
struct HeldRound {
    view: TableView,
    ending: RoundEnding,
    /// When the next round is shown anyway, on the monotonic clock.
    until: u64,
}

impl ServerShownTable {
    const fn new(view: TableView, seat: Option<Seat>) -> Self {
        Self { view, seat, held: None }
    }

    /// What the person looks at, and how that round ended if it is a finished one.
    pub(super) fn shown(&self) -> (&TableView, Option<RoundEnding>) {
        match &self.held {
            None => (&self.view, None),
            Some(held) => (&held.view, Some(held.ending)),
        }
    }

    /// Shows the table after new entries. A round that one of them ends stays for a while.
    fn receive(&mut self, entries: &[Entry], view: TableView, now: Now) {
        let ending = self.ending(entries);
        let mut before = std::mem::replace(&mut self.view, view);
        let has_begun = self.view.round > before.round;
        if let Some(ending) = ending.filter(|_| has_begun && self.held.is_none()) {
            before.wins.clone_from(&self.view.wins);
            (before.ties, before.deadline) = (self.view.ties, None);
            before.legal_moves.clear();
            let until = now.monotonic + HOLD_TIME;
            self.held = Some(HeldRound { view: before, ending, until });
        }
    }

    /// How new entries end the round that is shown, unless the person has gone on.
    fn ending(&self, entries: &[Entry]) -> Option<RoundEnding> {
        let new = entries.iter().filter(|entry| entry.version > self.view.version);
        let mut endings = new.filter_map(|entry| RoundEnding::of(&entry.body, entry.seat()));
        endings.find(|ending| match ending {
            RoundEnding::Ready(seat) => {
                self.view.scores.is_some() && (seat.is_none() || *seat != self.seat)
            }
            _ => true,
        })
    }

    /// The person leaves the finished round, if one is shown. Returns whether one was.
    fn go_on(&mut self) -> bool {
        self.held.take().is_some()
    }

    /// Goes on if the time is up.
    pub(super) fn tick(&mut self, monotonic: u64) {
        self.held.take_if(|held| held.until <= monotonic);
    }

    /// When the next round is shown anyway.
    pub(super) fn until(&self) -> Option<u64> {
        self.held.as_ref().map(|held| held.until)
    }
}

/// Whether the server shows the table that it welcomes to: its game hides something, or the page does not
/// have it.
pub(super) fn is_shown_by_server(response: &Json) -> bool {
    let is_shown = |welcome: Welcome<GameName>| {
        let is_known = catalog::declared_without_searches(&welcome.view.game).is_ok();
        welcome.protocol == PROTOCOL && (welcome.start.is_none() || !is_known)
    };
    response.read().is_ok_and(is_shown)
}

impl RemoteSession {
    /// Shows the table as the server describes it.
    pub(super) fn welcome_to_viewed(
        &mut self,
        welcome: Welcome<TableView>,
        now: Now,
    ) -> Vec<SocketCommand> {
        if let Some(server_time) = welcome.now {
            self.clock_offset = server_time.cast_signed() - now.since_1970.cast_signed();
        }
        self.claim_after = welcome.claim_after;
        self.viewed = Some(ServerShownTable::new(welcome.view, welcome.seat));
        self.viewed_action = None;
        Vec::new()
    }

    /// Shows what the server says about new entries, or asks for the table as it is now.
    pub(super) fn view_entries(&mut self, json: &Json, now: Now) -> Vec<SocketCommand> {
        match FromServer::<TableView>::read("entries", json.as_str()) {
            Ok(FromServer::Entries(Entries { entries, view: Some(view) })) => {
                if let Some(table) = &mut self.viewed {
                    table.receive(&entries, *view, now);
                }
                Vec::new()
            }
            _ => self.resync_from(None, now),
        }
    }

    /// Sends an action at a table that the server shows.
    pub(super) fn act_at_viewed(&mut self, intent: Intent, now: Now) -> Vec<SocketCommand> {
        let Some(table) = &mut self.viewed else { return Vec::new() };
        if table.go_on() || table.seat.is_none() {
            return Vec::new();
        }
        let body = ViewedTable::action(&table.view, intent);
        self.action_count += 1;
        let id = ActionId::new(&self.client_id, self.action_count).expect("client ids are short");
        self.viewed_action = Some(body.clone());
        let action = Action { id: id.clone(), body };
        self.push(&FromClient::Act(action), Some(PushPurpose::Act(id)), now)
    }
}
