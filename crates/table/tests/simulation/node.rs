//! A node that serves the table.

use std::collections::VecDeque;

use game::AnyGame;
use table::{Action, ActionId, Actor, Attempt, Entry, Progress, State, Verdict};

use crate::message::{Answer, Ask};
use crate::world::Sabotage;

/// A node: it knows a beginning of the log, and works on one action at a time.
pub(crate) struct Node {
    state: State,
    pub(crate) log: Vec<Entry>,
    inbox: VecDeque<(usize, Action, Actor)>,
    current: Option<Current>,
    asked: u64,
    sabotage: Sabotage,
}

struct Current {
    client: usize,
    id: ActionId,
    attempt: Attempt,
    progress: Progress,
}

/// What a node must do next.
pub(crate) enum Effect {
    Ask { number: u64, ask: Ask },
    Broadcast(Vec<Entry>),
    Answer { client: usize, id: ActionId, verdict: Verdict },
}

/// How many actions wait at a node at most; more are dropped, and their clients try again.
const MOST_WAITING: usize = 16;

impl Node {
    /// A node that starts, or starts again: it knows what the journal holds.
    pub(crate) fn start(game: &AnyGame, journal: &[Entry], sabotage: Sabotage) -> Self {
        let state = State::after(game.clone(), journal).expect("the journal is in order");
        let (log, inbox) = (journal.to_vec(), VecDeque::new());
        Self { state, log, inbox, current: None, asked: 0, sabotage }
    }

    /// Starts again after a crash: only what the journal holds is left, and answers to what was asked
    /// before are nobody's.
    pub(crate) fn start_again(&mut self, game: &AnyGame, journal: &[Entry]) {
        let asked = self.asked + 1;
        *self = Self { asked, ..Self::start(game, journal, self.sabotage) };
    }

    /// Takes an action in, and works on it if nothing else is to be done.
    pub(crate) fn receive(&mut self, client: usize, action: Action, by: Actor) -> Vec<Effect> {
        if self.inbox.len() < MOST_WAITING {
            self.inbox.push_back((client, action, by));
        }
        self.go_on()
    }

    fn go_on(&mut self) -> Vec<Effect> {
        if self.current.is_some() {
            return Vec::new();
        }
        let Some((client, action, by)) = self.inbox.pop_front() else { return Vec::new() };
        let id = action.id.clone();
        let (attempt, progress) = Attempt::begin(&self.state, action, by, 0);
        self.current = Some(Current { client, id, attempt, progress });
        self.proceed()
    }

    /// Does what the attempt says must happen next.
    fn proceed(&mut self) -> Vec<Effect> {
        let Some(current) = &self.current else { return Vec::new() };
        let (client, id) = (current.client, current.id.clone());
        self.asked += 1;
        let number = self.asked;
        let ask = match current.progress.clone() {
            Progress::Append { after, entries } => {
                return self.append(number, after, entries);
            }
            Progress::Read { after } => Ask::Read { after },
            Progress::Find { id } => Ask::Find { id },
            Progress::Done(verdict) => {
                self.current = None;
                let mut effects = vec![Effect::Answer { client, id, verdict }];
                effects.extend(self.go_on());
                return effects;
            }
        };
        vec![Effect::Ask { number, ask }]
    }

    fn append(&self, number: u64, after: u64, mut entries: Vec<Entry>) -> Vec<Effect> {
        let mut effects = Vec::new();
        let version = after + 1;
        if self.sabotage == Sabotage::AcknowledgeFirst
            && let Some(current) = &self.current
        {
            let (client, id) = (current.client, current.id.clone());
            effects.push(Effect::Answer { client, id, verdict: Verdict::Committed(version) });
        }
        if self.sabotage == Sabotage::BroadcastFirst {
            effects.push(Effect::Broadcast(entries.clone()));
        }
        if self.sabotage == Sabotage::ForgetIds {
            for entry in &mut entries {
                entry.action = None;
            }
        }
        effects.push(Effect::Ask { number, ask: Ask::Append { after, entries } });
        effects
    }

    /// The journal's answer to the last question; answers to earlier ones come too late.
    pub(crate) fn answered(&mut self, number: u64, answer: Answer) -> Vec<Effect> {
        let (true, Some(mut current)) = (number == self.asked, self.current.take()) else {
            return Vec::new();
        };
        let before = self.state.version();
        let mut tail = Vec::new();
        let progress = match answer {
            Answer::Committed => {
                if let Progress::Append { entries, .. } = &current.progress {
                    tail.clone_from(entries);
                }
                current.attempt.committed(&mut self.state)
            }
            Answer::Tail(entries) => {
                let folded = current.attempt.conflicted(&mut self.state, &entries);
                tail = entries;
                folded
            }
            Answer::Found(version) => Ok(current.attempt.found(version)),
        };
        current.progress = progress.expect("what the journal holds follows");
        tail.retain(|entry| entry.version > before);
        self.log.extend_from_slice(&tail);
        self.current = Some(current);
        let mut effects = vec![Effect::Broadcast(tail)];
        effects.extend(self.proceed());
        effects
    }

    /// No answer came for too long.
    pub(crate) fn gave_up_waiting(&mut self) -> Vec<Effect> {
        if let Some(current) = &mut self.current
            && matches!(current.progress, Progress::Append { .. })
        {
            current.progress = current.attempt.lost(&self.state);
        }
        self.proceed()
    }

    /// What came after a version, as far as this node knows.
    pub(crate) fn after(&self, version: u64) -> Vec<Entry> {
        self.log.iter().filter(|entry| entry.version > version).cloned().collect()
    }
}
