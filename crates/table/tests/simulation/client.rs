//! A client: a player, a spectator, or a careless client that ignores the state of the table.

use std::collections::{BTreeMap, BTreeSet};

use game::{AnyGame, Game, Generator, MoveText, Seat, all_seats};
use table::wire::{Entries, Resync, Welcome};
use table::{Action, ActionId, ActionVerdict, Digest, Entry, EntryBody, TableState};

use crate::local_state::{LocalState, Receipt, ResumeFrom};
use crate::random_action::{self, Identity};
use crate::sabotage::Sabotage;

/// A client: its local state, the actions that it has sent, and their verdicts.
pub(crate) struct Client {
    pub(crate) local: LocalState,
    pub(crate) token: Digest,
    pub(crate) presence: Presence,
    /// The node to which it is connected.
    pub(crate) node: usize,
    pub(crate) seat: Option<Seat>,
    pub(crate) name: &'static str,
    pub(crate) role: Role,
    /// Whether its node has sent a welcome over this connection.
    is_welcomed: bool,
    /// The epoch of the log that it follows.
    epoch: Option<String>,
    /// It came back with only its pending actions, and waits for the state.
    starts_over: bool,
    counter: u64,
    /// All possible first moves of a round.
    openings: Vec<MoveText>,
    /// All actions that it has sent.
    pub(crate) history: Vec<Action>,
    awaited: BTreeSet<ActionId>,
    verdicts: BTreeMap<ActionId, ActionVerdict>,
    pub(crate) early: u64,
    pub(crate) rolled_back: u64,
}

/// The behaviour of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It takes a seat as soon as it can.
    Player,
    /// It watches. If another client with the same token holds a seat, it plays as well.
    Spectator,
    /// It sends random actions, whatever the state.
    Careless,
}

/// Whether a client and its node are connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    Connected,
    /// The link is cut until this step.
    Cut(u32),
    /// The client is closed until this step.
    Gone(u32),
}

