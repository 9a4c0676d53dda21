//! A node that serves the table.

use std::collections::VecDeque;

use game::{Seat, Viewer, all_seats};
use table::{
    Action, ActionId, Actor, Attempt, Digest, Doing, Entry, Progress, Secret, State, Verdict,
    own_entries,
};

use crate::message::{Answer, Ask};
use crate::sabotage::Sabotage;

/// A node: it knows a beginning of the log, and does one thing at a time.
pub(crate) struct Node {
    pub(crate) state: State,
    log: Vec<Entry>,
    inbox: VecDeque<Job>,
    work: Work,
    ask: Ask,
    asked: u64,
    secret: Secret,
    sabotage: Sabotage,
}

/// An action that somebody with a token wants.
struct Job {
    client: usize,
    action: Action,
    token: Digest,
}

enum Work {
    Nothing,
    /// The token is not known here: perhaps it is in the journal.
    LookFor(Job),
    /// An action is brought into the log.
    Act(Act),
    /// The table does something by itself.
    Own(Vec<Entry>),
    /// The rest of the journal is read.
    CatchUp,
}

struct Act {
    client: usize,
    id: ActionId,
    attempt: Attempt,
    proposed: Vec<Entry>,
}

/// What a node must do next.
pub(crate) enum Effect {
    Ask { number: u64, ask: Ask },
    Broadcast(Vec<Entry>),
    Answer { client: usize, id: ActionId, verdict: Verdict },
}

type Effects = Result<Vec<Effect>, String>;

/// How many actions wait at a node at most; more are dropped, and their clients try again.
const MOST_WAITING: usize = 16;

impl Node {
    /// A node that starts: it knows what the journal holds.
    pub(crate) fn start(state: State, log: &[Entry], secret: Secret, sabotage: Sabotage) -> Self {
        let mut state = state;
        if sabotage == Sabotage::ForgetTheDeduplication {
            let all: Vec<Entry> = log.iter().map(without_id).collect();
            state = State::after(state.game().clone(), &all).expect("the journal is in order");
        }
        Self {
            state,
            log: log.to_vec(),
            inbox: VecDeque::new(),
            work: Work::Nothing,
            ask: Ask::Read { after: 0 },
            asked: 0,
            secret,
            sabotage,
        }
    }

    /// Starts again after a crash: only what the journal holds is left, and answers to what was asked
    /// before are nobody's.
    pub(crate) fn start_again(&mut self, state: State, log: &[Entry]) {
        let asked = self.asked + 1;
        *self = Self { asked, ..Self::start(state, log, self.secret.clone(), self.sabotage) };
    }

    /// The seat of who has a token, as far as this node knows.
    pub(crate) fn seat_of(&self, token: Digest) -> Option<Seat> {
        let holds = |seat: &Seat| self.state.chair(*seat).is_some_and(|c| c.token == Some(token));
        all_seats(self.state.game()).iter().find(holds)
    }

    /// Entries as who has a token may see them. Where a game hides nothing, that does not depend on
    /// the position.
    pub(crate) fn shown(&self, entries: &[Entry], token: Digest) -> Vec<Entry> {
        let viewer = self.seat_of(token).map_or(Viewer::Spectator, Viewer::Seat);
        entries.iter().map(|entry| self.state.shown(entry, viewer)).collect()
    }

    /// What came after a version, as far as this node knows, and as who has a token may see it.
    pub(crate) fn after(&self, version: u64, token: Digest) -> Vec<Entry> {
        let from = usize::try_from(version).expect("there are few").min(self.log.len());
        self.shown(&self.log[from..], token)
    }

    /// Takes an action in, and works on it if nothing else is to be done.
    pub(crate) fn receive(
        &mut self,
        client: usize,
        action: Action,
        token: Digest,
        now: u64,
    ) -> Effects {
        if self.inbox.len() < MOST_WAITING {
            self.inbox.push_back(Job { client, action, token });
        }
        self.go_on(now)
    }

    /// Hears that the journal has grown.
    pub(crate) fn hear_news(&mut self) -> Vec<Effect> {
        if !matches!(self.work, Work::Nothing) {
            return Vec::new();
        }
        self.work = Work::CatchUp;
        vec![self.read()]
    }

    /// Some time has passed: is there anything to do?
    pub(crate) fn go_on(&mut self, now: u64) -> Effects {
        if !matches!(self.work, Work::Nothing) {
            return Ok(Vec::new());
        }
        if let Some(job) = self.inbox.pop_front() {
            let is_known = self.seat_of(job.token).is_some();
            if is_known || matches!(job.action.doing, Doing::Join { .. }) {
                return self.begin(job, now);
            }
            self.work = Work::LookFor(job);
            return Ok(vec![self.read()]);
        }
        let own = own_entries(&self.state, &self.secret, now).map_err(|error| error.to_string())?;
        if own.is_empty() {
            return Ok(Vec::new());
        }
        self.work = Work::Own(own.clone());
        let ask = Ask::Append { after: self.state.version(), entries: own };
        Ok(vec![self.ask(ask)])
    }

    fn begin(&mut self, job: Job, now: u64) -> Effects {
        let by = self.seat_of(job.token).map_or(Actor::Stranger, Actor::Seat);
        let Job { client, action, .. } = job;
        let id = action.id.clone();
        let (attempt, progress) = Attempt::begin(&self.state, action, by, now);
        let act = Act { client, id, attempt, proposed: Vec::new() };
        self.proceed(act, progress, now)
    }

