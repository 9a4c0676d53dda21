//! The presences on a topic, as a client knows them.

use super::{Presence, PresenceDiff, Presences};
use crate::ShortText;

/// The presences on a topic, as a client knows them from the server's states and differences.
///
/// It merges as `Phoenix.Presence` in JavaScript does: differences that come before the state of
/// the current join are kept until the state is there.
#[derive(Clone, Debug, Default)]
pub struct PresenceList {
    present: Presences,
    synced: Option<ShortText>,
    early: Vec<PresenceDiff>,
    early_for: Option<ShortText>,
}

/// Why a difference was not applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PresenceError {
    /// Too many differences came before their state.
    #[error(
        "more than {} differences came before the state; the last was dropped",
        PresenceList::MAX_EARLY
    )]
    StateMissing,
}

impl PresenceList {
    /// The most differences that wait for their state.
    pub const MAX_EARLY: usize = 256;

    /// The users who are present.
    pub const fn present(&self) -> &Presences {
        &self.present
    }

    /// Applies the `presence_state` of a join.
    pub fn sync_state(&mut self, state: &Presences, join_ref: &ShortText) {
        self.apply(difference(&self.present, state));
        self.synced = Some(join_ref.clone());
        let early = std::mem::take(&mut self.early);
        if self.early_for.take().as_ref() == Some(join_ref) {
            for diff in early {
                self.apply(diff);
            }
        }
    }

    /// Applies a `presence_diff` that came during a join.
    ///
    /// # Errors
    ///
    /// If the state of that join has not come and too many differences wait for it.
    pub fn sync_diff(
        &mut self,
        diff: PresenceDiff,
        join_ref: &ShortText,
    ) -> Result<(), PresenceError> {
        if self.synced.as_ref() == Some(join_ref) {
            self.apply(diff);
            return Ok(());
        }
        if self.early_for.as_ref() != Some(join_ref) {
            self.early.clear();
            self.early_for = Some(join_ref.clone());
        }
        if self.early.len() >= Self::MAX_EARLY {
            return Err(PresenceError::StateMissing);
        }
        self.early.push(diff);
        Ok(())
    }

    fn apply(&mut self, diff: PresenceDiff) {
        for (key, joined) in diff.joins {
            self.add(key, joined);
        }
        for (key, left) in &diff.leaves {
            self.remove(key, left);
        }
    }

    fn add(&mut self, key: String, mut joined: Presence) {
        if let Some(before) = self.present.get(&key) {
            let mut metas = before.without(&joined).metas;
            metas.append(&mut joined.metas);
            joined.metas = metas;
        }
        self.present.insert(key, joined);
    }

    fn remove(&mut self, key: &str, left: &Presence) {
        let Some(present) = self.present.get_mut(key) else { return };
        *present = present.without(left);
        if present.metas.is_empty() {
            self.present.remove(key);
        }
    }
}

/// The difference from one state to another.
fn difference(from: &Presences, to: &Presences) -> PresenceDiff {
    PresenceDiff { joins: beyond(to, from), leaves: beyond(from, to) }
}

