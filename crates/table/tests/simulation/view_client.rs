//! A client of a game with hidden information.

use table::wire::Entries;
use table::{Action, ActionId, TableView};

/// A client of a game with hidden information. It cannot fold entries, so it shows the last view of
/// the server, and an action of its own only after the answer. The next action may depend on hidden
/// information, so only one action is pending at a time.
#[derive(Clone, Debug)]
pub(crate) struct ViewClient {
    view: TableView,
    pending: Option<Action>,
}

impl ViewClient {
    pub(crate) const fn new(view: TableView) -> Self {
        Self { view, pending: None }
    }

    /// The table as the server shows it.
    pub(crate) const fn view(&self) -> &TableView {
        &self.view
    }

    /// The pending action, to be sent now and again after a reconnection.
    pub(crate) const fn to_send(&self) -> Option<&Action> {
        self.pending.as_ref()
    }

    /// Keeps an action to be sent, unless another one is pending.
    pub(crate) fn submit(&mut self, action: Action) {
        self.pending.get_or_insert(action);
    }

    /// Shows the view that the server sent, unless it is old. Returns the action that it confirms.
    pub(crate) fn receive(&mut self, sent: &Entries) -> Option<ActionId> {
        let mut ids = sent.entries.iter().filter_map(|entry| entry.action.as_ref());
        let id = self.pending.as_ref().map(|pending| pending.id.clone());
        let confirmed = id.filter(|id| ids.any(|other| other == id));
        if let Some(view) = &sent.view {
            self.resync(view.as_ref().clone());
        }
        if let Some(id) = &confirmed {
            self.answered(id);
        }
        confirmed
    }

    /// Shows the view that the server sent after a reconnection, unless it is old.
    pub(crate) fn resync(&mut self, view: TableView) {
        if view.version >= self.view.version {
            self.view = view;
        }
    }

    /// Starts over from another log. Returns the pending action if it depends on entries that this
    /// log does not have, because the server would never decide it.
    pub(crate) fn restart(&mut self, view: TableView) -> Option<Action> {
        let (now, version) = ((view.round, view.ply), view.version);
        self.view = view;
        self.pending.take_if(|pending| pending.body.is_ahead_of(now, version))
    }

    /// Handles the answer to an action. Returns whether the action was pending.
    pub(crate) fn answered(&mut self, id: &ActionId) -> bool {
        self.pending.take_if(|pending| pending.id == *id).is_some()
    }
}