    /// Does what an attempt says must happen next.
    fn proceed(&mut self, mut act: Act, progress: Progress, now: u64) -> Effects {
        let (client, id) = (act.client, act.id.clone());
        let mut effects = Vec::new();
        let ask = match progress {
            Progress::Append { after, entries } => {
                act.proposed.clone_from(&entries);
                effects.extend(self.too_early(client, &id, &entries));
                Ask::Append { after, entries }
            }
            Progress::Read { after } => Ask::Read { after },
            Progress::Find { id } => Ask::Find { id },
            Progress::Done(verdict) => {
                self.work = Work::Nothing;
                effects.push(Effect::Answer { client, id, verdict });
                effects.extend(self.go_on(now)?);
                return Ok(effects);
            }
        };
        self.work = Work::Act(act);
        effects.push(self.ask(ask));
        Ok(effects)
    }

    /// What must not happen before entries are appended.
    fn too_early(&self, client: usize, id: &ActionId, entries: &[Entry]) -> Option<Effect> {
        let (id, version) = (id.clone(), self.state.version() + 1);
        match self.sabotage {
            Sabotage::AcknowledgeBeforeAppending => {
                Some(Effect::Answer { client, id, verdict: Verdict::Committed(version) })
            }
            Sabotage::BroadcastBeforeCommit => Some(Effect::Broadcast(entries.to_vec())),
            _ => None,
        }
    }

    fn ask(&mut self, ask: Ask) -> Effect {
        self.asked += 1;
        self.ask = ask.clone();
        Effect::Ask { number: self.asked, ask }
    }

    fn read(&mut self) -> Effect {
        self.ask(Ask::Read { after: self.state.version() })
    }

    /// The journal's answer to the last question; answers to earlier ones come too late.
    pub(crate) fn answered(&mut self, number: u64, answer: Answer, now: u64) -> Effects {
        if number != self.asked {
            return Ok(Vec::new());
        }
        let known = self.log.len();
        let then = match std::mem::replace(&mut self.work, Work::Nothing) {
            Work::Nothing => return Ok(Vec::new()),
            Work::Act(act) => self.act_answered(act, answer, now)?,
            Work::LookFor(job) => {
                self.fold_answer(answer, &[])?;
                self.begin(job, now)?
            }
            Work::Own(own) => {
                self.fold_answer(answer, &own)?;
                self.go_on(now)?
            }
            Work::CatchUp => {
                self.fold_answer(answer, &[])?;
                self.go_on(now)?
            }
        };
        let mut effects = vec![Effect::Broadcast(self.log[known..].to_vec())];
        effects.extend(then);
        Ok(effects)
    }

    fn act_answered(&mut self, mut act: Act, answer: Answer, now: u64) -> Effects {
        let progress = match answer {
            Answer::Conflict(tail) if self.sabotage == Sabotage::IgnoreAConflict => {
                self.fold(&tail)?;
                return Ok(self.append_anyway(act));
            }
            Answer::Committed if self.sabotage.is_in_the_attempt() => {
                let version = self.state.version() + 1;
                self.fold(&act.proposed)?;
                Ok(Progress::Done(Verdict::Committed(version)))
            }
            Answer::Committed => {
                self.log.extend_from_slice(&act.proposed);
                act.attempt.committed(&mut self.state)
            }
            Answer::Conflict(tail) | Answer::Tail(tail) => {
                self.log.extend_from_slice(&tail);
                let tail = self.as_remembered(tail);
                act.attempt.conflicted(&mut self.state, &tail)
            }
            Answer::Found(_) if self.sabotage == Sabotage::ForgetTheDeduplication => {
                Ok(act.attempt.found(None))
            }
            Answer::Found(version) => Ok(act.attempt.found(version)),
        };
        let progress = progress.map_err(|error| format!("a node cannot follow: {error}"))?;
        self.proceed(act, progress, now)
    }

    /// Appends what was decided before others came first, without deciding again.
    fn append_anyway(&mut self, mut act: Act) -> Vec<Effect> {
        let after = self.state.version();
        for (version, entry) in (after + 1..).zip(&mut act.proposed) {
            (entry.version, entry.at) = (version, entry.at.max(self.state.at()));
        }
        let entries = act.proposed.clone();
        self.work = Work::Act(act);
        vec![self.ask(Ask::Append { after, entries })]
    }

    /// Takes in what was appended, or what came first.
    fn fold_answer(&mut self, answer: Answer, appended: &[Entry]) -> Result<(), String> {
        match answer {
            Answer::Committed => self.fold(appended),
            Answer::Conflict(tail) | Answer::Tail(tail) => self.fold(&tail),
            Answer::Found(_) => Ok(()),
        }
    }

    fn fold(&mut self, entries: &[Entry]) -> Result<(), String> {
        for entry in entries {
            let folded = self.state.fold(&self.as_remembered(vec![entry.clone()])[0]);
            folded.map_err(|error| format!("a node cannot follow: {error}"))?;
        }
        self.log.extend_from_slice(entries);
        Ok(())
    }

    fn as_remembered(&self, entries: Vec<Entry>) -> Vec<Entry> {
        if self.sabotage == Sabotage::ForgetTheDeduplication {
            return entries.iter().map(without_id).collect();
        }
        entries
    }

    /// No answer came for too long.
    pub(crate) fn gave_up_waiting(&mut self, now: u64) -> Effects {
        let effect = match (&self.work, &self.ask) {
            (Work::Nothing, _) => return self.go_on(now),
            (Work::Act(act), Ask::Append { .. }) => match act.attempt.lost(&self.state) {
                Progress::Read { after } => self.ask(Ask::Read { after }),
                other => return Err(format!("after a lost answer {other:?} is to be done")),
            },
            (Work::Own(_), Ask::Append { .. }) => self.read(),
            _ => self.ask(self.ask.clone()),
        };
        Ok(vec![effect])
    }
}

fn without_id(entry: &Entry) -> Entry {
    Entry { action: None, ..entry.clone() }
}