impl Client {
    pub(crate) fn new(
        state: &TableState,
        (name, whose): (&'static str, &str),
        role: Role,
        sabotage: Sabotage,
    ) -> Self {
        Self {
            local: LocalState::new(state, sabotage),
            token: Digest::of(whose.as_bytes()),
            presence: Presence::Connected,
            node: 0,
            seat: None,
            name,
            role,
            is_welcomed: false,
            epoch: None,
            starts_over: false,
            counter: 0,
            openings: openings(state.game()),
            history: Vec::new(),
            awaited: BTreeSet::new(),
            verdicts: BTreeMap::new(),
            early: 0,
            rolled_back: 0,
        }
    }

    /// The version and epoch that it knows, for a resync.
    pub(crate) fn known(&self) -> Resync {
        match &self.epoch {
            Some(epoch) if !self.starts_over => {
                Resync { from: Some(self.local.version()), epoch: Some(epoch.clone()) }
            }
            _ => Resync::default(),
        }
    }

    /// Whether it follows the log of this epoch.
    pub(crate) fn knows(&self, epoch: &str) -> bool {
        self.epoch.as_deref() == Some(epoch) && !self.starts_over
    }

    /// Whether its seat is to move.
    pub(crate) fn is_to_move(&self) -> bool {
        self.seat.is_some_and(|seat| self.local.is_to_move(seat))
    }

    /// Connects to a node, which must send a welcome before anything else.
    pub(crate) fn connect(&mut self, node: usize) {
        (self.presence, self.node, self.is_welcomed) = (Presence::Connected, node, false);
    }

    /// The next pending action to send, if any.
    pub(crate) fn next_to_send(&mut self) -> Option<Action> {
        if !self.is_welcomed || matches!(self.presence, Presence::Gone(_)) {
            return None;
        }
        let action = self.local.send_next()?;
        if self.awaited.insert(action.id.clone()) {
            self.history.push(action.clone());
        }
        Some(action)
    }

    /// Submits a random action. The replica drops an action that it refuses.
    pub(crate) fn act(&mut self, generator: &mut Generator) {
        let now = self.local.situation(self.seat);
        let body = match (self.seat, self.role) {
            (_, Role::Careless) | (None, Role::Spectator) => return,
            (None, Role::Player) => random_action::join_a_seat(&now, self.identity(), generator),
            (Some(seat), _) => random_action::plausible(&now, seat, self.identity(), generator),
        };
        let action = Action { id: self.next_id(), body };
        self.local.submit(action);
    }

    /// The next action of a careless client: a new one, under a new or a used id, or a repeated
    /// one.
    pub(crate) fn act_carelessly(&mut self, generator: &mut Generator) -> Option<Action> {
        if self.role != Role::Careless || matches!(self.presence, Presence::Gone(_)) {
            return None;
        }
        let earlier = self.random_earlier_action(generator);
        if generator.below(4) == 0 {
            return earlier;
        }
        let now = self.local.situation(self.seat);
        let body = random_action::careless(&now, self.identity(), &self.openings, generator);
        let reused = earlier.filter(|_| generator.below(8) == 0).map(|action| action.id);
        let action = Action { id: reused.unwrap_or_else(|| self.next_id()), body };
        self.history.push(action.clone());
        Some(action)
    }

    /// A random action that it has sent before.
    pub(crate) fn random_earlier_action(&self, generator: &mut Generator) -> Option<Action> {
        let place = generator.below((self.history.len() as u64).max(1));
        self.history.get(usize::try_from(place).expect("the number fits")).cloned()
    }

    /// Whether it has sent a different action under the same id.
    pub(crate) fn has_reused_id(&self, action: &Action) -> bool {
        let is_another = |sent: &Action| sent.id == action.id && sent.body != action.body;
        self.history.iter().any(is_another)
    }

    fn identity(&self) -> Identity {
        Identity { name: self.name, token: self.token }
    }

    fn next_id(&mut self) -> ActionId {
        self.counter += 1;
        ActionId::new(self.name, self.counter).expect("the id is valid")
    }

    /// Drops the state, and keeps only the pending actions.
    pub(crate) fn start_over(&mut self) {
        self.starts_over = true;
    }

    /// Handles a welcome. Returns whether entries are missing.
    pub(crate) fn receive_welcome(&mut self, welcome: &Welcome) -> Result<bool, String> {
        let is_other = self.epoch.as_ref() != Some(&welcome.epoch);
        let from = match (is_other, self.starts_over) {
            (true, _) => ResumeFrom::AnotherLog,
            (false, true) => ResumeFrom::Nothing,
            (false, false) => ResumeFrom::Known,
        };
        let before = self.local.version();
        let receipt = self.local.welcome(welcome, from)?;
        if from == ResumeFrom::Known {
            self.check_after(before)?;
        }
        if matches!(receipt, Receipt::Gap) {
            return Ok(true);
        }
        (self.is_welcomed, self.starts_over) = (true, false);
        // A seat is never lost within a log, but the node may be behind.
        if is_other || self.seat.is_none() {
            self.take_seat(welcome.seat);
        }
        if is_other {
            self.epoch = Some(welcome.epoch.clone());
            self.awaited.retain(|id| self.verdicts.contains_key(id) || self.local.waits_for(id));
        }
        self.record(receipt)?;
        Ok(self.local.version() < welcome.version)
    }

    /// Handles entries. Returns whether earlier ones are missing.
    pub(crate) fn receive(
        &mut self,
        message: &Entries,
        seat: Option<Seat>,
    ) -> Result<bool, String> {
        if !self.is_welcomed || self.starts_over {
            return Ok(true);
        }
        let before = self.local.version();
        let receipt = self.local.receive(message, seat)?;
        self.check_after(before)?;
        if matches!(receipt, Receipt::Gap) {
            return Ok(true);
        }
        if self.seat.is_none()
            && let Some(seat) = self.joined(message)
        {
            self.take_seat(Some(seat));
        }
        self.record(receipt)?;
        Ok(false)
    }

    /// A client never goes back to an earlier version, even if its node is behind.
    fn check_after(&self, before: u64) -> Result<(), String> {
        let version = self.local.version();
        if version >= before {
            return Ok(());
        }
        Err(format!("{} went back from version {before} to {version}", self.name))
    }

    fn take_seat(&mut self, seat: Option<Seat>) {
        if self.seat != seat {
            self.seat = seat;
            self.rolled_back += self.local.seated(seat) as u64;
        }
    }

    fn record(&mut self, receipt: Receipt) -> Result<(), String> {
        let Receipt::Folded { confirmed, rolled_back } = receipt else { return Ok(()) };
        self.rolled_back += rolled_back as u64;
        for (id, version) in confirmed {
            self.record_verdict(&id, &ActionVerdict::Committed(version))?;
        }
        Ok(())
    }

    /// The seat that it has taken, according to these entries.
    fn joined(&self, message: &Entries) -> Option<Seat> {
        let is_own = |id: &ActionId| self.is_id(id);
        message.entries.iter().find_map(|entry| match &entry.body {
            EntryBody::Joined { seat, .. } if entry.action.as_ref().is_some_and(is_own) => {
                Some(*seat)
            }
            _ => None,
        })
    }

    /// Whether this is the id of one of its actions.
    pub(crate) fn is_id(&self, id: &ActionId) -> bool {
        id.to_string().split_once(':').is_some_and(|(name, _)| name == self.name)
    }

    /// Handles a verdict. Returns whether entries are missing.
    pub(crate) fn receive_verdict(
        &mut self,
        id: &ActionId,
        verdict: &ActionVerdict,
    ) -> Result<bool, String> {
        self.record_verdict(id, verdict)?;
        let known = self.local.version();
        match verdict {
            ActionVerdict::Refused(refusal) => {
                self.rolled_back += self.local.refused(id, refusal) as u64;
                Ok(false)
            }
            ActionVerdict::Committed(version) => {
                self.rolled_back += self.local.committed(id, *version) as u64;
                Ok(*version > known)
            }
            // Nothing is decided, so the client retries.
            ActionVerdict::NotYet(_) => {
                self.early += 1;
                Ok(false)
            }
        }
    }

    /// Whether it accepts verdicts. A connected client ignores them before its welcome; a careless
    /// client has no connection and accepts all.
    pub(crate) fn accepts_verdicts(&self) -> bool {
        self.is_welcomed || self.role == Role::Careless
    }

    /// Records the verdict on an action, which must never change.
    fn record_verdict(&mut self, id: &ActionId, verdict: &ActionVerdict) -> Result<(), String> {
        let is_same = match (self.verdicts.get(id), verdict) {
            (_, ActionVerdict::NotYet(_)) => return Ok(()),
            (Some(ActionVerdict::Committed(known)), ActionVerdict::Committed(version)) => {
                known == version
            }
            (None, _) | (Some(ActionVerdict::Refused(_)), ActionVerdict::Refused(_)) => true,
            (Some(_), _) => false,
        };
        if is_same {
            self.verdicts.insert(id.clone(), verdict.clone());
            return Ok(());
        }
        let known = self.verdicts.get(id);
        Err(format!("{id} got two verdicts: {known:?} and {verdict:?}"))
    }

    /// The entries after this version were lost: drops the verdicts that depend on them, and the
    /// connection.
    pub(crate) fn forget_after(&mut self, kept: u64) {
        let is_kept = |verdict: &ActionVerdict| matches!(verdict, ActionVerdict::Committed(at) if *at <= kept);
        self.verdicts.retain(|_, verdict| is_kept(verdict));
        self.awaited.retain(|id| self.verdicts.contains_key(id) || self.local.waits_for(id));
        self.is_welcomed = false;
    }

    /// Whether none of its actions is pending.
    pub(crate) fn is_settled(&self) -> bool {
        self.is_welcomed && self.local.is_idle() && !self.starts_over
    }

    /// All verdicts, after a check that every awaited action has one.
    pub(crate) fn verdicts(&self) -> Result<&BTreeMap<ActionId, ActionVerdict>, String> {
        match self.awaited.iter().find(|id| !self.verdicts.contains_key(id)) {
            Some(id) => Err(format!("{id} was sent and got no verdict")),
            None => Ok(&self.verdicts),
        }
    }

    /// Whether an entry is the result of an action that it has sent.
    pub(crate) fn has_requested(&self, entry: &Entry) -> bool {
        let is_this = |action: &Action| {
            entry.action.as_ref() == Some(&action.id)
                && random_action::results_in(&action.body, entry)
        };
        self.history.iter().any(is_this)
    }
}

/// All possible first moves of a round.
fn openings(game: &AnyGame) -> Vec<MoveText> {
    let mut position = game.start();
    if let Some((drawn, _)) = game.chances(&position).first() {
        game.advance_chance(&mut position, drawn).expect("the outcome can be drawn");
    }
    all_seats(game).iter().flat_map(|seat| game.legal_moves(&position, seat)).collect()
}
