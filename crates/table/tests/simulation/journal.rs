//! The journal, which never fails, with the state at each version.

use std::collections::{BTreeMap, BTreeSet};

use game::{AnyGame, Generator};
use table::{ActionId, Entry, TableSnapshot, TableState};

use crate::message::{Answer, Ask};

/// All entries and the state after each; nodes and clients are compared with these states.
pub(crate) struct Journal {
    entries: Vec<Entry>,
    states: Vec<TableState>,
    places: BTreeMap<ActionId, u64>,
    /// The ids that were used for different actions.
    reused: BTreeSet<ActionId>,
    epoch: String,
}

/// The state from which a node starts, and the entries after it.
pub(crate) struct Beginning<'a> {
    pub(crate) state: TableState,
    pub(crate) rest: &'a [Entry],
    pub(crate) epoch: &'a str,
}

impl Journal {
    /// A journal that holds the first entry.
    pub(crate) fn begin(game: AnyGame, first: Entry) -> Self {
        let states =
            vec![TableState::begin(game, &first).expect("the first entry creates a table")];
        let (places, reused) = (BTreeMap::new(), BTreeSet::new());
        Self { entries: vec![first], states, places, reused, epoch: "1".to_owned() }
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The state of the table.
    pub(crate) fn state(&self) -> &TableState {
        self.states.last().expect("the journal has a first entry")
    }

    /// The state at a version.
    pub(crate) fn state_at(&self, version: u64) -> Option<&TableState> {
        self.states.get(index(version).checked_sub(1)?)
    }

    /// The version of an action.
    pub(crate) fn place(&self, id: &ActionId) -> Option<u64> {
        self.places.get(id).copied()
    }

    /// Whether an action has this version, or its id was reused.
    pub(crate) fn has(&self, version: u64, id: &ActionId) -> bool {
        let place = usize::try_from(version).expect("the number fits").checked_sub(1);
        let entry = place.and_then(|place| self.entries().get(place));
        entry.is_some_and(|entry| entry.action.as_ref() == Some(id)) || self.reused.contains(id)
    }

    /// Allows an id to stand for several actions. Its verdicts are no longer checked, but its
    /// entries still are.
    pub(crate) fn allow_reuse(&mut self, id: ActionId) {
        self.reused.insert(id);
    }

    /// Whether an id was used for different actions.
    pub(crate) fn is_reused(&self, id: &ActionId) -> bool {
        self.reused.contains(id)
    }

    /// The epoch of the log.
    pub(crate) fn epoch(&self) -> &str {
        &self.epoch
    }

    /// The state from which a node starts: after the first entry, or from a random snapshot.
    pub(crate) fn beginning(&self, generator: &mut Generator) -> Beginning<'_> {
        let kept = generator.below(self.states.len() as u64 + 1);
        let kept = self.states[..index(kept)].iter().rev().find_map(TableState::snapshot);
        let first = &self.states[0];
        let state = kept.map_or_else(|| first.clone(), |kept| restored(first, &kept));
        let rest = &self.entries[index(state.version())..];
        Beginning { state, rest, epoch: self.epoch() }
    }

    /// Keeps only the first entries, as after a backup was restored. Returns the number of lost
    /// entries.
    pub(crate) fn restore(&mut self, kept: u64) -> u64 {
        let gone = self.entries.len() - index(kept);
        self.entries.truncate(index(kept));
        self.states.truncate(index(kept));
        self.places.retain(|_, place| *place <= kept);
        gone as u64
    }

    /// Begins a new epoch, because entries may have been lost.
    pub(crate) fn begin_epoch(&mut self) {
        self.epoch += "1";
    }

    /// Answers a request. An error is a failed check.
    pub(crate) fn answer(&mut self, ask: Ask) -> Result<Answer, String> {
        Ok(match ask {
            Ask::Append { after, .. } if index(after) < self.entries.len() => {
                Answer::Conflict(self.entries[index(after)..].to_vec())
            }
            Ask::Append { entries, .. } => {
                entries.into_iter().try_for_each(|entry| self.append(entry))?;
                Answer::Committed
            }
            Ask::Read { after } => Answer::Tail(self.entries[index(after)..].to_vec()),
            Ask::Find { id } => {
                let place = self.place(&id).map(|version| index(version) - 1);
                Answer::Found(place.map(|place| self.entries[place].clone()))
            }
        })
    }

    fn append(&mut self, entry: Entry) -> Result<(), String> {
        let mut next = self.state().clone();
        next.fold(&entry).map_err(|error| format!("an entry is not legal: {error}"))?;
        if let Some(id) = &entry.action
            && let Some(version) = self.places.insert(id.clone(), entry.version)
            && !self.is_reused(id)
        {
            return Err(format!("{id} is applied twice: at {version} and at {}", entry.version));
        }
        self.states.push(next);
        self.entries.push(entry);
        Ok(())
    }
}

/// The state of a snapshot, written as JSON and read again.
fn restored(of: &TableState, kept: &TableSnapshot) -> TableState {
    let text = serde_json::to_string(kept).expect("the value serializes");
    let read = serde_json::from_str(&text).expect("the snapshot was serialized above");
    TableState::restore(of.game().clone(), &read).expect("the snapshot is valid")
}

fn index(version: u64) -> usize {
    usize::try_from(version).expect("the number fits")
}
