//! A node of the model: it knows a prefix of the log and works on one action at a time.

use game::{AnyGame, Seat};
use table::{Action, ActionVerdict, Actor, Attempt, AttemptStep, Digest, Entry, TableState};

use crate::pool::PoolKey;
use crate::table_model::Sabotage;

#[derive(Clone)]
pub(crate) struct Node {
    pub(crate) log: Vec<Entry>,
    state: TableState,
    /// The token of the acting player.
    token: Digest,
    pub(crate) work: Option<Work>,
}

/// An attempt, and its last request to the journal.
#[derive(Clone)]
pub(crate) struct Work {
    /// The number of the action.
    pub(crate) action: usize,
    attempt: Attempt,
    pub(crate) progress: AttemptStep,
    has_read: bool,
    /// The length of the journal at the request. An answer cannot be older.
    pub(crate) asked_at: usize,
    /// Whether the journal has appended the entries of this node.
    pub(crate) is_appended: bool,
}

/// An answer of the journal.
pub(crate) enum Answer {
    Committed,
    Tail(Vec<Entry>),
    Found(Option<Entry>),
}

/// These fields determine the attempt, apart from its number of conflicts, which matters only for
/// giving up.
impl PoolKey for Node {
    fn key(&self) -> String {
        let work = self.work.as_ref().map(|work| {
            let Work { action, progress, has_read, asked_at, is_appended, .. } = work;
            (action, progress, has_read, asked_at, is_appended)
        });
        format!("{:?} {work:?}", self.log)
    }
}

impl Node {
    /// A node that has read the whole journal.
    pub(crate) fn start(game: &AnyGame, journal: &[Entry], sabotage: Sabotage) -> Self {
        let state = TableState::after(game.clone(), &without_ids_if_sabotaged(journal, sabotage));
        let state = state.expect("the journal is valid");
        let token = token_of(Seat::FIRST);
        Self { log: journal.to_vec(), state, token, work: None }
    }

    /// Begins an attempt. Returns the verdict if there already is one.
    pub(crate) fn receive(
        &mut self,
        number: usize,
        action: Action,
        at: usize,
    ) -> Option<ActionVerdict> {
        let (attempt, progress) = Attempt::begin(&self.state, action, Actor::Token(self.token), 0);
        let work = Work {
            action: number,
            attempt,
            progress: progress.clone(),
            has_read: false,
            asked_at: at,
            is_appended: false,
        };
        self.proceed(work, progress, at)
    }

    fn proceed(&mut self, work: Work, progress: AttemptStep, at: usize) -> Option<ActionVerdict> {
        if let AttemptStep::Done(verdict) = progress {
            self.work = None;
            return Some(verdict);
        }
        self.work = Some(Work { progress, asked_at: at, is_appended: false, ..work });
        None
    }

    /// The journal did not answer, so the node asks whether its entries were appended.
    pub(crate) fn time_out(&mut self, at: usize) {
        if let Some(work) = self.work.take() {
            let progress = work.attempt.lost(&self.state);
            self.proceed(work, progress, at);
        }
    }

    /// Handles the journal's answer. Returns the verdict if there is one.
    pub(crate) fn receive_answer(
        &mut self,
        answer: Answer,
        at: usize,
        sabotage: Sabotage,
    ) -> Option<ActionVerdict> {
        let mut work = self.work.take()?;
        let skips_deduplication = sabotage == Sabotage::SkipDeduplication;
        let progress = match answer {
            Answer::Committed => {
                let AttemptStep::Append { entries, after } = &work.progress else { return None };
                self.log.extend_from_slice(entries);
                if skips_deduplication {
                    self.fold(&without_ids_if_sabotaged(entries, sabotage));
                    AttemptStep::Done(ActionVerdict::Committed(after + 1))
                } else {
                    let committed = work.attempt.committed(&mut self.state);
                    committed.expect("a decided entry can be folded")
                }
            }
            Answer::Tail(tail) => {
                work.has_read = true;
                let seen = without_ids_if_sabotaged(&tail, sabotage);
                self.log.extend(tail);
                let progress = work.attempt.conflicted(&mut self.state, &seen);
                progress.expect("the entries of the journal follow the log")
            }
            Answer::Found(entry) => {
                work.attempt.found(&self.state, entry.filter(|_| !skips_deduplication).as_ref())
            }
        };
        self.proceed(work, progress, at)
    }

    fn fold(&mut self, entries: &[Entry]) {
        for entry in entries {
            self.state.fold(entry).expect("a decided entry can be folded");
        }
    }
}

/// The digest that stands for the token of a seat.
pub(crate) fn token_of(seat: Seat) -> Digest {
    Digest::of(&[seat.number()])
}

/// The entries, without the ids of actions if deduplication is sabotaged.
fn without_ids_if_sabotaged(entries: &[Entry], sabotage: Sabotage) -> Vec<Entry> {
    let mut entries = entries.to_vec();
    if sabotage == Sabotage::SkipDeduplication {
        for entry in &mut entries {
            entry.action = None;
        }
    }
    entries
}
