//! The checks that every run must pass.

use game::{Game, StopFlag};
use table::{ActionId, ActionVerdict, Entry, EntryBody, automatic_entries, explain};

use crate::client::Client;
use crate::local_state::is_same;
use crate::message::Message;
use crate::node::unexplained;
use crate::secrets;
use crate::tally::Tally;
use crate::world::World;

impl World<'_> {
    /// Whether every action is answered, every client knows the whole log, and the table has no
    /// automatic entries to add.
    pub(crate) fn is_settled(&self) -> Result<bool, String> {
        let truth = self.journal.state();
        let now = (0..self.nodes.len()).map(|node| self.clock(node)).max().unwrap_or(self.now);
        let automatic =
            automatic_entries(truth, &self.secret, now).map_err(|error| error.to_string())?;
        let epoch = self.journal.epoch();
        let knows_all = |client: &Client| {
            client.is_settled()
                && client.knows(epoch)
                && client.local.version() == truth.version()
                && client.seat == truth.holder(client.token)
        };
        Ok(automatic.is_empty() && self.clients.iter().all(knows_all))
    }

    pub(crate) fn check_node(&self, node: usize) -> Result<(), String> {
        let state = self.nodes[node].state();
        match self.journal.state_at(state.version()) {
            Some(truth) if is_same(state, truth) => Ok(()),
            _ => Err(format!("node {node} differs from the log")),
        }
    }

    /// No message shows a client hidden information.
    pub(crate) fn check_message(&mut self, message: &Message) -> Result<(), String> {
        if !self.journal.state().game().hides() {
            return Ok(());
        }
        self.tally.hidden += 1;
        match message {
            Message::Welcome { welcome, .. } => {
                secrets::check(welcome, self.journal.state_at(welcome.version), welcome.seat)
            }
            Message::Entries { seat, entries, .. } => {
                let version = entries.view.as_ref().map_or(0, |view| view.version);
                secrets::check(entries, self.journal.state_at(version), *seat)
            }
            Message::ActionVerdict {
                verdict: ActionVerdict::Refused(refusal) | ActionVerdict::NotYet(refusal),
                ..
            } => secrets::check(refusal, None, None),
            _ => {
                self.tally.hidden -= 1;
                Ok(())
            }
        }
    }

    /// The state of a client is the state of the log at its version. A client that still
    /// follows the log before a restored backup is exempt.
    pub(crate) fn check_client(&self, client: usize) -> Result<(), String> {
        let Client { local, seat, .. } = &self.clients[client];
        if !self.clients[client].knows(self.journal.epoch()) {
            return Ok(());
        }
        let version = local.version();
        let truth = self.journal.state_at(version);
        let truth =
            truth.ok_or_else(|| format!("client {client} knows version {version} too early"))?;
        local.check(truth, *seat).map_err(|broken| format!("client {client}: {broken}"))
    }

    /// A verdict is true when the client receives it, and a refusal stays true.
    pub(crate) fn check_verdict(
        &self,
        id: &ActionId,
        verdict: &ActionVerdict,
    ) -> Result<(), String> {
        let place = self.journal.place(id);
        let is_true = match verdict {
            ActionVerdict::Committed(version) => place == Some(*version),
            ActionVerdict::Refused(_) => place.is_none(),
            ActionVerdict::NotYet(_) => true,
        };
        if is_true || self.journal.is_reused(id) {
            return Ok(());
        }
        Err(format!("{id} is at {place:?}, but its client received {verdict:?}"))
    }

    /// An entry with the id of an action is the result of that action, and its author holds the
    /// client's token.
    fn check_entry(&self, entry: &Entry) -> Result<(), String> {
        let Some(id) = &entry.action else { return Ok(()) };
        let wanted = |client: &&Client| client.is_id(id) && client.has_requested(entry);
        let client = self.clients.iter().find(wanted);
        let client = client.ok_or_else(|| format!("no client requested {}", entry.write()))?;
        if entry.seat() == self.journal.state().holder(client.token) {
            return Ok(());
        }
        Err(format!("{} acted for another seat: {}", client.name, entry.write()))
    }

    /// A move carries the explanation that its computer player finds for it, if any. Returns
    /// whether there is one.
    fn check_explanation(&self, entry: &Entry) -> Result<bool, String> {
        let EntryBody::Played { explanation, .. } = &entry.body else { return Ok(false) };
        let before = self.journal.state_at(entry.version - 1).expect("an earlier version exists");
        let expected = explain(&StopFlag::default(), before, &self.secret, &unexplained(entry));
        if explanation.as_deref() == expected.as_ref() {
            return Ok(expected.is_some());
        }
        Err(format!("a move should be explained by {expected:?}: {}", entry.write()))
    }

    pub(crate) fn check(mut self) -> Result<Tally, String> {
        for client in 0..self.clients.len() {
            self.check_client(client)?;
            let Client { local, seat, .. } = &self.clients[client];
            if !local.shows(self.journal.state(), *seat) {
                return Err(format!("the final screen of client {client} differs from the log"));
            }
            for (id, verdict) in self.clients[client].verdicts()? {
                self.check_verdict(id, verdict)?;
                if let ActionVerdict::Committed(version) = verdict {
                    self.tally.acknowledged += 1;
                    self.tally.missing += u64::from(!self.journal.has(*version, id));
                }
                self.tally.refused += u64::from(matches!(verdict, ActionVerdict::Refused(_)));
            }
            self.tally.rolled_back += self.clients[client].rolled_back;
            self.tally.early += self.clients[client].early;
        }
        let entries = self.journal.entries();
        entries.iter().try_for_each(|entry| self.check_entry(entry))?;
        for entry in entries {
            self.tally.explained += u64::from(self.check_explanation(entry)?);
        }
        self.tally.entries += entries.len() as u64;
        let is_automatic = |entry: &&Entry| entry.action.is_none() && entry.version > 1;
        self.tally.automatic += entries.iter().filter(is_automatic).count() as u64;
        Ok(self.tally)
    }
}
