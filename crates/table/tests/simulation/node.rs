//! A node that serves the table.

use std::collections::VecDeque;

use game::Seat;
use table::wire::{Entries, Resync, Welcome};
use table::{
    Action, ActionId, ActionVerdict, Actor, Announcement, Attempt, AttemptStep, Digest, Entry,
    EntryBody, FoldEntries, LiveTable, TableSecret, TableState,
};

use crate::journal::Beginning;
use crate::message::{Answer, Ask};
use crate::sabotage::Sabotage;

/// A node. It knows a prefix of the log and works on one task at a time.
pub(crate) struct Node {
    live: LiveTable,
    inbox: VecDeque<Job>,
    work: Work,
    ask: Ask,
    asked: u64,
    secret: TableSecret,
    sabotage: Sabotage,
}

/// An action of a client with a token.
struct Job {
    client: usize,
    action: Action,
    token: Digest,
}

enum Work {
    Nothing,
    /// An attempt is running.
    Act(Box<Act>),
    /// Automatic entries are being appended.
    Automatic(Vec<Entry>),
    /// The rest of the journal is being read.
    CatchUp,
}

struct Act {
    client: usize,
    id: ActionId,
    attempt: Attempt,
    proposed: Vec<Entry>,
}

/// What the world must do for a node.
pub(crate) enum Effect {
    Ask { number: u64, ask: Ask },
    Broadcast(Vec<Announcement>),
    Answer { client: usize, id: ActionId, verdict: ActionVerdict },
}

type Effects = Result<Vec<Effect>, String>;

/// The most actions that wait at a node; more are dropped, and their clients retry.
const MAX_WAITING: usize = 16;

impl Node {
    /// A node that has read the whole journal.
    pub(crate) fn start(beginning: Beginning<'_>, secret: TableSecret, sabotage: Sabotage) -> Self {
        let Beginning { state, rest, epoch } = beginning;
        let mut node = Self {
            live: LiveTable::new(state, secret.clone(), epoch.to_owned()),
            inbox: VecDeque::new(),
            work: Work::Nothing,
            ask: Ask::Read { after: 0 },
            asked: 0,
            secret,
            sabotage,
        };
        node.fold_all(rest).expect("the journal is valid");
        node.live.take_announcements();
        node
    }

    /// Restarts from the journal after a crash, and ignores the answers to earlier requests.
    pub(crate) fn restart(&mut self, beginning: Beginning<'_>) {
        let asked = self.asked + 1;
        *self = Self { asked, ..Self::start(beginning, self.secret.clone(), self.sabotage) };
    }

    /// The state of the table at the version that this node knows.
    pub(crate) fn state(&self) -> &TableState {
        self.live.state()
    }

    /// The seat whose view the holder of a token receives.
    fn viewer_seat(&self, token: Digest) -> Option<Seat> {
        match self.sabotage {
            Sabotage::ShowHiddenInformation => Some(Seat::FIRST),
            _ => self.state().holder(token),
        }
    }

    /// The welcome for a client that joins or comes back.
    pub(crate) fn welcome(&self, token: Digest, known: &Resync) -> Welcome {
        let seat = self.state().holder(token);
        Welcome { seat, ..self.live.welcome(self.viewer_seat(token), known) }
    }

    /// Announcements as the holder of a token may see them.
    pub(crate) fn messages_for(
        &self,
        announcements: &[Announcement],
        token: Digest,
    ) -> (Option<Seat>, Vec<Entries>) {
        let seat = self.viewer_seat(token);
        let message = |each: &Announcement| each.message_for(self.state(), seat);
        let messages = announcements.iter().map(message).collect();
        (self.state().holder(token), messages)
    }

    /// Queues an action, and works on it if the node is idle.
    pub(crate) fn receive(
        &mut self,
        client: usize,
        action: Action,
        token: Digest,
        now: u64,
    ) -> Effects {
        if self.inbox.len() < MAX_WAITING {
            self.inbox.push_back(Job { client, action, token });
        }
        self.advance(now)
    }