/// The connections in one state that are not in another.
fn beyond(state: &Presences, other: &Presences) -> Presences {
    let mut beyond = Presences::new();
    for (key, presence) in state {
        let new = match other.get(key) {
            None => presence.clone(),
            Some(known) => presence.without(known),
        };
        if !new.metas.is_empty() || !other.contains_key(key) {
            beyond.insert(key.clone(), new);
        }
    }
    beyond
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, from_value, json};

    use super::*;

    fn presences(metas: &Value) -> Presences {
        let of = |refs: &Value| {
            let metas = refs.as_array().unwrap().iter().map(|name| json!({ "phx_ref": name }));
            json!({ "metas": metas.collect::<Vec<_>>() })
        };
        let keys = metas.as_object().unwrap().iter();
        keys.map(|(key, refs)| (key.clone(), from_value(of(refs)).unwrap())).collect()
    }

    fn diff(joins: &Value, leaves: &Value) -> PresenceDiff {
        PresenceDiff { joins: presences(joins), leaves: presences(leaves) }
    }

    fn label(text: &str) -> ShortText {
        ShortText::new(text).unwrap()
    }

    fn synced(metas: &Value) -> PresenceList {
        let mut list = PresenceList::default();
        list.sync_state(&presences(metas), &label("1"));
        list
    }

    /// Applies a difference, and checks the present users.
    fn check(list: &mut PresenceList, diff: PresenceDiff, present: &Value) {
        list.sync_diff(diff, &label("1")).unwrap();
        assert_eq!(list.present(), &presences(present));
    }

    #[test]
    fn a_user_comes_and_goes() {
        let mut list = synced(&json!({}));
        let came = diff(&json!({"ann": ["a"]}), &json!({}));
        check(&mut list, came, &json!({"ann": ["a"]}));
        let went = diff(&json!({}), &json!({"ann": ["a"]}));
        check(&mut list, went, &json!({}));
    }

    #[test]
    fn a_second_connection_comes_after_the_first() {
        let mut list = synced(&json!({"ann": ["a"]}));
        let came = diff(&json!({"ann": ["b"]}), &json!({}));
        check(&mut list, came, &json!({"ann": ["a", "b"]}));
        let went = diff(&json!({}), &json!({"ann": ["a"]}));
        check(&mut list, went, &json!({"ann": ["b"]}));
    }

    #[test]
    fn the_departure_of_an_unknown_user_is_ignored() {
        let mut list = synced(&json!({"ann": ["a"]}));
        let went = diff(&json!({}), &json!({"bob": ["b"]}));
        check(&mut list, went, &json!({"ann": ["a"]}));
    }

    #[test]
    fn an_update_is_a_join_and_a_leave() {
        let mut list = synced(&json!({"ann": ["a"]}));
        let update = diff(&json!({"ann": ["b"]}), &json!({"ann": ["a"]}));
        check(&mut list, update, &json!({"ann": ["b"]}));
    }

    #[test]
    fn a_difference_before_the_state_waits_for_it() {
        let mut list = PresenceList::default();
        let early = diff(&json!({"bob": ["b"]}), &json!({}));
        check(&mut list, early, &json!({}));
        list.sync_state(&presences(&json!({"ann": ["a"]})), &label("1"));
        assert_eq!(list.present(), &presences(&json!({"ann": ["a"], "bob": ["b"]})));
    }

    #[test]
    fn differences_of_an_earlier_join_are_dropped() {
        let mut list = PresenceList::default();
        list.sync_diff(diff(&json!({"bob": ["b"]}), &json!({})), &label("1")).unwrap();
        list.sync_state(&presences(&json!({"ann": ["a"]})), &label("2"));
        assert_eq!(list.present(), &presences(&json!({"ann": ["a"]})));
        list.sync_diff(diff(&json!({"bob": ["b"]}), &json!({})), &label("3")).unwrap();
        list.sync_diff(diff(&json!({"cat": ["c"]}), &json!({})), &label("4")).unwrap();
        list.sync_state(&presences(&json!({"ann": ["a"]})), &label("4"));
        assert_eq!(list.present(), &presences(&json!({"ann": ["a"], "cat": ["c"]})));
    }

    #[test]
    fn a_state_after_a_new_join_replaces_what_was_known() {
        let mut list = synced(&json!({"ann": ["a"], "bob": ["b"], "cat": ["c"]}));
        let state = presences(&json!({"bob": ["b", "d"], "cat": ["c"], "eve": ["e"]}));
        list.sync_state(&state, &label("2"));
        assert_eq!(list.present(), &state);
    }

    #[test]
    fn differences_do_not_wait_without_bound() {
        let mut list = PresenceList::default();
        for _ in 0..PresenceList::MAX_EARLY {
            list.sync_diff(PresenceDiff::default(), &label("1")).unwrap();
        }
        let one_more = list.sync_diff(PresenceDiff::default(), &label("1"));
        assert_eq!(one_more, Err(PresenceError::StateMissing));
    }
}
