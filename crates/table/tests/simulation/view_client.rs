//! A client of a game that hides something.

use table::wire::Entries;
use table::{Action, ActionId, TableView};

/// A client of a game that hides something. It cannot fold entries, so it shows the last view that
/// the server sent, and an action of its own only once the server has answered it. The next action
/// may depend on what is hidden, so only one waits for its answer at a time.
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

    /// The action that waits for its answer, to be sent now and again after a reconnection.
    pub(crate) const fn to_send(&self) -> Option<&Action> {
        self.pending.as_ref()
    }

    /// Keeps an action to be sent, unless another one waits for its answer.
    pub(crate) fn submit(&mut self, action: Action) {
        self.pending.get_or_insert(action);
    }

    /// Shows what the server sent, unless it is old; returns the action that it confirms.
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

    /// Shows what the server sent after a reconnection, unless it is old.
    pub(crate) fn resync(&mut self, view: TableView) {
        if view.version >= self.view.version {
            self.view = view;
        }
    }

    /// Starts over from another log. Returns an action that was meant for entries which this log does
    /// not have any more: the server would never decide it.
    pub(crate) fn restart(&mut self, view: TableView) -> Option<Action> {
        let (now, version) = ((view.round, view.ply), view.version);
        self.view = view;
        self.pending.take_if(|pending| pending.body.is_ahead_of(now, version))
    }

    /// The server has answered an action; returns whether the client waited for that.
    pub(crate) fn answered(&mut self, id: &ActionId) -> bool {
        self.pending.take_if(|pending| pending.id == *id).is_some()
    }
}
