//! Bringing an action into the log through a journal that others write to as well.

use game::{Reason, Refusal};

use crate::action::{Action, ActionId, Actor};
use crate::decide::{Decision, asker, decide, id_taken};
use crate::entry::{Author, Entry};
use crate::table_state::{FoldError, TableState};
use crate::wire::codes;

/// An attempt to bring one action into the log. It does no I/O: it says what the journal is to be
/// asked ([`AttemptStep`]), and is told the answer.
///
/// The state advances only by entries that come back from the journal. Whatever is lost on the way,
/// the action is in the log once or not at all, and the verdict says which.
#[derive(Clone, Debug)]
pub struct Attempt {
    action: Action,
    by: Actor,
    now: u64,
    tries: u32,
    /// Whether the journal has told all that it held since the attempt began.
    is_current: bool,
    proposed: Vec<Entry>,
    /// Why the action is refused, unless it is found in the log.
    refusal: Option<Refusal>,
}

/// What must happen next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttemptStep {
    /// Append these entries after this version, all of them or none; then tell
    /// [`Attempt::committed`], [`Attempt::conflicted`] or [`Attempt::lost`].
    Append {
        /// The version after which they belong.
        after: u64,
        /// The entries.
        entries: Vec<Entry>,
    },
    /// Read all entries after this version, then tell [`Attempt::conflicted`].
    Read {
        /// The last version that is known.
        after: u64,
    },
    /// Look for an entry with this action's id in the whole log, then tell [`Attempt::found`].
    Find {
        /// The id.
        id: ActionId,
    },
    /// Nothing: this came of it.
    Done(ActionVerdict),
}

/// What came of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActionVerdict {
    /// It is in the log, and this is where it begins.
    Committed(u64),
    /// It is not in the log, and never will be.
    Refused(Refusal),
    /// Nothing is decided, and it may be tried again: others came first too often, or it was meant
    /// for what has not come yet.
    NotYet(Refusal),
}

/// How often others may come first before an attempt is given up.
const MAX_TRIES: u32 = 64;

impl Attempt {
    /// Begins to bring an action into the log of a table in this state, at this time.
    #[must_use]
    pub fn begin(state: &TableState, action: Action, by: Actor, now: u64) -> (Self, AttemptStep) {
        let mut attempt = Self {
            action,
            by,
            now,
            tries: 0,
            is_current: false,
            proposed: Vec::new(),
            refusal: None,
        };
        let progress = attempt.propose(state);
        (attempt, progress)
    }

    fn propose(&mut self, state: &TableState) -> AttemptStep {
        let bodies = match decide(state, &self.action, self.by) {
            Ok(Decision::Append(bodies)) => bodies,
            Ok(Decision::Known(version)) => {
                return AttemptStep::Done(ActionVerdict::Committed(version));
            }
            // Who is behind might refuse what is in the log already, or what is legal by now.
            Err(_) if !self.is_current => return AttemptStep::Read { after: state.version() },
            // A state remembers only the last actions: one that was applied long ago must not be
            // told that it comes too late.
            Err(refusal) if is_early(&refusal) => {
                return AttemptStep::Done(ActionVerdict::NotYet(refusal));
            }
            Err(refusal) => {
                self.refusal = Some(refusal);
                return AttemptStep::Find { id: self.action.id.clone() };
            }
        };
        if self.tries == MAX_TRIES {
            let message = "Others came first too often: try again";
            let busy = Reason::new(codes::BUSY, message);
            return AttemptStep::Done(ActionVerdict::NotYet(busy.into()));
        }
        self.tries += 1;
        let who = Author::from(self.by.seat(state));
        let (after, at) = (state.version(), self.now.max(state.at()));
        let entries = (after + 1..).zip(bodies).map(|(version, body)| {
            // Only the first carries the id: an action is one thing, whatever it brings about.
            let action = (version == after + 1).then(|| self.action.id.clone());
            Entry { action, ..Entry::new(version, at, who, body) }
        });
        self.proposed = entries.collect();
        AttemptStep::Append { after, entries: self.proposed.clone() }
    }

    /// The journal has appended the entries: only now do they count.
    ///
    /// # Errors
    /// If the journal appended something else than it was given; the state is as it was.
    pub fn committed<F: FoldEntries>(&mut self, table: &mut F) -> Result<AttemptStep, FoldError> {
        let version = table.state().version() + 1;
        table.fold_all(&self.proposed)?;
        Ok(AttemptStep::Done(ActionVerdict::Committed(version)))
    }

    /// Others came first, with these entries; or the journal was read, and this is what it holds
    /// after the version that was known.
    ///
    /// # Errors
    /// If they do not follow from the state, which is then as it was.
    pub fn conflicted<F: FoldEntries>(
        &mut self,
        table: &mut F,
        entries: &[Entry],
    ) -> Result<AttemptStep, FoldError> {
        table.fold_all(entries)?;
        self.is_current = true;
        Ok(self.propose(table.state()))
    }

    /// The log was searched for the id of the action: this is the entry that has it, if one does.
    ///
    /// # Panics
    /// If nobody asked for that.
    #[must_use]
    pub fn found(&mut self, state: &TableState, entry: Option<&Entry>) -> AttemptStep {
        let refusal = self.refusal.take().expect("only who refuses searches");
        let asker = asker(state, &self.action, self.by);
        AttemptStep::Done(match entry {
            None => ActionVerdict::Refused(refusal),
            Some(entry) if entry.seat() == asker => ActionVerdict::Committed(entry.version),
            Some(_) => ActionVerdict::Refused(id_taken()),
        })
    }

    /// The journal's answer was lost: nobody knows whether the entries were appended.
    #[must_use]
    pub fn lost(&self, state: &TableState) -> AttemptStep {
        AttemptStep::Read { after: state.version() }
    }
}

/// Whether an action was refused because it was meant for what may still come: then it may be legal
/// later.
fn is_early(refusal: &Refusal) -> bool {
    refusal.reasons().any(|reason| reason.code == codes::EARLY)
}

/// What follows the entries that come back from a journal.
pub trait FoldEntries {
    /// How the table stands.
    fn state(&self) -> &TableState;

    /// Takes in all of these entries, or none of them.
    ///
    /// # Errors
    /// If they do not follow from those before them; nothing has changed then.
    fn fold_all(&mut self, entries: &[Entry]) -> Result<(), FoldError>;
}

impl FoldEntries for TableState {
    fn state(&self) -> &TableState {
        self
    }

    fn fold_all(&mut self, entries: &[Entry]) -> Result<(), FoldError> {
        // One entry is taken in or not by itself.
        if let [entry] = entries {
            return self.fold(entry);
        }
        let mut next = self.clone();
        entries.iter().try_for_each(|entry| next.fold(entry))?;
        *self = next;
        Ok(())
    }
}
