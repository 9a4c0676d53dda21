//! Faults: lost and repeated messages, crashes, cut links, restored backups.

use crate::client::Presence;
use crate::message::Message;
use crate::sabotage::Sabotage;
use crate::world::World;

/// With this number of messages in flight, none is repeated.
const MAX_IN_FLIGHT: usize = 100;

impl World<'_> {
    /// Loses a random message.
    pub(crate) fn lose_message(&mut self) {
        if !self.in_flight.is_empty() {
            let place = self.below(self.in_flight.len());
            let lost = self.in_flight.swap_remove(place);
            self.log_step(|| format!("lost: {lost:?}"));
            self.tally.lost += 1;
        }
    }

    /// Sends a message in flight, or any earlier action, once more.
    pub(crate) fn repeat_message(&mut self) -> Result<(), String> {
        if self.in_flight.is_empty() || self.in_flight.len() >= MAX_IN_FLIGHT {
            return Ok(());
        }
        let (place, client, node) =
            (self.below(self.in_flight.len()), self.random_client(), self.random_node());
        let earlier = self.clients[client].random_earlier_action(&mut self.generator);
        let again = match earlier {
            Some(action) if self.generator.below(2) == 0 => Message::Act { node, client, action },
            _ => self.in_flight[place].clone(),
        };
        self.log_step(|| format!("repeated: {again:?}"));
        self.tally.repeated += 1;
        self.send(again)
    }

    /// Crashes a node, cuts a link, closes a client or, rarely, restores a backup without the end
    /// of the log.
    pub(crate) fn crash_or_cut(&mut self) -> Result<(), String> {
        if self.generator.below(64) == 0 {
            return self.restore_a_backup();
        }
        let (client, node) = (self.random_client(), self.random_node());
        let longest = if self.generator.below(8) == 0 { 3_000 } else { 100 };
        let until = self.step + 1 + u32::try_from(self.below(longest)).expect("the number fits");
        match self.generator.below(4) {
            0 => self.disconnect(client, Presence::Cut(until)),
            1 => self.disconnect(client, Presence::Gone(until)),
            _ => {
                self.log_step(|| format!("node {node} crashes"));
                self.tally.crashed += 1;
                let beginning = self.journal.beginning(&mut self.generator);
                self.nodes[node].restart(beginning);
            }
        }
        self.check_node(node)
    }

    /// Stops all nodes, restores an older copy of the journal, and restarts all nodes. Only
    /// messages of clients stay in flight.
    fn restore_a_backup(&mut self) -> Result<(), String> {
        let last = self.journal.state().version();
        // The smaller of two numbers, so that older backups are rarer.
        let gone = self.generator.below(last).min(self.generator.below(last));
        self.log_step(|| format!("a backup is restored: the last {gone} entries are gone"));
        self.tally.restored += 1;
        self.tally.forgotten += self.journal.restore(last - gone);
        if self.sabotage != Sabotage::KeepEpoch {
            self.journal.begin_epoch();
        }
        self.in_flight.retain(Message::is_from_a_client);
        for node in &mut self.nodes {
            node.restart(self.journal.beginning(&mut self.generator));
        }
        for client in 0..self.clients.len() {
            self.clients[client].forget_after(last - gone);
            if self.clients[client].presence == Presence::Connected {
                self.connect(client)?;
            }
        }
        Ok(())
    }

    fn disconnect(&mut self, client: usize, presence: Presence) {
        if self.clients[client].presence != Presence::Connected {
            return;
        }
        self.log_step(|| format!("client {client}: {presence:?}"));
        self.clients[client].presence = presence;
        let before = self.in_flight.len();
        self.in_flight.retain(|message| message.client() != Some(client));
        self.tally.lost += (before - self.in_flight.len()) as u64;
        match presence {
            Presence::Gone(_) => {
                self.tally.gone += 1;
                if self.generator.below(2) == 0 {
                    self.clients[client].start_over();
                }
            }
            _ => self.tally.cut += 1,
        }
    }
}
