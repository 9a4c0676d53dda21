//! What entries do to a table, computed before they are folded.

use crate::attempt::{AttemptStep, FoldEntries};
use crate::entry::Entry;
use crate::table_state::{FoldError, PreparedEntry, TableState};

/// A copy of a table's state on which entries are tried out, for rules that take long: the copy can be
/// folded anywhere. [`LiveTable::adopt`] takes over the effects of the entries, so that the table itself
/// computes nothing again.
///
/// [`LiveTable::adopt`]: crate::LiveTable::adopt
#[derive(Debug)]
pub struct Rehearsal {
    state: TableState,
    effects: Vec<(Entry, PreparedEntry)>,
}

/// Entries that were tried out, and what each of them does in the state before it.
#[derive(Clone, Debug)]
pub struct EntryEffects(pub(crate) Vec<(Entry, PreparedEntry)>);

impl Rehearsal {
    /// A rehearsal that begins in this state.
    #[must_use]
    pub const fn of(state: TableState) -> Self {
        Self { state, effects: Vec::new() }
    }

    /// The effects of all entries that were tried out.
    #[must_use]
    pub fn effects(self) -> EntryEffects {
        EntryEffects(self.effects)
    }

    /// Tries out what an attempt wants to append, if it does.
    ///
    /// # Errors
    /// If the rules fail on these entries. The effects of earlier ones are kept.
    pub fn try_step(&mut self, step: &AttemptStep) -> Result<(), FoldError> {
        match step {
            AttemptStep::Append { entries, .. } => self.fold_all(entries),
            AttemptStep::Read { .. } | AttemptStep::Find { .. } | AttemptStep::Done(_) => Ok(()),
        }
    }
}

impl FoldEntries for Rehearsal {
    fn state(&self) -> &TableState {
        &self.state
    }

    fn fold_all(&mut self, entries: &[Entry]) -> Result<(), FoldError> {
        let mut next = self.state.clone();
        let mut effects = Vec::with_capacity(entries.len());
        for entry in entries {
            let prepared = next.prepare(entry)?;
            next.apply(entry, prepared.clone());
            effects.push((entry.clone(), prepared));
        }
        self.state = next;
        self.effects.append(&mut effects);
        Ok(())
    }
}
