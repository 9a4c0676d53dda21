//! A node of the model: it knows a prefix of the log and works on one action at a time.

use game::{AnyGame, Seat};
use table::{Action, ActionVerdict, Actor, Attempt, AttemptStep, Digest, Entry, TableState};

use crate::pool::Told;
use crate::table_model::Sabotage;

#[derive(Clone)]
pub(crate) struct Node {
    pub(crate) log: Vec<Entry>,
    state: TableState,
    /// What the player shows who acts.
    token: Digest,
    pub(crate) work: Option<Work>,
}

/// An attempt, and what the journal was asked.
#[derive(Clone)]
pub(crate) struct Work {
    /// Which action.
    pub(crate) action: usize,
    attempt: Attempt,
    pub(crate) progress: AttemptStep,
    has_read: bool,
    /// How long the journal was when it was asked: it cannot answer as if it were shorter.
    pub(crate) asked_at: usize,
    /// The journal has appended the entries at the request of this node.
    pub(crate) is_appended: bool,
}

/// What a journal answers.
pub(crate) enum Answer {
    Committed,
    Tail(Vec<Entry>),
    Found(Option<Entry>),
}

/// The attempt follows from all this, up to how often it was tried: that counts only towards giving
/// up.
impl Told for Node {
    fn told(&self) -> String {
        let work = self.work.as_ref().map(|work| {
            let Work { action, progress, has_read, asked_at, is_appended, .. } = work;
            (action, progress, has_read, asked_at, is_appended)
        });
        format!("{:?} {work:?}", self.log)
    }
}

impl Node {
    /// A node that starts, or starts again: it knows what the journal holds.
    pub(crate) fn start(game: &AnyGame, journal: &[Entry], sabotage: Sabotage) -> Self {
        let state = TableState::after(game.clone(), &remembered(journal, sabotage));
        let state = state.expect("the journal is in order");
        let token = token_of(Seat::FIRST);
        Self { log: journal.to_vec(), state, token, work: None }
    }

    /// Takes an action in; gives the verdict if there is one at once.
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

    /// No answer came: was it appended?
    pub(crate) fn wait_no_longer(&mut self, at: usize) {
        if let Some(work) = self.work.take() {
            let progress = work.attempt.lost(&self.state);
            self.proceed(work, progress, at);
        }
    }

    /// Hears the journal's answer; gives the verdict if there is one.
    pub(crate) fn hear(
        &mut self,
        answer: Answer,
        at: usize,
        sabotage: Sabotage,
    ) -> Option<ActionVerdict> {
        let mut work = self.work.take()?;
        let forgets = sabotage == Sabotage::ForgetTheDeduplication;
        let progress = match answer {
            Answer::Committed => {
                let AttemptStep::Append { entries, after } = &work.progress else { return None };
                self.log.extend_from_slice(entries);
                if forgets {
                    self.fold(&remembered(entries, sabotage));
                    AttemptStep::Done(ActionVerdict::Committed(after + 1))
                } else {
                    let committed = work.attempt.committed(&mut self.state);
                    committed.expect("what was decided can happen")
                }
            }
            Answer::Tail(tail) => {
                work.has_read = true;
                let seen = remembered(&tail, sabotage);
                self.log.extend(tail);
                let progress = work.attempt.conflicted(&mut self.state, &seen);
                progress.expect("what the journal holds follows")
            }
            Answer::Found(entry) => {
                work.attempt.found(&self.state, entry.filter(|_| !forgets).as_ref())
            }
        };
        self.proceed(work, progress, at)
    }

    fn fold(&mut self, entries: &[Entry]) {
        for entry in entries {
            self.state.fold(entry).expect("what was decided can happen");
        }
    }
}

/// What stands for the token that holds a seat.
pub(crate) fn token_of(seat: Seat) -> Digest {
    Digest::of(&[seat.number()])
}

/// Entries as a node remembers them.
fn remembered(entries: &[Entry], sabotage: Sabotage) -> Vec<Entry> {
    let mut entries = entries.to_vec();
    if sabotage == Sabotage::ForgetTheDeduplication {
        for entry in &mut entries {
            entry.action = None;
        }
    }
    entries
}
