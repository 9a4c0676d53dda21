//! One table, in memory, on top of its journal.

use std::sync::Arc;
use std::time::Instant;

use game::Refusal;
use table::wire::Accepted;
use table::{
    Action, ActionId, ActionVerdict, Actor, Attempt, AttemptStep, Entry, FoldEntries, FoldError,
    LiveTable, TableSecret, TableState, automatic_entries,
};

use crate::house::House;
use crate::journal::{Appended, JournalError, MOST_ENTRIES, NotWritten};
use crate::request::{Outcome, codes, refusal};
use crate::{SnapshotText, TableId};

/// One table, in memory, on top of its journal: what is in memory follows only what the journal gives
/// back.
#[derive(Debug)]
pub(crate) struct Desk {
    id: TableId,
    house: Arc<House>,
    secret: TableSecret,
    pub(crate) live: LiveTable,
    /// The version of the last snapshot that the journal was given.
    kept: u64,
}

/// Why a table cannot be taken into memory.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotLoaded {
    #[error("There is no such table")]
    NoTable,
    #[error("{0}")]
    Journal(#[from] JournalError),
    #[error("The log of this table does not make sense: {0}")]
    Broken(#[from] FoldError),
    #[error("The game of this table is not known here: {0}")]
    NoGame(String),
}

/// Why a table that is in memory must be read again.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Stale {
    #[error("{0}")]
    Journal(#[from] JournalError),
    #[error("what the journal gave back does not follow: {0}")]
    Fold(#[from] FoldError),
    #[error("the journal may have lost a part of its log")]
    Lost,
}

/// Whether a table went on by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Went {
    /// It did.
    On,
    /// It waits for somebody.
    Nowhere,
    /// It would, but nothing can be written at the moment.
    NotYet,
}

/// How many entries there are between two snapshots at least.
const SNAPSHOT_EVERY: u64 = 64;

/// How often nobody may know whether an action was written before it is given back to who sent it: a
/// disk that fails so often fails a while longer.
const MOST_UNKNOWN: u32 = 3;

impl Desk {
    /// Reads a table from its journal.
    pub(crate) async fn load(house: Arc<House>, id: TableId) -> Result<Self, NotLoaded> {
        let snapshot = house.journal.snapshot(id).await?;
        let begun = snapshot.and_then(|snapshot| begin_at(&house, &snapshot));
        let secret = house.secret(id);
        let kept = begun.as_ref().map_or(0, TableState::version);
        let mut tail = house.journal.read(id, kept, MOST_ENTRIES).await?;
        let state = if let Some(state) = begun {
            state
        } else {
            if tail.entries.is_empty() {
                return Err(NotLoaded::NoTable);
            }
            let first = tail.entries.remove(0);
            begin(&house, &first)?
        };
        let mut live = LiveTable::new(state, secret.clone(), format!("{:x}", tail.epoch));
        loop {
            live.fold_all(&tail.entries)?;
            live.take_announcements();
            let known = live.state().version();
            if known >= tail.last_version {
                return Ok(Self { id, house, secret, live, kept });
            }
            tail = house.journal.read(id, known, MOST_ENTRIES).await?;
        }
    }

    pub(crate) fn state(&self) -> &TableState {
        self.live.state()
    }

    /// Brings an action into the log, or says why not.
    pub(crate) async fn act(
        &mut self,
        action: Action,
        by: Actor,
    ) -> Result<Outcome<Accepted>, Stale> {
        let now = self.house.unix_time();
        let (mut attempt, mut progress) = Attempt::begin(self.state(), action, by, now);
        let mut unknown = 0;
        loop {
            progress = match progress {
                AttemptStep::Done(verdict) => return Ok(outcome(verdict)),
                // The log was read meanwhile: it is not there, as far as can be seen.
                AttemptStep::Append { .. } if unknown == MOST_UNKNOWN => {
                    return Ok(Err(not_known()));
                }
                AttemptStep::Append { after, entries } => {
                    match self.append(after, entries).await? {
                        Ok(Appended::Committed) => attempt.committed(&mut self.live)?,
                        Ok(Appended::Conflict(tail)) => {
                            attempt.conflicted(&mut self.live, &tail)?
                        }
                        Err(error @ JournalError::Unknown { .. }) => {
                            tracing::warn!(table = %self.id.short(), %error, "a write may be lost");
                            unknown += 1;
                            attempt.lost(self.state())
                        }
                        Err(error) if can_try_again(&error) => {
                            return Ok(Err(not_written(&error)));
                        }
                        Err(error) => return Err(error.into()),
                    }
                }
                AttemptStep::Read { after } => {
                    let entries = self.read(after).await?;
                    attempt.conflicted(&mut self.live, &entries)?
                }
                AttemptStep::Find { id } => {
                    let entry = self.find(id).await?;
                    attempt.found(self.state(), entry.as_ref())
                }
            };
        }
    }

    /// Lets the table do what it does by itself, once.
    pub(crate) async fn go_on(&mut self) -> Result<Went, Stale> {
        let now = self.house.unix_time();
        let own = if self.awaits_a_computer() {
            let (state, secret) = (self.state().clone(), self.secret.clone());
            let chosen =
                tokio::task::spawn_blocking(move || automatic_entries(&state, &secret, now));
            chosen.await.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()))
        } else {
            automatic_entries(self.state(), &self.secret, now)
        };
        let own = match own {
            Ok(own) if own.is_empty() => return Ok(Went::Nowhere),
            Ok(own) => {
                if own.iter().any(is_resignation) {
                    tracing::warn!(table = %self.id.short(), "a computer player gave up");
                }
                own
            }
            Err(error) => {
                tracing::warn!(table = %self.id.short(), %error, "a table cannot go on by itself");
                return Ok(Went::Nowhere);
            }
        };
        match self.append(self.state().version(), own.clone()).await? {
            Ok(Appended::Committed) => self.live.fold_all(&own)?,
            Ok(Appended::Conflict(tail)) => self.live.fold_all(&tail)?,
            Err(error) if can_try_again(&error) => return Ok(Went::NotYet),
            Err(error) => return Err(error.into()),
        }
        Ok(Went::On)
    }

    fn awaits_a_computer(&self) -> bool {
        let state = self.state();
        let awaits = |seat: game::Seat| state.level(seat).is_some() && !state.has_sealed(seat);
        state.outcome().is_none() && state.turn().iter().any(awaits)
    }

    /// Asks the journal to append entries. What they change is found out before: rules that fail on them
    /// fail now, and not whenever the log is read.
    async fn append(
        &mut self,
        after: u64,
        entries: Vec<Entry>,
    ) -> Result<Result<Appended, JournalError>, FoldError> {
        self.live.prepare(&entries)?;
        let begun = Instant::now();
        let appended = self.house.journal.append(self.id, after, entries).await;
        self.house.metrics.append_seconds.observe(begun.elapsed().as_secs_f64());
        Ok(appended)
    }

    /// The entry with the id of an action.
    async fn find(&self, id: ActionId) -> Result<Option<Entry>, JournalError> {
        let Some(version) = self.house.journal.find(self.id, id).await? else { return Ok(None) };
        let tail = self.house.journal.read(self.id, version - 1, 1).await?;
        Ok(tail.entries.into_iter().next())
    }

    async fn read(&self, after: u64) -> Result<Vec<Entry>, JournalError> {
        let mut tail = self.house.journal.read(self.id, after, MOST_ENTRIES).await?;
        let mut entries = tail.entries;
        while after + (entries.len() as u64) < tail.last_version {
            let known = after + entries.len() as u64;
            tail = self.house.journal.read(self.id, known, MOST_ENTRIES).await?;
            entries.append(&mut tail.entries);
        }
        Ok(entries)
    }

    /// Gives the journal a snapshot, if a round has just begun and it is worth it. To lose one is
    /// harmless, so nobody waits for it.
    pub(crate) fn keep_snapshot(&mut self) {
        if self.state().version() < self.kept + SNAPSHOT_EVERY {
            return;
        }
        let Some(snapshot) = self.state().snapshot() else { return };
        self.kept = snapshot.version;
        let text = serde_json::to_string(&snapshot).expect("a snapshot holds texts and numbers");
        let (house, id, version) = (Arc::clone(&self.house), self.id, snapshot.version);
        tokio::spawn(async move {
            if let Err(error) =
                house.journal.keep_snapshot(id, SnapshotText { version, text }).await
            {
                tracing::warn!(table = %id.short(), %error, "a snapshot was not kept");
            }
        });
    }
}

