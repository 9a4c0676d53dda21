//! A session at a table that the server shows, because the page cannot follow its log.

use channels::Json;
use games::catalog;
use table::wire::{Entries, FromClient, FromServer, GameName, PROTOCOL, Welcome};
use table::{Action, ActionId, TableView};

use super::{PushPurpose, RemoteSession};
use crate::session::{Intent, Now, SocketCommand, ViewedTable};

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
        self.viewed = Some((welcome.view, welcome.seat));
        self.viewed_action = None;
        Vec::new()
    }

    /// Shows what the server says about new entries, or asks for the table as it is now.
    pub(super) fn view_entries(&mut self, json: &Json, now: Now) -> Vec<SocketCommand> {
        match FromServer::<TableView>::read("entries", json.as_str()) {
            Ok(FromServer::Entries(Entries { view: Some(view), .. })) => {
                if let Some((shown, _)) = &mut self.viewed {
                    *shown = *view;
                }
                Vec::new()
            }
            _ => self.resync_from(None, now),
        }
    }

    /// Sends an action at a table that the server shows.
    pub(super) fn act_at_viewed(&mut self, intent: Intent, now: Now) -> Vec<SocketCommand> {
        let Some((view, Some(_))) = &self.viewed else { return Vec::new() };
        let body = ViewedTable::action(view, intent);
        self.action_count += 1;
        let id = ActionId::new(&self.client_id, self.action_count).expect("client ids are short");
        self.viewed_action = Some(body.clone());
        let action = Action { id: id.clone(), body };
        self.push(&FromClient::Act(action), Some(PushPurpose::Act(id)), now)
    }
}
