//! A topic's tracker and a client's list, connected by differences that are late or lost.

use channels::{PresenceDiff, PresenceList, PresenceTracker, Presences, ShortText};
use proptest::prelude::*;
use serde_json::Map;

use crate::wire::{json, label};

#[derive(Clone, Copy, Debug)]
enum Step {
    Track(u8),
    Untrack(prop::sample::Index),
    /// The client joins again, and misses the differences before the new state.
    Rejoin,
}

fn steps() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0_u8..3).prop_map(Step::Track),
        3 => any::<prop::sample::Index>().prop_map(Step::Untrack),
        1 => Just(Step::Rejoin),
    ]
}

/// The difference after a round trip through JSON.
fn sent(diff: &PresenceDiff) -> PresenceDiff {
    let text = serde_json::to_string(diff).expect("the difference serializes");
    serde_json::from_str(&text).expect("the difference is valid")
}

struct Topic {
    tracker: PresenceTracker,
    connections: Vec<(String, String)>,
}

impl Topic {
    fn step(&mut self, step: Step) -> Option<PresenceDiff> {
        match step {
            Step::Track(key) => {
                let key = format!("player {key}");
                let (phx_ref, diff) =
                    self.tracker.track(&key, Map::new()).expect("the client is below its limit");
                self.connections.push((key, phx_ref));
                Some(diff)
            }
            Step::Untrack(index) if !self.connections.is_empty() => {
                let index = index.index(self.connections.len());
                let (key, phx_ref) = self.connections.swap_remove(index);
                Some(self.tracker.untrack(&key, &phx_ref).expect("the connection is tracked"))
            }
            _ => None,
        }
    }
}

/// The list with the connections of each key sorted.
fn sorted(presences: &Presences) -> Presences {
    let mut sorted = presences.clone();
    for presence in sorted.values_mut() {
        presence.metas.sort_by(|one, other| one.phx_ref.cmp(&other.phx_ref));
    }
    sorted
}

proptest! {
    #[test]
    fn a_client_list_agrees_with_the_tracker(steps in prop::collection::vec(steps(), 0..60)) {
        let tracker = PresenceTracker::new("F", 100);
        let mut topic = Topic { tracker, connections: Vec::new() };
        let mut list = PresenceList::default();
        let mut join_ref = label("1");
        list.sync_state(topic.tracker.state(), &join_ref);
        let mut early: Option<(Presences, ShortText)> = None;
        for (step, number) in steps.into_iter().zip(2_u32..) {
            if let Some(diff) = topic.step(step) {
                list.sync_diff(sent(&diff), &join_ref).unwrap();
            } else if matches!(step, Step::Rejoin) {
                join_ref = label(&number.to_string());
                early = Some((topic.tracker.state().clone(), join_ref.clone()));
            }
            // The state of a new join arrives one step late, after a difference.
            if let Some((state, of)) = early.take_if(|_| !matches!(step, Step::Rejoin)) {
                list.sync_state(&state, &of);
                prop_assert_eq!(sorted(list.present()), sorted(topic.tracker.state()));
            }
        }
        let state = topic.tracker.state().clone();
        list.sync_state(&state, &join_ref);
        prop_assert_eq!(sorted(list.present()), sorted(&state));
    }
}

#[test]
fn payloads_from_phoenix_are_read() {
    let state = json(r#"{"u1":{"metas":[{"online_at":1,"phx_ref":"F1"}],"user":{"name":"Ann"}}}"#);
    let state: Presences = state.read().unwrap();
    assert_eq!(state["u1"].metas[0].about["online_at"], 1);
    assert_eq!(state["u1"].about["user"]["name"], "Ann");
    let diff = json(r#"{"joins":{},"leaves":{"u1":{"metas":[{"phx_ref":"F1"}]}}}"#);
    assert_eq!(diff.read::<PresenceDiff>().unwrap().leaves.len(), 1);
}

#[test]
fn invalid_presence_payloads_are_refused() {
    assert!(json(r#"{"u1":{"metas":[{"online_at":1}]}}"#).read::<Presences>().is_err());
    assert!(json(r#"{"joins":{}}"#).read::<PresenceDiff>().is_err());
}
