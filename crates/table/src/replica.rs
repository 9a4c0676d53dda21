//! What a client holds: the confirmed state, and its own actions that are not confirmed yet.

use std::collections::VecDeque;

use game::{Refusal, Seat};

use crate::action::{Action, ActionId, Actor};
use crate::decide::{Decision, decide};
use crate::entry::{Author, Entry};
use crate::table_state::{FoldError, TableState};

/// What a client holds: confirmed state + own pending actions = provisional state.
///
/// An action is checked on the provisional state before it is sent, and shown as if it had happened.
/// Entries from the server confirm it, or come in between; a refusal takes it back, with all that
/// can no longer happen without it.
///
/// Actions rest on those before them, so they are sent one at a time: the next one when the first
/// was answered. Whatever is lost or comes twice, the server then sees none before its time, and none
/// in a position that it was not meant for.
///
/// This is for games that hide nothing: elsewhere a client shows the [`TableView`](crate::TableView)
/// that the server sends with every entry.
#[derive(Clone, Debug)]
pub struct Replica {
    confirmed: TableState,
    provisional: TableState,
    seat: Option<Seat>,
    pending: VecDeque<Pending>,
}

/// An action that was not answered yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pending {
    /// The action.
    pub action: Action,
    /// Whether it was given out to be sent.
    pub is_sent: bool,
    /// Why it cannot happen any more, if what came in between has made it so; then it is not shown,
    /// and the server's answer will say the same.
    pub withdrawn: Option<Refusal>,
    /// Where it is in the log, if the server has said so before the entries came.
    pub committed: Option<u64>,
}

/// An action that was shown and is not any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RolledBack {
    /// Which action.
    pub id: ActionId,
    /// Why.
    pub refusal: Refusal,
}

/// Why an action is not sent. Nothing changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotSent {
    /// It is refused in the state as it is shown.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// An action of this id was sent before, or is in the log.
    #[error("the action {0} was sent before")]
    SentBefore(ActionId),
    /// Too many actions wait for their answers.
    #[error("{most} of your actions wait for an answer: try again when one has come")]
    TooMany {
        /// How many may.
        most: u32,
    },
}

/// What entries from the server did to a replica.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Update {
    /// They were taken in.
    Folded {
        /// The own actions that they confirm.
        confirmed: Vec<ActionId>,
        /// The own actions that can no longer happen.
        rolled_back: Vec<RolledBack>,
    },
    /// Some are missing before them: ask for all after this version. Nothing changed.
    Gap {
        /// The last version that is known.
        from: u64,
    },
}

impl Replica {
    /// How many actions wait for their answers at most.
    pub const MOST_PENDING: u32 = 128;

    /// A replica of a state, for who holds a seat or just looks.
    #[must_use]
    pub fn new(confirmed: TableState, seat: Option<Seat>) -> Self {
        let provisional = confirmed.clone();
        Self { confirmed, provisional, seat, pending: VecDeque::new() }
    }

    /// What the server has confirmed.
    #[must_use]
    pub fn confirmed(&self) -> &TableState {
        &self.confirmed
    }

    /// What is shown: what the server has confirmed, and the own actions on top of it.
    #[must_use]
    pub fn provisional(&self) -> &TableState {
        &self.provisional
    }

    /// What is to be sent, also again after a while or after a reconnection: the first action that
    /// waits for an answer.
    pub fn to_send(&mut self) -> Option<Action> {
        let first = self.pending.front_mut()?;
        first.is_sent = true;
        Some(first.action.clone())
    }

    /// The own actions that wait for an answer, in order.
    pub fn pending(&self) -> impl ExactSizeIterator<Item = &Pending> {
        self.pending.iter()
    }

    fn actor(&self) -> Actor {
        self.seat.map_or(Actor::Stranger, Actor::Seat)
    }

    /// Checks an action on the state that is shown, and shows what comes of it. What is to be sent
    /// then says [`Replica::to_send`].
    ///
    /// # Errors
    /// If it is not to be sent; nothing has changed then.
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

    /// Takes in entries from the server, in the order of their versions; those that are known
    /// already are passed over.
    ///
    /// # Errors
    /// If one of them does not follow from those before it; nothing has changed then.
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
        // Who has just joined is shown entries without ids: it is not known yet that they are its own.
        let is_there = |each: &Pending| {
            ids.contains(&each.action.id) || each.committed.is_some_and(|place| place <= version)
        };
        let (there, waiting): (Vec<_>, Vec<_>) = self.pending.drain(..).partition(is_there);
        self.pending = waiting.into();
        let confirmed = there.into_iter().map(|each| each.action.id).collect();
        Ok(Update::Folded { confirmed, rolled_back: self.rebase() })
    }

    /// The server has refused an action; gives what is taken back with it, that action first.
    /// Nothing if it was answered before.
    pub fn refused(&mut self, id: &ActionId, refusal: &Refusal) -> Vec<RolledBack> {
        let Some(place) = self.pending.iter().position(|each| each.action.id == *id) else {
            return Vec::new();
        };
        let was_shown = self.pending.remove(place).is_some_and(|each| each.withdrawn.is_none());
        let first = RolledBack { id: id.clone(), refusal: refusal.clone() };
        let first = was_shown.then_some(first);
        first.into_iter().chain(self.rebase()).collect()
    }

    /// The server says that an action is in the log at this version; gives what is taken back.
    ///
    /// Entries say so too, and usually first. But who has started over from a state that remembers
    /// only later actions would wait for them for ever.
    pub fn committed(&mut self, id: &ActionId, version: u64) -> Vec<RolledBack> {
        let Some(found) = self.pending.iter_mut().find(|each| each.action.id == *id) else {
            return Vec::new();
        };
        // What is not in the confirmed state yet is still shown on top of it.
        if version > self.confirmed.version() {
            found.committed = Some(version);
            return Vec::new();
        }
        self.pending.retain(|each| each.action.id != *id);
        self.rebase()
    }

    /// Starts over from what the server says, with the own actions on top of it.
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

    /// Starts over from another log, as after a backup was restored. An own action that was meant for
    /// what this log does not have any more is taken back: the server would not decide it, and those
    /// after it would wait for ever.
    pub fn restart(&mut self, confirmed: TableState) -> Vec<RolledBack> {
        let (now, version) = ((confirmed.round(), confirmed.ply()), confirmed.version());
        let is_gone = |each: &Pending| each.is_sent && each.action.body.is_ahead_of(now, version);
        let (gone, kept): (Vec<_>, Vec<_>) = self.pending.drain(..).partition(is_gone);
        // What was said of the other log is not said of this one.
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

    /// The server says which seat is the own one; gives what is taken back.
    pub fn seated(&mut self, seat: Option<Seat>) -> Vec<RolledBack> {
        self.seat = seat;
        self.rebase()
    }

    /// Puts the pending actions on top of the confirmed state once more; gives those that were shown
    /// and cannot be any more.
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
                    // Of what was sent the server has the last word; what was not is simply gone.
                    pending.is_sent
                }
            }
        });
        rolled_back
    }
}

/// Lets an action happen to a state, which stays as it was if it is refused.
fn apply(state: &mut TableState, action: &Action, by: Actor) -> Result<(), Refusal> {
    let Decision::Append(bodies) = decide(state, action, by)? else { return Ok(()) };
    let who = Author::from(by.seat(state));
    for body in bodies {
        let entry = Entry::new(state.version() + 1, state.at(), who, body);
        state.fold(&entry).expect("what was decided can happen");
    }
    Ok(())
}
