//! The presences on a topic, as its server keeps them.

use serde_json::{Map, Value};

use super::{Presence, PresenceDiff, PresenceMeta, Presences};

/// The presences on one topic, as its server keeps them. Every change returns the difference to
/// broadcast.
#[derive(Clone, Debug)]
pub struct PresenceTracker {
    prefix: String,
    last: u64,
    connections: u32,
    limit: u32,
    present: Presences,
}

/// Why the presences did not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TrackError {
    /// There are too many connections.
    #[error("too many are here already; nobody was added")]
    TooMany,
    /// The key has no such connection.
    #[error("nobody of that name and ref is here; nothing changed")]
    Absent,
}

impl PresenceTracker {
    /// A tracker for at most `limit` connections.
    ///
    /// Refs begin with the prefix. Trackers whose differences reach the same clients need different
    /// prefixes.
    pub fn new(prefix: &str, limit: u32) -> Self {
        let prefix = prefix.to_owned();
        Self { prefix, last: 0, connections: 0, limit, present: Presences::new() }
    }

    /// The `presence_state` for a client that has just joined.
    pub const fn state(&self) -> &Presences {
        &self.present
    }

    /// Adds a connection. Returns its ref and the difference.
    ///
    /// # Errors
    ///
    /// If there are too many connections.
    pub fn track(
        &mut self,
        key: &str,
        about: Map<String, Value>,
    ) -> Result<(String, PresenceDiff), TrackError> {
        if self.connections >= self.limit {
            return Err(TrackError::TooMany);
        }
        let meta = PresenceMeta { phx_ref: self.next_ref(), phx_ref_prev: None, about };
        let phx_ref = meta.phx_ref.clone();
        Ok((phx_ref, PresenceDiff { joins: self.add(key, meta), leaves: Presences::new() }))
    }

    /// Removes a connection.
    ///
    /// # Errors
    ///
    /// If there is no such connection.
    pub fn untrack(&mut self, key: &str, phx_ref: &str) -> Result<PresenceDiff, TrackError> {
        Ok(PresenceDiff { joins: Presences::new(), leaves: self.take(key, phx_ref)? })
    }

    fn next_ref(&mut self) -> String {
        self.last += 1;
        format!("{}{}", self.prefix, self.last)
    }

    fn add(&mut self, key: &str, meta: PresenceMeta) -> Presences {
        self.connections += 1;
        self.present.entry(key.to_owned()).or_default().metas.push(meta.clone());
        one(key, meta)
    }

    fn take(&mut self, key: &str, phx_ref: &str) -> Result<Presences, TrackError> {
        let presence = self.present.get_mut(key).ok_or(TrackError::Absent)?;
        let position = presence.metas.iter().position(|meta| meta.phx_ref == phx_ref);
        let meta = presence.metas.remove(position.ok_or(TrackError::Absent)?);
        if presence.metas.is_empty() {
            self.present.remove(key);
        }
        self.connections -= 1;
        Ok(one(key, meta))
    }
}

fn one(key: &str, meta: PresenceMeta) -> Presences {
    Presences::from([(key.to_owned(), Presence { metas: vec![meta], about: Map::new() })])
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(diff: &PresenceDiff, expected: &Expect) {
        expected.assert_eq(&serde_json::to_string(diff).unwrap());
    }

    #[test]
    fn every_change_returns_its_difference() {
        let mut tracker = PresenceTracker::new("F", 2);
        let (first, came) = tracker.track("ann", Map::new()).unwrap();
        check(&came, &expect![[r#"{"joins":{"ann":{"metas":[{"phx_ref":"F1"}]}},"leaves":{}}"#]]);
        let went = tracker.untrack("ann", &first).unwrap();
        check(&went, &expect![[r#"{"joins":{},"leaves":{"ann":{"metas":[{"phx_ref":"F1"}]}}}"#]]);
        assert!(tracker.state().is_empty());
    }

    #[test]
    fn an_unknown_connection_cannot_be_removed() {
        let mut tracker = PresenceTracker::new("F", 2);
        tracker.track("ann", Map::new()).unwrap();
        assert_eq!(tracker.untrack("bob", "F1"), Err(TrackError::Absent));
        assert_eq!(tracker.untrack("ann", "F2"), Err(TrackError::Absent));
        assert_eq!(tracker.state().len(), 1);
    }

    #[test]
    fn too_many_connections_are_refused_until_one_is_removed() {
        let mut tracker = PresenceTracker::new("F", 1);
        let (phx_ref, _) = tracker.track("ann", Map::new()).unwrap();
        assert_eq!(tracker.track("bob", Map::new()), Err(TrackError::TooMany));
        tracker.untrack("ann", &phx_ref).unwrap();
        assert!(tracker.track("bob", Map::new()).is_ok());
    }
}