    /// Reads the new entries of the journal, if the node is idle.
    pub(crate) fn journal_grew(&mut self) -> Vec<Effect> {
        if !matches!(self.work, Work::Nothing) {
            return Vec::new();
        }
        self.work = Work::CatchUp;
        vec![self.read()]
    }

    /// Starts the next task, if the node is idle.
    pub(crate) fn advance(&mut self, now: u64) -> Effects {
        if !matches!(self.work, Work::Nothing) {
            return Ok(Vec::new());
        }
        if let Some(job) = self.inbox.pop_front() {
            return self.begin(job, now);
        }
        let mut automatic = self.live.automatic_entries(now).map_err(|error| error.to_string())?;
        if self.sabotage == Sabotage::OmitExplanation {
            automatic = automatic.iter().map(unexplained).collect();
        }
        if automatic.is_empty() {
            return Ok(Vec::new());
        }
        self.work = Work::Automatic(automatic.clone());
        let ask = Ask::Append { after: self.state().version(), entries: automatic };
        Ok(vec![self.ask(ask)])
    }

    fn begin(&mut self, job: Job, now: u64) -> Effects {
        let Job { client, action, token } = job;
        let id = action.id.clone();
        let (attempt, progress) = Attempt::begin(self.state(), action, Actor::Token(token), now);
        let act = Act { client, id, attempt, proposed: Vec::new() };
        self.proceed(act, progress, now)
    }

    /// Performs the next step of an attempt.
    fn proceed(&mut self, mut act: Act, progress: AttemptStep, now: u64) -> Effects {
        let (client, id) = (act.client, act.id.clone());
        let mut effects = Vec::new();
        let ask = match progress {
            AttemptStep::Append { after, entries } => {
                act.proposed.clone_from(&entries);
                effects.extend(self.act_before_append(client, &id, &entries));
                Ask::Append { after, entries }
            }
            AttemptStep::Read { after } => Ask::Read { after },
            AttemptStep::Find { id } => Ask::Find { id },
            AttemptStep::Done(verdict) => {
                self.work = Work::Nothing;
                let verdict = self.verdict_to_send(verdict);
                effects.push(Effect::Answer { client, id, verdict });
                effects.extend(self.advance(now)?);
                return Ok(effects);
            }
        };
        self.work = Work::Act(Box::new(act));
        effects.push(self.ask(ask));
        Ok(effects)
    }

    fn verdict_to_send(&self, verdict: ActionVerdict) -> ActionVerdict {
        match verdict {
            ActionVerdict::NotYet(refusal) if self.sabotage == Sabotage::RefuseEarlyAction => {
                ActionVerdict::Refused(refusal)
            }
            verdict => verdict,
        }
    }

    /// The deliberate mistake of acting before entries are appended.
    fn act_before_append(&self, client: usize, id: &ActionId, entries: &[Entry]) -> Option<Effect> {
        let (id, version) = (id.clone(), self.state().version() + 1);
        match self.sabotage {
            Sabotage::AcknowledgeBeforeAppending => {
                Some(Effect::Answer { client, id, verdict: ActionVerdict::Committed(version) })
            }
            Sabotage::BroadcastBeforeCommit => {
                let mut premature = self.live.clone();
                premature.fold_all(entries).expect("a decided entry can be folded");
                Some(Effect::Broadcast(premature.take_announcements()))
            }
            _ => None,
        }
    }

    fn ask(&mut self, ask: Ask) -> Effect {
        self.asked += 1;
        self.ask = ask.clone();
        Effect::Ask { number: self.asked, ask }
    }

    fn read(&mut self) -> Effect {
        self.ask(Ask::Read { after: self.state().version() })
    }

