//! The faults.

use crate::client::Presence;
use crate::message::Message;
use crate::sabotage::Sabotage;
use crate::world::World;

/// How many messages are on their way at most before none is repeated.
const CROWD: usize = 100;

impl World<'_> {
    /// A message gets lost.
    pub(crate) fn lose(&mut self) {
        if !self.flying.is_empty() {
            let place = self.below(self.flying.len());
            let lost = self.flying.swap_remove(place);
            self.tell(|| format!("lost: {lost:?}"));
            self.tally.lost += 1;
        }
    }

    /// A message comes twice, or an action once more that was sent at any time before.
    pub(crate) fn repeat(&mut self) -> Result<(), String> {
        if self.flying.is_empty() || self.flying.len() >= CROWD {
            return Ok(());
        }
        let (place, client, node) =
            (self.below(self.flying.len()), self.some_client(), self.some_node());
        let earlier = self.clients[client].some_earlier(&mut self.generator);
        let again = match earlier {
            Some(action) if self.generator.below(2) == 0 => Message::Act { node, client, action },
            _ => self.flying[place].clone(),
        };
        self.tell(|| format!("twice: {again:?}"));
        self.tally.repeated += 1;
        self.send(again)
    }

    /// A node crashes, a link is cut, a client goes away, or, once in a while, the end of the log is
    /// lost.
    pub(crate) fn break_something(&mut self) -> Result<(), String> {
        if self.generator.below(64) == 0 {
            return self.restore_a_backup();
        }
        let (client, node) = (self.some_client(), self.some_node());
        let longest = if self.generator.below(8) == 0 { 3_000 } else { 100 };
        let until = self.step + 1 + u32::try_from(self.below(longest)).expect("it is small");
        match self.generator.below(4) {
            0 => self.silence(client, Presence::Cut(until)),
            1 => self.silence(client, Presence::Gone(until)),
            _ => {
                self.tell(|| format!("node {node} crashes"));
                self.tally.crashed += 1;
                let beginning = self.journal.beginning(&mut self.generator);
                self.nodes[node].start_again(beginning);
            }
        }
        self.check_node(node)
    }

    /// All nodes stop, an older copy of the journal takes its place, and all nodes start again. Only
    /// what clients have sent may still be on its way.
    fn restore_a_backup(&mut self) -> Result<(), String> {
        let last = self.journal.state().version();
        // Older ones are rarer.
        let gone = self.generator.below(last).min(self.generator.below(last));
        self.tell(|| format!("a backup is restored: the last {gone} entries are gone"));
        self.tally.restored += 1;
        self.tally.forgotten += self.journal.restore(last - gone);
        if self.sabotage != Sabotage::KeepTheEpoch {
            self.journal.begin_an_epoch();
        }
        self.flying.retain(Message::is_from_a_client);
        for node in &mut self.nodes {
            node.start_again(self.journal.beginning(&mut self.generator));
        }
        for client in 0..self.clients.len() {
            self.clients[client].lose_what_came_after(last - gone);
            if self.clients[client].presence == Presence::Connected {
                self.connect(client)?;
            }
        }
        Ok(())
    }

    fn silence(&mut self, client: usize, presence: Presence) {
        if self.clients[client].presence != Presence::Connected {
            return;
        }
        self.tell(|| format!("client {client}: {presence:?}"));
        self.clients[client].presence = presence;
        let before = self.flying.len();
        self.flying.retain(|message| message.client() != Some(client));
        self.tally.lost += (before - self.flying.len()) as u64;
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
