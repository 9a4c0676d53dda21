//! One table in memory, on top of its journal.

mod slow_rules;

use std::future::pending;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::time::{Duration, Instant};

use game::{Code, Game, Refusal};
use table::wire::{Accepted, codes};
use table::{
    Action, ActionId, ActionVerdict, Actor, AttemptStep, AutomaticError, Entry, EntryEffects,
    FoldEntries, FoldError, LiveTable, Options, TableSecret, TableState, automatic_entries,
};
use tokio::time::sleep;
use tokio_util::task::AbortOnDropHandle;

use self::slow_rules::{AttemptProgress, JournalAnswer};
use crate::journal::{Appended, ArrivedEntries, JournalError, MAX_ENTRIES, NotWritten};
use crate::refusals::refusal;
use crate::table_task::RETRY;
use crate::tables::Tables;
use crate::work_pool::{Payer, WorkRefused};
use crate::{RulesAuthor, RulesDigest, SnapshotText, TableId};

/// One table in memory. Its state advances only by entries that the journal has committed.
#[derive(Debug)]
pub(crate) struct JournaledTable {
    id: TableId,
    tables: Arc<Tables>,
    secret: TableSecret,
    pub(crate) live: LiveTable,
    /// The version of the last snapshot that the journal has.
    snapshot_version: u64,
    /// The deadline that the directory has, as far as this table knows.
    recorded_deadline: Option<u64>,
    thinking: Thinking,
    /// Until then another server, which has appended the last entries, adds what follows from them.
    led_until: Option<Instant>,
    /// Whether other servers have appended entries that could not be read yet.
    is_behind: bool,
    /// Whether clients cannot know the rules and are sent the table after each entry.
    pub(crate) sends_views: bool,
}

/// Whether a computer player is choosing a move.
#[derive(Debug)]
enum Thinking {
    /// No computer player is to move.
    No,
    /// A computer player chooses in this state. Dropping it stops the choice.
    Yes { version: u64, chosen: AbortOnDropHandle<Result<ChosenEntries, WorkRefused>> },
    /// No entry follows from the state of this version.
    Done { version: u64 },
}

/// Entries that a worker found for a table to add on its own.
#[derive(Clone, Debug)]
pub(crate) struct ChosenEntries {
    pub(crate) entries: Result<Vec<Entry>, AutomaticError>,
    /// The effects of the entries, or why they would break the rules.
    pub(crate) effects: Result<EntryEffects, FoldError>,
}

