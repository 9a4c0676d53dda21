//! The journal, which is never wrong; and how the table stood at each of its versions.

use std::collections::BTreeMap;

use game::AnyGame;
use table::{ActionId, Entry, State};

use crate::message::{Answer, Ask};

/// All entries, and the state after each of them: what replicas are compared with.
pub(crate) struct Journal {
    entries: Vec<Entry>,
    states: Vec<State>,
    places: BTreeMap<ActionId, u64>,
}

impl Journal {
    /// A journal that holds the first entry.
    pub(crate) fn begin(game: AnyGame, first: Entry) -> Self {
        let states = vec![State::begin(game, &first).expect("it creates a table")];
        Self { entries: vec![first], states, places: BTreeMap::new() }
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// How the table stands.
    pub(crate) fn state(&self) -> &State {
        self.states.last().expect("there is a first entry")
    }

    /// How the table stood at a version.
    pub(crate) fn state_at(&self, version: u64) -> Option<&State> {
        self.states.get(index(version).checked_sub(1)?)
    }

    /// Where an action is.
    pub(crate) fn place(&self, id: &ActionId) -> Option<u64> {
        self.places.get(id).copied()
    }

    /// Answers; an error is a broken promise.
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
            Ask::Find { id } => Answer::Found(self.place(&id)),
        })
    }

    fn append(&mut self, entry: Entry) -> Result<(), String> {
        let mut next = self.state().clone();
        next.fold(&entry).map_err(|error| format!("an entry is not legal: {error}"))?;
        if let Some(id) = &entry.action
            && let Some(version) = self.places.insert(id.clone(), entry.version)
        {
            return Err(format!("{id} is applied twice: at {version} and at {}", entry.version));
        }
        self.states.push(next);
        self.entries.push(entry);
        Ok(())
    }
}

fn index(version: u64) -> usize {
    usize::try_from(version).expect("there are few")
}