    /// Handles the journal's answer to the last request, and ignores answers to earlier ones.
    pub(crate) fn answered(&mut self, number: u64, answer: Answer, now: u64) -> Effects {
        if number != self.asked {
            return Ok(Vec::new());
        }
        let then = match std::mem::replace(&mut self.work, Work::Nothing) {
            Work::Nothing => return Ok(Vec::new()),
            Work::Act(act) => self.act_answered(*act, answer, now)?,
            Work::Automatic(automatic) => {
                self.follow_answer(answer, &automatic)?;
                self.advance(now)?
            }
            Work::CatchUp => {
                self.follow_answer(answer, &[])?;
                self.advance(now)?
            }
        };
        let mut effects = vec![Effect::Broadcast(self.live.take_announcements())];
        effects.extend(then);
        Ok(effects)
    }

    fn act_answered(&mut self, mut act: Act, answer: Answer, now: u64) -> Effects {
        let progress = match answer {
            Answer::Conflict(tail) if self.sabotage == Sabotage::IgnoreConflict => {
                self.fold_all(&tail)?;
                return Ok(self.append_anyway(act));
            }
            Answer::Committed if self.sabotage.replaces_the_attempt() => {
                let version = self.state().version() + 1;
                self.fold_all(&act.proposed)?;
                Ok(AttemptStep::Done(ActionVerdict::Committed(version)))
            }
            Answer::Committed => act.attempt.committed(&mut self.live),
            Answer::Conflict(tail) | Answer::Tail(tail) => {
                let tail = self.entries_to_fold(&tail);
                act.attempt.conflicted(&mut self.live, &tail)
            }
            Answer::Found(_) if self.sabotage == Sabotage::SkipDeduplication => {
                Ok(act.attempt.found(self.live.state(), None))
            }
            Answer::Found(entry) => Ok(act.attempt.found(self.live.state(), entry.as_ref())),
        };
        let progress =
            progress.map_err(|error| format!("a node cannot fold its entries: {error}"))?;
        self.proceed(act, progress, now)
    }

    /// Appends the entries that were decided before a conflict, without deciding again.
    fn append_anyway(&mut self, mut act: Act) -> Vec<Effect> {
        let after = self.state().version();
        for (version, entry) in (after + 1..).zip(&mut act.proposed) {
            (entry.version, entry.at) = (version, entry.at.max(self.live.state().at()));
        }
        let entries = act.proposed.clone();
        self.work = Work::Act(Box::new(act));
        vec![self.ask(Ask::Append { after, entries })]
    }

    /// Folds the appended entries, or the entries that came first.
    fn follow_answer(&mut self, answer: Answer, appended: &[Entry]) -> Result<(), String> {
        match answer {
            Answer::Committed => self.fold_all(appended),
            Answer::Conflict(tail) | Answer::Tail(tail) => self.fold_all(&tail),
            Answer::Found(_) => Ok(()),
        }
    }

    fn fold_all(&mut self, entries: &[Entry]) -> Result<(), String> {
        let entries = self.entries_to_fold(entries);
        self.live
            .fold_all(&entries)
            .map_err(|error| format!("a node cannot fold its entries: {error}"))
    }

    fn entries_to_fold(&self, entries: &[Entry]) -> Vec<Entry> {
        if self.sabotage == Sabotage::SkipDeduplication {
            return entries.iter().map(|entry| Entry { action: None, ..entry.clone() }).collect();
        }
        entries.to_vec()
    }

    /// The journal did not answer in time.
    pub(crate) fn time_out(&mut self, now: u64) -> Effects {
        let effect = match (&self.work, &self.ask) {
            (Work::Nothing, _) => return self.advance(now),
            (Work::Act(act), Ask::Append { .. }) => match act.attempt.lost(self.state()) {
                AttemptStep::Read { after } => self.ask(Ask::Read { after }),
                other => return Err(format!("unexpected step after a lost answer: {other:?}")),
            },
            (Work::Automatic(_), Ask::Append { .. }) => self.read(),
            _ => self.ask(self.ask.clone()),
        };
        Ok(vec![effect])
    }
}

/// The entry without its explanation.
pub(crate) fn unexplained(entry: &Entry) -> Entry {
    let mut entry = entry.clone();
    if let EntryBody::Played { explanation, .. } = &mut entry.body {
        *explanation = None;
    }
    entry
}
