//! The connections that a table has at other servers.

use std::collections::BTreeMap;
use std::time::Duration;

use channels::{PresenceDiff, PresenceTracker};
use game::Seat;
use serde_json::{Map, Value};
use tokio::time::Instant;

use crate::audience::presence_key;

/// The connections that a table has at other servers, as far as these have told.
#[derive(Debug, Default)]
pub(crate) struct RemoteAudience(BTreeMap<u64, ServerAudience>);

/// The connections at one server.
#[derive(Debug)]
struct ServerAudience {
    heard: Instant,
    /// The seat of each connection, and the reference of its presence.
    connections: Vec<(Option<Seat>, String)>,
}

/// The largest number of connections that one server tells of.
pub(crate) const MAX_TOLD: usize = 200;

/// How often a server tells of its connections, even if nothing has changed.
pub(crate) const TELL_EVERY: Duration = Duration::from_secs(10);

/// The time in which other servers tell of their connections when they are asked.
pub(crate) const TOLD_WITHIN: Duration = Duration::from_secs(2);

/// A server that was silent for this long is gone.
const SILENCE: Duration = Duration::from_secs(25);

/// The largest number of other servers.
const MAX_SERVERS: usize = 64;

impl RemoteAudience {
    /// Takes over what a server tells, and returns the changes of the presence.
    pub(crate) fn hear(
        &mut self,
        server: u64,
        seats: &[Option<Seat>],
        presence: &mut PresenceTracker,
        meta: &Map<String, Value>,
    ) -> Vec<PresenceDiff> {
        if self.0.len() >= MAX_SERVERS && !self.0.contains_key(&server) {
            return Vec::new();
        }
        let mut known = self.0.remove(&server).map_or_else(Vec::new, |known| known.connections);
        let (mut connections, mut diffs) = (Vec::new(), Vec::new());
        let mut new = Vec::new();
        for seat in seats.iter().take(MAX_TOLD) {
            match known.iter().position(|(other, _)| other == seat) {
                Some(place) => connections.push(known.swap_remove(place)),
                None => new.push(*seat),
            }
        }
        diffs.extend(leave(&known, presence));
        for seat in new {
            if let Ok((reference, diff)) = presence.track(&presence_key(seat), meta.clone()) {
                connections.push((seat, reference));
                diffs.push(diff);
            }
        }
        if !connections.is_empty() {
            self.0.insert(server, ServerAudience { heard: Instant::now(), connections });
        }
        diffs
    }

    /// Forgets servers that were silent for long, and returns the changes of the presence.
    pub(crate) fn forget_silent(&mut self, presence: &mut PresenceTracker) -> Vec<PresenceDiff> {
        let silent = self.0.extract_if(.., |_, known| known.heard.elapsed() > SILENCE);
        silent.flat_map(|(_, known)| leave(&known.connections, presence)).collect()
    }

    /// The seats that are connected elsewhere.
    pub(crate) fn seats(&self) -> impl Iterator<Item = Seat> + '_ {
        let connections = self.0.values().flat_map(|known| &known.connections);
        connections.filter_map(|(seat, _)| *seat)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

fn leave(
    connections: &[(Option<Seat>, String)],
    presence: &mut PresenceTracker,
) -> Vec<PresenceDiff> {
    let left = connections
        .iter()
        .map(|(seat, reference)| presence.untrack(&presence_key(*seat), reference));
    left.filter_map(Result::ok).collect()
}
