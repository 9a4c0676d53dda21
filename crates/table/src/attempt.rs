//! Bringing an action into the log through a journal that others write to as well.

use game::{Reason, Refusal};

use crate::action::{Action, ActionId, Actor};
use crate::decide::{Decision, acting_seat, decide, id_taken, no_seat};
use crate::entry::{Author, Entry};
use crate::entry_body::EntryBody;
use crate::table_state::{FoldError, TableState};
use crate::wire::codes;

/// An attempt to bring one action into the log. It does no I/O: each [`AttemptStep`] says what to
/// ask the journal, and the caller passes the answer on.
///
/// The state advances only by entries that come back from the journal. Whatever is lost on the way,
/// the action is in the log once or not at all, and the verdict says which.
#[derive(Clone, Debug)]
pub struct Attempt {
    action: Action,
    by: Actor,
    now: u64,
    tries: u32,
    /// Whether the journal was read to its end since the attempt began.
    is_current: bool,
    /// Whether the seat that acts was moved to another device since the attempt began.
    has_moved: bool,
    proposed: Vec<Entry>,
    /// The refusal, which counts unless the action is found in the log.
    refusal: Option<Refusal>,
}

/// What the caller must do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttemptStep {
    /// Append all of these entries after this version or none, then call [`Attempt::committed`],
    /// [`Attempt::conflicted`] or [`Attempt::lost`].
    Append {
        /// The version before the first entry.
        after: u64,
        /// The entries.
        entries: Vec<Entry>,
    },
    /// Read all entries after this version, then call [`Attempt::conflicted`].
    Read {
        /// The last version that is known.
        after: u64,
    },
    /// Look for an entry with this id in the whole log, then call [`Attempt::found`].
    Find {
        /// The id.
        id: ActionId,
    },
    /// Nothing: this is the verdict.
    Done(ActionVerdict),
}

/// The final answer to an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActionVerdict {
    /// It is in the log; its first entry has this version.
    Committed(u64),
    /// It is not in the log, and never will be.
    Refused(Refusal),
    /// Nothing is decided, and the client may retry: others came first too often, or the action was
    /// meant for a later state.
    NotYet(Refusal),
}

/// The number of conflicts after which an attempt gives up.
const MAX_TRIES: u32 = 64;

impl Attempt {
    /// Starts an attempt at a table in this state, at this time.
    #[must_use]
    pub fn begin(state: &TableState, action: Action, by: Actor, now: u64) -> (Self, AttemptStep) {
        let mut attempt = Self {
            action,
            by,
            now,
            tries: 0,
            is_current: false,
            has_moved: false,
            proposed: Vec::new(),
            refusal: None,
        };
        let progress = attempt.propose(state);
        (attempt, progress)
    }

    fn propose(&mut self, state: &TableState) -> AttemptStep {
        let bodies = match decide(state, &self.action, self.by) {
            // The device that sent this holds the seat no longer.
            Ok(Decision::Append(_)) if self.has_moved => {
                self.refusal = Some(no_seat().into());
                return AttemptStep::Find { id: self.action.id.clone() };
            }
            Ok(Decision::Append(bodies)) => bodies,
            Ok(Decision::Known(version)) => {
                return AttemptStep::Done(ActionVerdict::Committed(version));
            }
            // A node that is behind could refuse an action that is in the log already, or legal by
            // now.
            Err(_) if !self.is_current => return AttemptStep::Read { after: state.version() },
            // A state remembers only recent actions: one that was applied long ago must not be
            // refused as late.
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
            // Only the first entry carries the id, so that an id occurs once in the log.
            let action = (version == after + 1).then(|| self.action.id.clone());
            Entry { action, ..Entry::new(version, at, who, body) }
        });
        self.proposed = entries.collect();
        AttemptStep::Append { after, entries: self.proposed.clone() }
    }

    /// The journal appended the entries: only now do they count.
    ///
    /// # Errors
    /// If the journal appended other entries; the state did not change.
    pub fn committed<F: FoldEntries>(&mut self, table: &mut F) -> Result<AttemptStep, FoldError> {
        let version = table.state().version() + 1;
        table.fold_all(&self.proposed)?;
        Ok(AttemptStep::Done(ActionVerdict::Committed(version)))
    }

    /// Others came first with these entries, or the journal was read and holds them after the known
    /// version.
    ///
    /// # Errors
    /// If the entries do not follow from the state, which did not change.
    pub fn conflicted<F: FoldEntries>(
        &mut self,
        table: &mut F,
        entries: &[Entry],
    ) -> Result<AttemptStep, FoldError> {
        table.fold_all(entries)?;
        self.is_current = true;
        // A connection has got its seat by a token that ends with the move. An old token holds no seat.
        let is_own = |entry: &Entry| match entry.body {
            EntryBody::SeatMoved { seat, .. } => self.by == Actor::Seat(seat),
            _ => false,
        };
        self.has_moved |= entries.iter().any(is_own);
        Ok(self.propose(table.state()))
    }

    /// The log was searched for the id of the action, and this is the entry with it, if there is
    /// one.
    ///
    /// # Panics
    /// If the attempt did not ask for a search.
    #[must_use]
    pub fn found(&mut self, state: &TableState, entry: Option<&Entry>) -> AttemptStep {
        let refusal = self.refusal.take().expect("only a refused action is searched for");
        let seat = acting_seat(state, &self.action, self.by);
        AttemptStep::Done(match entry {
            None => ActionVerdict::Refused(refusal),
            Some(entry) if entry.seat() == seat => ActionVerdict::Committed(entry.version),
            Some(_) => ActionVerdict::Refused(id_taken()),
        })
    }

    /// The journal's answer was lost: the entries may or may not be in the log.
    #[must_use]
    pub fn lost(&self, state: &TableState) -> AttemptStep {
        AttemptStep::Read { after: state.version() }
    }
}

/// Whether an action was refused only because it is meant for a later state, in which it may be
/// legal.
fn is_early(refusal: &Refusal) -> bool {
    refusal.reasons().any(|reason| reason.code == codes::EARLY)
}

/// A state that advances by the entries of a journal.
pub trait FoldEntries {
    /// The state of the table.
    fn state(&self) -> &TableState;

    /// Folds all of these entries or none.
    ///
    /// # Errors
    /// If an entry does not follow from those before it; nothing changed.
    fn fold_all(&mut self, entries: &[Entry]) -> Result<(), FoldError>;
}

impl FoldEntries for TableState {
    fn state(&self) -> &TableState {
        self
    }

    fn fold_all(&mut self, entries: &[Entry]) -> Result<(), FoldError> {
        // Folding one entry is atomic already.
        if let [entry] = entries {
            return self.fold(entry);
        }
        let mut next = self.clone();
        entries.iter().try_for_each(|entry| next.fold(entry))?;
        *self = next;
        Ok(())
    }
}