const fn is_resignation(entry: &Entry) -> bool {
    matches!(entry.body, table::EntryBody::Forfeited { why: table::Forfeit::Resigned, .. })
}

fn begin(house: &House, first: &Entry) -> Result<TableState, NotLoaded> {
    let table::EntryBody::Created { game, .. } = &first.body else {
        return Err(FoldError::Beginning { version: first.version }.into());
    };
    let game = house.game(game).map_err(NotLoaded::NoGame)?;
    Ok(TableState::begin(game, first)?)
}

/// The state of a snapshot; nothing if it is of no use any more.
fn begin_at(house: &House, snapshot: &SnapshotText) -> Option<TableState> {
    let read: table::TableSnapshot = serde_json::from_str(&snapshot.text).ok()?;
    let game = house.game(&read.game).ok()?;
    TableState::restore(game, &read).ok()
}

fn outcome(verdict: ActionVerdict) -> Outcome<Accepted> {
    match verdict {
        ActionVerdict::Committed(version) => Ok(Accepted { version }),
        ActionVerdict::Refused(refusal) | ActionVerdict::NotYet(refusal) => Err(refusal),
    }
}

/// Whether nothing was written, and what is in memory is still what the journal holds.
const fn can_try_again(error: &JournalError) -> bool {
    match error {
        JournalError::NotWritten(NotWritten::Ahead { .. }) => false,
        JournalError::NotWritten(_) => true,
        _ => false,
    }
}

/// Nothing is acknowledged that is not durable.
fn not_written(error: &JournalError) -> Refusal {
    let message =
        format!("This could not be written down, so it has not happened. Try again. {error}");
    refusal(codes::UNAVAILABLE, message)
}

/// The log does not show it, but what a failing disk holds may be found later. Who sends the action
/// again learns what came of it.
fn not_known() -> Refusal {
    let message = "This could not be written down: the disk of the server fails. Try again";
    refusal(codes::UNAVAILABLE, message)
}
