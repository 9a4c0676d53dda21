//! The state of a client: confirmed entries and its own pending actions.

use std::collections::VecDeque;

use game::{Refusal, Seat};

use crate::action::{Action, ActionId, Actor};
use crate::decide::{Decision, decide};
use crate::entry::{Author, Entry};
use crate::table_state::{FoldError, TableState};

/// The state of a client: confirmed state + own pending actions = provisional state.
///
/// An action is checked on the provisional state before it is sent, and shown as if it had
/// happened. Entries from the server confirm it or come before it; a refusal rolls it back, with
/// all actions that depend on it.
///
/// Actions depend on those before them, so they are sent one at a time: the next one when the first
/// was answered. Whatever is lost or arrives twice, the server then sees no action too early, and
/// none in a position that it was not meant for.
///
/// This is for games without hidden information. In other games a client shows the
/// [`TableView`](crate::TableView) that the server sends with every entry.
#[derive(Clone, Debug)]
pub struct Replica {
    confirmed: TableState,
    provisional: TableState,
    seat: Option<Seat>,
    pending: VecDeque<Pending>,
}

/// An action that the server has not answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pending {
    /// The action.
    pub action: Action,
    /// Whether it was passed to the caller to be sent.
    pub is_sent: bool,
    /// The refusal, if entries of others made it illegal. It is no longer shown, and the server
    /// will refuse it too.
    pub withdrawn: Option<Refusal>,
    /// Its version in the log, if the server's answer came before the entry.
    pub committed: Option<u64>,
}

/// An action that is no longer shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RolledBack {
    /// The id of the action.
    pub id: ActionId,
    /// The reason.
    pub refusal: Refusal,
}

/// Why an action is not sent. Nothing changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotSent {
    /// It is refused in the provisional state.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// An action with this id was sent before or is in the log.
    #[error("the action {0} was sent before")]
    SentBefore(ActionId),
    /// Too many actions wait for an answer.
    #[error("{most} of your actions wait for an answer: try again when one is answered")]
    TooMany {
        /// The most that may wait.
        most: u32,
    },
}

/// The effect of entries from the server on a replica.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Update {
    /// They were folded.
    Folded {
        /// The pending actions that they confirm.
        confirmed: Vec<ActionId>,
        /// The pending actions that became illegal.
        rolled_back: Vec<RolledBack>,
    },
    /// Entries before them are missing: ask for all after this version. Nothing changed.
    Gap {
        /// The last confirmed version.
        from: u64,
    },
}

impl Replica {
    /// The most actions that wait for an answer.
    pub const MOST_PENDING: u32 = 128;

    /// A replica of a state, for the holder of a seat or a spectator.
    #[must_use]
    pub fn new(confirmed: TableState, seat: Option<Seat>) -> Self {
        let provisional = confirmed.clone();
        Self { confirmed, provisional, seat, pending: VecDeque::new() }
    }

    /// The confirmed state.
    #[must_use]
    pub fn confirmed(&self) -> &TableState {
        &self.confirmed
    }

    /// The provisional state: the confirmed one with the pending actions on top.
    #[must_use]
    pub fn provisional(&self) -> &TableState {
        &self.provisional
    }

    /// The action to send, again after a timeout or a reconnection: the first one that waits for an
    /// answer.
    pub fn to_send(&mut self) -> Option<Action> {
        let first = self.pending.front_mut()?;
        first.is_sent = true;
        Some(first.action.clone())
    }

    /// The actions that wait for an answer, in order.
    pub fn pending(&self) -> impl ExactSizeIterator<Item = &Pending> {
        self.pending.iter()
    }

    fn actor(&self) -> Actor {
        self.seat.map_or(Actor::Stranger, Actor::Seat)
    }

    /// Checks an action on the provisional state and shows its effect. [`Replica::to_send`] then
    /// says what to send.
    ///
    /// # Errors
    /// If the action is not sent; nothing changed.
    pub fn submit(&mut self, action: Action) -> Result<(), NotSent> {
        if self.pending.len() >= Self::MOST_PENDING as usize {
            return Err(NotSent::TooMany { most: Self::MOST_PENDING });
        }
        let is_pending = self.pending.iter().any(|pending| pending.action.id == action.id);
        if is_pending || self.confirmed.version_of(&action.id).is_some() {
            return Err(NotSent::SentBefore(action.id));
        }
        let actor = self.actor();
        apply(&mut self.provisional, &action, actor)?;
        self.pending.push_back(Pending {
            action,
            is_sent: false,
            withdrawn: None,
            committed: None,
        });
        Ok(())
    }