/// Why a table cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LoadError {
    #[error("There is no such table")]
    NoTable,
    #[error("{0}")]
    Journal(#[from] JournalError),
    #[error("The log of this table is inconsistent: {0}")]
    Inconsistent(#[from] FoldError),
    #[error("The game of this table is unknown: {0}")]
    NoGame(String),
    #[error("{0}")]
    Refused(#[from] WorkRefused),
}

/// Why a table in memory must be loaded again.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReloadNeeded {
    #[error("{0}")]
    Journal(#[from] JournalError),
    #[error("the journal returned entries that do not follow from the state: {0}")]
    Fold(#[from] FoldError),
    #[error("the journal may have lost entries")]
    Loss,
    #[error("the table was deleted")]
    Deleted,
}

/// The outcome of an attempt to add automatic entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Advance {
    /// Automatic entries were added.
    Advanced,
    /// The table waits for a person.
    Waiting,
    /// A computer player is choosing a move.
    Thinking,
    /// There are automatic entries, but they cannot be written at the moment.
    NotWritten,
}

/// The smallest number of entries between two snapshots.
const SNAPSHOT_EVERY: u64 = 64;

/// The time before automatic entries at a table whose rules a player wrote: rules that never wait for a
/// player must not keep the journal busy.
const PACE: Duration = Duration::from_millis(50);

/// How long the server that has appended an entry may take to add what follows from it. After that any server
/// adds it: the first one may be dead.
const LEAD: Duration = Duration::from_secs(2);

/// How often an append may end with an unknown outcome before the client must send the action again: a
/// disk that fails three times in a row is likely to fail for a while.
const MAX_UNKNOWN: u32 = 3;

impl JournaledTable {
    /// Loads a table from its journal.
    pub(crate) async fn load(
        tables: Arc<Tables>,
        payer: Payer,
        id: TableId,
    ) -> Result<Self, LoadError> {
        let restored = match tables.journal.snapshot(id).await? {
            Some(snapshot) => restore(&tables, payer, &snapshot).await?,
            None => None,
        };
        let secret = tables.secret(id);
        let snapshot_version = restored.as_ref().map_or(0, TableState::version);
        let mut tail = tables.journal.read(id, snapshot_version, MAX_ENTRIES).await?;
        let state = if let Some(state) = restored {
            state
        } else {
            if tail.entries.is_empty() {
                return Err(LoadError::NoTable);
            }
            let first = tail.entries.remove(0);
            begin(&tables, payer, &first).await?
        };
        let mut live = LiveTable::new(state, secret.clone(), format!("{:x}", tail.epoch));
        loop {
            live = folded(&tables, payer, tail.entries, live).await??;
            live.take_announcements();
            let known = live.state().version();
            if known >= tail.last_version {
                let game = live.state().game();
                let is_text = RulesDigest::named_by(&game.name()).is_some();
                let sends_views = is_text || game.hides();
                return Ok(Self {
                    id,
                    tables,
                    secret,
                    live,
                    snapshot_version,
                    recorded_deadline: None,
                    thinking: Thinking::No,
                    led_until: None,
                    is_behind: false,
                    sends_views,
                });
            }
            tail = tables.journal.read(id, known, MAX_ENTRIES).await?;
        }
    }

    pub(crate) fn state(&self) -> &TableState {
        self.live.state()
    }

    /// Brings an action into the log, or refuses it. If the payer has paid for work, the action is decided
    /// by a worker.
    ///
    /// # Errors
    /// If the table must be loaded again.
    pub(crate) async fn act(
        &mut self,
        payer: Payer,
        work: u64,
        action: Action,
        by: Actor,
    ) -> Result<Result<Accepted, Refusal>, ReloadNeeded> {
        let mut progress = match self.begin_attempt(payer, work, action, by).await {
            Ok(progress) => progress,
            Err(refused) => return Ok(Err(refused)),
        };
        let mut unknown = 0;
        loop {
            let AttemptProgress { mut attempt, step, broken } = progress;
            let answer = match step {
                AttemptStep::Done(verdict) => return Ok(outcome(verdict)),
                // The log was read in between, and does not show the action.
                AttemptStep::Append { .. } if unknown == MAX_UNKNOWN => {
                    return Ok(Err(disk_fails()));
                }
                AttemptStep::Append { after, entries } => {
                    let appended = match broken {
                        Some(error) => Err(error),
                        None => self.append(after, entries).await,
                    };
                    let appended = match appended {
                        // What follows from the move does not end. Nothing was recorded.
                        Err(FoldError::Impossible { why, .. }) => {
                            return Ok(Err(refusal(Code::BROKEN_RULES, why)));
                        }
                        appended => appended?,
                    };
                    match appended {
                        Ok(Appended::Committed) => {
                            self.led_until = None;
                            JournalAnswer::Step(attempt.committed(&mut self.live)?)
                        }
                        Ok(Appended::Conflict(tail)) => JournalAnswer::Others(tail),
                        Err(error @ JournalError::Unknown { .. }) => {
                            tracing::warn!(table = %self.id.short(), %error, "a write may be lost");
                            unknown += 1;
                            JournalAnswer::Step(attempt.lost(self.state()))
                        }
                        Err(error) if is_retryable(&error) => return Ok(Err(not_written(&error))),
                        Err(error) => return Err(error.into()),
                    }
                }
                AttemptStep::Read { after } => match self.read(after).await {
                    Ok(entries) => JournalAnswer::Others(entries),
                    Err(error) if self.is_outage(&error) => return Ok(Err(no_answer())),
                    Err(error) => return Err(error.into()),
                },
                AttemptStep::Find { id } => match self.find(id).await {
                    Ok(entry) => JournalAnswer::Step(attempt.found(self.state(), entry.as_ref())),
                    Err(error) if self.is_outage(&error) => return Ok(Err(no_answer())),
                    Err(error) => return Err(error.into()),
                },
            };
            progress = match answer {
                JournalAnswer::Step(step) => AttemptProgress { attempt, step, broken: None },
                JournalAnswer::Others(tail) => self.go_on(payer, work, attempt, tail).await?,
            };
        }
    }

    /// Folds entries that a server has appended, unless they are known.
    ///
    /// # Errors
    /// If the table must be loaded again.
    pub(crate) async fn take_over(&mut self, arrived: &ArrivedEntries) -> Result<(), ReloadNeeded> {
        let version = self.state().version();
        if arrived.last <= version {
            return Ok(());
        }
        if arrived.first > version + 1 {
            return self.catch_up().await;
        }
        self.fold_others(arrived.entries(version)?).await
    }

    /// Folds everything that other servers have appended. If it cannot be read now, it is read later.
    ///
    /// # Errors
    /// If the table must be loaded again.
    pub(crate) async fn catch_up(&mut self) -> Result<(), ReloadNeeded> {
        let missing = self.read(self.state().version()).await;
        self.is_behind = missing.as_ref().is_err_and(|error| self.is_outage(error));
        match missing {
            Ok(missing) if missing.is_empty() => Ok(()),
            Ok(missing) => self.fold_others(missing).await,
            Err(_) if self.is_behind => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Whether a shared journal does not answer, so that the state in memory may be behind but is not wrong:
    /// whatever was written will arrive, or will be in conflict with the next append.
    fn is_outage(&self, error: &JournalError) -> bool {
        let does_not_answer =
            matches!(error, JournalError::NotRead { .. } | JournalError::Unknown { .. });
        does_not_answer && self.tables.is_shared()
    }

    async fn fold_others(&mut self, entries: Vec<Entry>) -> Result<(), ReloadNeeded> {
        self.tables.compare_clocks(&entries);
        self.fold_found(entries).await?;
        self.led_until = Some(Instant::now() + LEAD);
        Ok(())
    }

    /// The time for which another server leads, if it does.
    fn lead(&self) -> Option<Duration> {
        let rest = self.led_until?.saturating_duration_since(Instant::now());
        (!rest.is_zero()).then_some(rest)
    }

    /// Adds the automatic entries that follow next, if there are any. A computer player begins to
    /// choose, for the address of this payer; [`JournaledTable::chosen`] returns its choice.
    ///
    /// # Errors
    /// If the table must be loaded again.
    pub(crate) async fn advance(&mut self, payer: Payer) -> Result<Advance, ReloadNeeded> {
        if self.is_behind {
            self.catch_up().await?;
            return Ok(if self.is_behind { Advance::NotWritten } else { Advance::Advanced });
        }
        let (now, version) = (self.tables.unix_time(), self.state().version());
        if !self.awaits_worker(now) {
            self.thinking = Thinking::No;
            let entries = automatic_entries(self.state(), &self.secret, now);
            let is_due = entries.as_ref().is_ok_and(|entries| !entries.is_empty());
            if is_due && self.lead().is_some() {
                return Ok(Advance::NotWritten);
            }
            return self.add(entries, None).await;
        }
        match self.thinking {
            Thinking::Done { version: known } if known == version => return Ok(Advance::Waiting),
            Thinking::Yes { version: known, .. } if known == version => {}
            // What was chosen for an older state is of no use.
            Thinking::No | Thinking::Done { .. } | Thinking::Yes { .. } => {
                let (tables, state) = (Arc::clone(&self.tables), self.state().clone());
                let (secret, lead) = (self.secret.clone(), self.lead().unwrap_or_default());
                let pace = if state.has_own_rules() { PACE } else { Duration::ZERO };
                let choice = async move {
                    sleep(lead.max(pace)).await;
                    tables.choose(payer, state, secret).await
                };
                let chosen = AbortOnDropHandle::new(tokio::spawn(choice));
                self.thinking = Thinking::Yes { version, chosen };
            }
        }
        Ok(Advance::Thinking)
    }

    /// Waits for the choice of a computer player; for ever, if none is choosing.
    pub(crate) async fn chosen(&mut self) -> Result<ChosenEntries, WorkRefused> {
        match &mut self.thinking {
            Thinking::Yes { chosen, .. } => chosen.await.unwrap_or(Err(WorkRefused::Failed)),
            Thinking::No | Thinking::Done { .. } => pending().await,
        }
    }

    /// Adds what a computer player has chosen.
    ///
    /// # Errors
    /// If the table must be loaded again.
    pub(crate) async fn add_chosen(
        &mut self,
        chosen: Result<ChosenEntries, WorkRefused>,
    ) -> Result<(), ReloadNeeded> {
        // A failure of the rules or of the player is a failure of this table.
        let chosen = chosen.unwrap_or_else(|refused| resume_unwind(Box::new(refused)));
        let version = self.state().version();
        self.thinking = Thinking::Done { version };
        let ChosenEntries { entries, effects } = chosen.clone();
        if self.add(entries, Some(effects)).await? == Advance::NotWritten {
            let again = async move {
                sleep(RETRY).await;
                Ok(chosen)
            };
            let chosen = AbortOnDropHandle::new(tokio::spawn(again));
            self.thinking = Thinking::Yes { version, chosen };
        }
        Ok(())
    }

    /// Adds automatic entries, which may have been tried out already.
    async fn add(
        &mut self,
        entries: Result<Vec<Entry>, AutomaticError>,
        effects: Option<Result<EntryEffects, FoldError>>,
    ) -> Result<Advance, ReloadNeeded> {
        let entries = match entries {
            Ok(entries) if entries.is_empty() => return Ok(Advance::Waiting),
            Ok(entries) => entries,
            Err(error) => {
                tracing::warn!(table = %self.id.short(), %error, "a computer player cannot move");
                return Ok(Advance::Waiting);
            }
        };
        if entries.iter().any(is_resignation) {
            tracing::warn!(table = %self.id.short(), "a computer player resigned");
        }
        let appended = match effects.transpose() {
            Err(broken) => Err(broken),
            Ok(effects) => {
                if let Some(effects) = effects {
                    self.live.adopt(effects);
                }
                self.append(self.state().version(), entries.clone()).await
            }
        };
        let appended = match appended {
            Err(FoldError::Impossible { why, .. }) => {
                tracing::warn!(table = %self.id.short(), why, "the rules of a table are broken");
                return Ok(Advance::Waiting);
            }
            appended => appended?,
        };
        match appended {
            Ok(Appended::Committed) => {
                self.live.fold_all(&entries)?;
                self.led_until = None;
            }
            Ok(Appended::Conflict(tail)) => self.fold_others(tail).await?,
            Err(error) if is_retryable(&error) || self.is_outage(&error) => {
                return Ok(Advance::NotWritten);
            }
            Err(error) => return Err(error.into()),
        }
        Ok(Advance::Advanced)
    }

    /// Appends entries to the journal. The new state is computed first, so that rules that fail on these
    /// entries fail before they are in the log for ever.
    async fn append(
        &mut self,
        after: u64,
        entries: Vec<Entry>,
    ) -> Result<Result<Appended, JournalError>, FoldError> {
        self.live.prepare(&entries)?;
        let is_prompt = self.state().is_prompt();
        if entries.iter().any(|entry| is_move(entry) || is_prompt && is_join(entry))
            && let Err(error) = self.expect_deadline().await
        {
            let why = error.to_string();
            return Ok(Err(NotWritten::Failed { why }.into()));
        }
        let started = Instant::now();
        let appended = self.tables.journal.append(self.id, after, entries).await;
        self.tables.metrics.append_seconds.observe(started.elapsed().as_secs_f64());
        Ok(appended)
    }

    /// Makes sure, before a move is recorded, that the directory has no later deadline than the table
    /// will have. The server may be killed in between.
    async fn expect_deadline(&mut self) -> Result<(), JournalError> {
        let bound = self.state().earliest_deadline_after_a_move(self.tables.unix_time());
        let Some(bound) = bound else { return Ok(()) };
        // Other servers record deadlines, too.
        let is_known = !self.tables.is_shared();
        if is_known && self.recorded_deadline.is_some_and(|recorded| recorded <= bound) {
            return Ok(());
        }
        self.tables.directory.expect_deadline(self.id, bound).await?;
        self.recorded_deadline = Some(bound);
        self.tables.deadlines.recorded(bound);
        Ok(())
    }

    /// Records the deadline of the table, if it has a clock; returns false if other servers have appended entries
    /// meanwhile, so that it must be recorded again. A server that slept has an old view, and may have replaced a
    /// deadline that is earlier.
    pub(crate) async fn record_deadline(&mut self) -> Result<bool, JournalError> {
        if self.state().clock().is_none() {
            return Ok(true);
        }
        self.set_deadline(self.state().deadline().map(|(_, end)| end)).await?;
        if !self.tables.is_shared() {
            return Ok(true);
        }
        let version = self.state().version();
        Ok(self.tables.journal.read(self.id, version, 0).await?.last_version <= version)
    }

    async fn set_deadline(&mut self, deadline: Option<u64>) -> Result<(), JournalError> {
        self.tables.directory.set_deadline(self.id, deadline).await?;
        self.recorded_deadline = deadline;
        if let Some(deadline) = deadline {
            self.tables.deadlines.recorded(deadline);
        }
        Ok(())
    }

    /// The entry of an action.
    async fn find(&self, id: ActionId) -> Result<Option<Entry>, JournalError> {
        let Some(version) = self.tables.journal.find(self.id, id).await? else { return Ok(None) };
        let tail = self.tables.journal.read(self.id, version - 1, 1).await?;
        Ok(tail.entries.into_iter().next())
    }

    async fn read(&self, after: u64) -> Result<Vec<Entry>, JournalError> {
        let mut tail = self.tables.journal.read(self.id, after, MAX_ENTRIES).await?;
        let mut entries = tail.entries;
        while after + (entries.len() as u64) < tail.last_version {
            let known = after + entries.len() as u64;
            tail = self.tables.journal.read(self.id, known, MAX_ENTRIES).await?;
            entries.append(&mut tail.entries);
        }
        Ok(entries)
    }

    /// Saves a snapshot in the background, if a round has just begun and the last snapshot is old. A
    /// lost snapshot does no harm.
    pub(crate) fn save_snapshot(&mut self) {
        if self.state().version() < self.snapshot_version + SNAPSHOT_EVERY {
            return;
        }
        let Some(snapshot) = self.state().snapshot() else { return };
        self.snapshot_version = snapshot.version;
        let text = serde_json::to_string(&snapshot).expect("a snapshot serializes");
        let (tables, id, version) = (Arc::clone(&self.tables), self.id, snapshot.version);
        tokio::spawn(async move {
            let saved = tables.journal.keep_snapshot(id, SnapshotText { version, text }).await;
            if let Err(error) = saved {
                tracing::warn!(table = %id.short(), %error, "a snapshot was not saved");
            }
        });
    }
}

const fn is_move(entry: &Entry) -> bool {
    use table::EntryBody::{Played, Revealed, Sealed};
    matches!(entry.body, Played { .. } | Sealed { .. } | Revealed { .. })
}

const fn is_join(entry: &Entry) -> bool {
    matches!(entry.body, table::EntryBody::Joined { .. })
}

const fn is_resignation(entry: &Entry) -> bool {
    matches!(entry.body, table::EntryBody::Forfeited { why: table::Forfeit::Resigned, .. })
}

/// The state after the first entry of a log.
pub(crate) async fn begin(
    tables: &Tables,
    payer: Payer,
    first: &Entry,
) -> Result<TableState, LoadError> {
    let table::EntryBody::Created { game, options, .. } = &first.body else {
        return Err(FoldError::Beginning { version: first.version }.into());
    };
    Ok(TableState::begin(tables.game_of_log(payer, game, author_in(options)).await?, first)?)
}

/// The state of a snapshot, if it is still readable.
pub(crate) async fn restore(
    tables: &Tables,
    payer: Payer,
    snapshot: &SnapshotText,
) -> Result<Option<TableState>, LoadError> {
    let Ok(read) = serde_json::from_str::<table::TableSnapshot>(&snapshot.text) else {
        return Ok(None);
    };
    let game = match tables.game_of_log(payer, &read.game, author_in(&read.options)).await {
        Err(LoadError::NoGame(_)) => return Ok(None),
        game => game?,
    };
    Ok(TableState::restore(game, &read).ok())
}

/// The author of the rules of a table.
pub(crate) fn author(state: &TableState) -> RulesAuthor {
    if state.has_own_rules() { RulesAuthor::Player } else { RulesAuthor::Operator }
}

const fn author_in(options: &Options) -> RulesAuthor {
    if options.own_rules { RulesAuthor::Player } else { RulesAuthor::Operator }
}

/// A state or a table after more entries of its log.
pub(crate) async fn folded<S: FoldEntries + Send + 'static>(
    tables: &Arc<Tables>,
    payer: Payer,
    entries: Vec<Entry>,
    state: S,
) -> Result<Result<S, FoldError>, WorkRefused> {
    let fold = |state: Result<S, FoldError>, entries: &[Entry]| {
        let mut state = state?;
        state.fold_all(entries).map(|()| state)
    };
    let author = author(state.state());
    tables.fold(payer, author, entries, Ok(state), fold).await
}

fn outcome(verdict: ActionVerdict) -> Result<Accepted, Refusal> {
    match verdict {
        ActionVerdict::Committed(version) => Ok(Accepted { version }),
        ActionVerdict::Refused(refusal) | ActionVerdict::NotYet(refusal) => Err(refusal),
    }
}

/// Whether nothing was written and the state in memory is still that of the journal.
const fn is_retryable(error: &JournalError) -> bool {
    match error {
        JournalError::NotWritten(NotWritten::Ahead { .. }) => false,
        JournalError::NotWritten(_) => true,
        _ => false,
    }
}

fn not_written(error: &JournalError) -> Refusal {
    let message = format!("This was not recorded, so it has not happened. Try again. {error}");
    refusal(codes::UNAVAILABLE, message)
}

/// The journal does not answer, so that nobody knows whether the action is in the log.
fn no_answer() -> Refusal {
    let message = "The server does not know yet whether this was recorded, because its journal does not answer: \
                   send it again";
    refusal(codes::UNAVAILABLE, message)
}

/// The log does not show the action, but a failing disk may show it later. A client that sends it
/// again learns the outcome.
fn disk_fails() -> Refusal {
    let message = "This could not be recorded because the disk of the server fails: send it again";
    refusal(codes::UNAVAILABLE, message)
}
