//! What a client holds where the game hides something.

use crate::action::{Action, ActionId};
use crate::replica::NotSent;
use crate::view::TableView;
use crate::wire::Entries;

/// What a client holds where the game hides something: it cannot fold entries, so it shows what the
/// server shows to it, and an own action only once the server has answered it.
///
/// What comes next depends on what is hidden, so one action waits for its answer at a time.
#[derive(Clone, Debug)]
pub struct Mirror {
    view: TableView,
    pending: Option<Action>,
}

impl Mirror {
    /// What a client holds that is shown this.
    #[must_use]
    pub const fn new(view: TableView) -> Self {
        Self { view, pending: None }
    }

    /// The table as the server shows it.
    #[must_use]
    pub const fn view(&self) -> &TableView {
        &self.view
    }

    /// The own action that waits for its answer, to be sent now and again after a reconnection.
    #[must_use]
    pub const fn to_send(&self) -> Option<&Action> {
        self.pending.as_ref()
    }

    /// Takes an action to be sent.
    ///
    /// # Errors
    /// If another one waits for its answer.
    pub fn submit(&mut self, action: Action) -> Result<(), NotSent> {
        match &self.pending {
            Some(first) if first.id == action.id => Err(NotSent::SentBefore(action.id)),
            Some(_) => Err(NotSent::TooMany { most: 1 }),
            None => {
                self.pending = Some(action);
                Ok(())
            }
        }
    }

    /// Takes in what the server shows; gives the own action that it confirms. What is older than
    /// what is known is passed over.
    pub fn receive(&mut self, shown: &Entries) -> Option<ActionId> {
        let mut ids = shown.entries.iter().filter_map(|shown| shown.entry.action.as_ref());
        let id = self.pending.as_ref().map(|pending| pending.id.clone());
        let confirmed = id.filter(|id| ids.any(|other| other == id));
        if let Some(view) = &shown.view {
            self.resync(view.as_ref().clone());
        }
        if let Some(id) = &confirmed {
            self.answered(id);
        }
        confirmed
    }

    /// Takes in what the server shows after a reconnection, unless it is older than what is known.
    pub fn resync(&mut self, view: TableView) {
        if view.version >= self.view.version {
            self.view = view;
        }
    }

    /// Starts over from a log that is not a later one of the same: what was known does not count. An
    /// own action that was meant for what this log does not have any more is given back: the server
    /// would not decide it.
    pub fn restart(&mut self, view: TableView) -> Option<Action> {
        let (now, version) = ((view.round, view.ply), view.version);
        self.view = view;
        self.pending.take_if(|pending| pending.body.is_ahead_of(now, version))
    }

    /// The server has answered an action, whatever it said; gives whether somebody waited for that.
    pub fn answered(&mut self, id: &ActionId) -> bool {
        self.pending.take_if(|pending| pending.id == *id).is_some()
    }
}