    /// Folds entries from the server, in the order of their versions; known ones are skipped.
    ///
    /// # Errors
    /// If an entry does not follow from those before it; nothing changed.
    pub fn receive(&mut self, entries: &[Entry]) -> Result<Update, FoldError> {
        let mut confirmed = self.confirmed.clone();
        let mut ids = Vec::new();
        for entry in entries.iter().filter(|entry| entry.version > self.confirmed.version()) {
            if entry.version > confirmed.version() + 1 {
                return Ok(Update::Gap { from: self.confirmed.version() });
            }
            confirmed.fold(entry)?;
            ids.extend(entry.action.clone());
        }
        self.confirmed = confirmed;
        let version = self.confirmed.version();
        // A client that has just joined receives its own entries without ids.
        let is_there = |each: &Pending| {
            ids.contains(&each.action.id) || each.committed.is_some_and(|place| place <= version)
        };
        let (there, waiting): (Vec<_>, Vec<_>) = self.pending.drain(..).partition(is_there);
        self.pending = waiting.into();
        let confirmed = there.into_iter().map(|each| each.action.id).collect();
        Ok(Update::Folded { confirmed, rolled_back: self.rebase() })
    }

    /// The server refused an action. Returns the rolled-back actions, that action first; none if it
    /// was answered before.
    pub fn refused(&mut self, id: &ActionId, refusal: &Refusal) -> Vec<RolledBack> {
        let Some(place) = self.pending.iter().position(|each| each.action.id == *id) else {
            return Vec::new();
        };
        let was_shown = self.pending.remove(place).is_some_and(|each| each.withdrawn.is_none());
        let first = RolledBack { id: id.clone(), refusal: refusal.clone() };
        let first = was_shown.then_some(first);
        first.into_iter().chain(self.rebase()).collect()
    }

    /// The server confirmed that an action is in the log at this version. Returns the
    /// rolled-back actions.
    ///
    /// Entries usually confirm it first. But a client that started over from a state which
    /// remembers only later actions would wait for the entry for ever.
    pub fn committed(&mut self, id: &ActionId, version: u64) -> Vec<RolledBack> {
        let Some(found) = self.pending.iter_mut().find(|each| each.action.id == *id) else {
            return Vec::new();
        };
        // An action that is not in the confirmed state yet is still shown on top of it.
        if version > self.confirmed.version() {
            found.committed = Some(version);
            return Vec::new();
        }
        self.pending.retain(|each| each.action.id != *id);
        self.rebase()
    }

    /// Starts over from a state of the server, with the pending actions on top.
    pub fn resync(&mut self, confirmed: TableState) -> Vec<RolledBack> {
        self.confirmed = confirmed;
        let version = self.confirmed.version();
        let known = |each: &Pending| {
            self.confirmed.version_of(&each.action.id).is_some()
                || each.committed.is_some_and(|place| place <= version)
        };
        self.pending.retain(|each| !known(each));
        self.rebase()
    }

    /// Starts over from another log, as after a backup was restored. An action that was meant for
    /// entries which this log no longer has is rolled back: the server would not decide it, and
    /// later actions would wait for ever.
    pub fn restart(&mut self, confirmed: TableState) -> Vec<RolledBack> {
        let (now, version) = ((confirmed.round(), confirmed.ply()), confirmed.version());
        let is_gone = |each: &Pending| each.is_sent && each.action.body.is_ahead_of(now, version);
        let (gone, kept): (Vec<_>, Vec<_>) = self.pending.drain(..).partition(is_gone);
        // Answers about the other log do not count for this one.
        self.pending = kept.into_iter().map(|each| Pending { committed: None, ..each }).collect();
        let by = self.actor();
        let gone = gone.into_iter().filter(|each| each.withdrawn.is_none()).filter_map(|each| {
            let refusal = decide(&confirmed, &each.action, by).err()?;
            Some(RolledBack { id: each.action.id, refusal })
        });
        let mut rolled_back: Vec<RolledBack> = gone.collect();
        rolled_back.extend(self.resync(confirmed));
        rolled_back
    }

    /// The server named the client's seat. Returns the rolled-back actions.
    pub fn seated(&mut self, seat: Option<Seat>) -> Vec<RolledBack> {
        self.seat = seat;
        self.rebase()
    }

    /// Replays the pending actions on the confirmed state. Returns those that can no longer be
    /// shown.
    fn rebase(&mut self) -> Vec<RolledBack> {
        let actor = self.actor();
        let mut rolled_back = Vec::new();
        self.provisional = self.confirmed.clone();
        let provisional = &mut self.provisional;
        self.pending.retain_mut(|pending| {
            let was_shown = pending.withdrawn.is_none();
            match apply(provisional, &pending.action, actor) {
                Ok(()) => {
                    pending.withdrawn = None;
                    true
                }
                Err(refusal) => {
                    if was_shown {
                        let id = pending.action.id.clone();
                        rolled_back.push(RolledBack { id, refusal: refusal.clone() });
                    }
                    pending.withdrawn = Some(refusal);
                    // The server has the last word on an action that was sent; one that was not
                    // sent is dropped.
                    pending.is_sent
                }
            }
        });
        rolled_back
    }
}

/// Applies an action to a state, which does not change if the action is refused.
fn apply(state: &mut TableState, action: &Action, by: Actor) -> Result<(), Refusal> {
    let Decision::Append(bodies) = decide(state, action, by)? else { return Ok(()) };
    let who = Author::from(by.seat(state));
    for body in bodies {
        let entry = Entry::new(state.version() + 1, state.at(), who, body);
        state.fold(&entry).expect("a decided entry can be folded");
    }
    Ok(())
}
