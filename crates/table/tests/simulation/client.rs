//! A client: a player, a spectator, or one that acts without looking.

use std::collections::{BTreeMap, BTreeSet};

use game::{AnyGame, Game, Generator, MoveText, Seat, all_seats};
use table::wire::{Entries, Resync, Welcome};
use table::{Action, ActionId, ActionVerdict, Digest, Entry, EntryBody, TableState};

use crate::held::{From, Held, Taken};
use crate::sabotage::Sabotage;
use crate::wish::{self, Wisher};

/// A client: what it holds, what it has sent, and what it was told of that.
pub(crate) struct Client {
    pub(crate) held: Held,
    pub(crate) token: Digest,
    pub(crate) presence: Presence,
    /// The node that it is connected to.
    pub(crate) node: usize,
    pub(crate) seat: Option<Seat>,
    pub(crate) name: &'static str,
    pub(crate) role: Role,
    /// Whether its node has answered since it is connected.
    is_welcome: bool,
    /// Which log it knows something of.
    epoch: Option<String>,
    /// It has come back with its actions only, and waits to be told everything else.
    starts_over: bool,
    counter: u64,
    /// Everything that can be chosen when a round begins.
    openings: Vec<MoveText>,
    /// Everything that it has sent.
    pub(crate) history: Vec<Action>,
    awaited: BTreeSet<ActionId>,
    verdicts: BTreeMap<ActionId, ActionVerdict>,
    pub(crate) early: u64,
    pub(crate) rolled_back: u64,
}

/// What a client does at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It takes a seat as soon as it can.
    Player,
    /// It looks; where somebody with the same token has a seat, it plays too.
    Onlooker,
    /// It sends what it likes, whatever it knows.
    Hasty,
}

/// Whether a client and its node hear each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    Connected,
    /// Nothing comes through until this step.
    Cut(u32),
    /// It is not even there until this step.
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
            held: Held::new(state, sabotage),
            token: Digest::of(whose.as_bytes()),
            presence: Presence::Connected,
            node: 0,
            seat: None,
            name,
            role,
            is_welcome: false,
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

    /// What it says that it knows.
    pub(crate) fn known(&self) -> Resync {
        match &self.epoch {
            Some(epoch) if !self.starts_over => {
                Resync { from: Some(self.held.version()), epoch: Some(epoch.clone()) }
            }
            _ => Resync::default(),
        }
    }

    /// Whether it knows something of this log.
    pub(crate) fn knows(&self, epoch: &str) -> bool {
        self.epoch.as_deref() == Some(epoch) && !self.starts_over
    }

    /// Whether the table waits for it.
    pub(crate) fn is_in_turn(&self) -> bool {
        self.seat.is_some_and(|seat| self.held.is_in_turn(seat))
    }

    /// It is connected to a node, which has to answer first.
    pub(crate) fn connect(&mut self, node: usize) {
        (self.presence, self.node, self.is_welcome) = (Presence::Connected, node, false);
    }

    /// What waits to be sent, if something does.
    pub(crate) fn next_to_send(&mut self) -> Option<Action> {
        if !self.is_welcome || matches!(self.presence, Presence::Gone(_)) {
            return None;
        }
        let action = self.held.send_next()?;
        if self.awaited.insert(action.id.clone()) {
            self.history.push(action.clone());
        }
        Some(action)
    }

    /// Tries something; what is refused here is not sent.
    pub(crate) fn act(&mut self, generator: &mut Generator) {
        let now = self.held.situation(self.seat);
        let body = match (self.seat, self.role) {
            (_, Role::Hasty) | (None, Role::Onlooker) => return,
            (None, Role::Player) => wish::to_sit(&now, self.wisher(), generator),
            (Some(seat), _) => wish::careful(&now, seat, self.wisher(), generator),
        };
        let action = Action { id: self.next_id(), body };
        self.held.submit(action);
    }

    /// What somebody sends who does not look: something new, under a new id or an old one, or once
    /// more what was sent before.
    pub(crate) fn act_rashly(&mut self, generator: &mut Generator) -> Option<Action> {
        if self.role != Role::Hasty || matches!(self.presence, Presence::Gone(_)) {
            return None;
        }
        let earlier = self.some_earlier(generator);
        if generator.below(4) == 0 {
            return earlier;
        }
        let now = self.held.situation(self.seat);
        let body = wish::rash(&now, self.wisher(), &self.openings, generator);
        let reused = earlier.filter(|_| generator.below(8) == 0).map(|action| action.id);
        let action = Action { id: reused.unwrap_or_else(|| self.next_id()), body };
        self.history.push(action.clone());
        Some(action)
    }

    /// Something that it has sent before.
    pub(crate) fn some_earlier(&self, generator: &mut Generator) -> Option<Action> {
        let place = generator.below((self.history.len() as u64).max(1));
        self.history.get(usize::try_from(place).expect("there are few")).cloned()
    }

    /// Whether it has sent something else under the same id.
    pub(crate) fn has_sent_another(&self, action: &Action) -> bool {
        let is_another = |sent: &Action| sent.id == action.id && sent.body != action.body;
        self.history.iter().any(is_another)
    }

    fn wisher(&self) -> Wisher {
        Wisher { name: self.name, token: self.token }
    }

    fn next_id(&mut self) -> ActionId {
        self.counter += 1;
        ActionId::new(self.name, self.counter).expect("it is an id")
    }

    /// It has lost the state, and has only its actions.
    pub(crate) fn start_over(&mut self) {
        self.starts_over = true;
    }

    /// Hears how the table stands; says whether something is missing.
    pub(crate) fn be_welcomed(&mut self, welcome: &Welcome) -> Result<bool, String> {
        let is_other = self.epoch.as_ref() != Some(&welcome.epoch);
        let from = match (is_other, self.starts_over) {
            (true, _) => From::AnotherLog,
            (false, true) => From::Nothing,
            (false, false) => From::Known,
        };
        let before = self.held.version();
        let taken = self.held.welcome(welcome, from)?;
        if from == From::Known {
            self.check_after(before)?;
        }
        if matches!(taken, Taken::Not) {
            return Ok(true);
        }
        (self.is_welcome, self.starts_over) = (true, false);
        // In the same log nobody loses a seat, but nodes may be behind.
        if is_other || self.seat.is_none() {
            self.be_seated(welcome.seat);
        }
        if is_other {
            self.epoch = Some(welcome.epoch.clone());
            self.awaited.retain(|id| self.verdicts.contains_key(id) || self.held.waits_for(id));
        }
        self.note(taken)?;
        Ok(self.held.version() < welcome.version)
    }

    /// Hears what happened; says whether something is missing.
    pub(crate) fn receive(&mut self, told: &Entries, seat: Option<Seat>) -> Result<bool, String> {
        if !self.is_welcome || self.starts_over {
            return Ok(true);
        }
        let before = self.held.version();
        let taken = self.held.receive(told, seat)?;
        self.check_after(before)?;
        if matches!(taken, Taken::Not) {
            return Ok(true);
        }
        if self.seat.is_none()
            && let Some(seat) = self.joined(told)
        {
            self.be_seated(Some(seat));
        }
        self.note(taken)?;
        Ok(false)
    }

    /// Nobody who knows a version forgets it, whoever is behind.
    fn check_after(&self, before: u64) -> Result<(), String> {
        let version = self.held.version();
        if version >= before {
            return Ok(());
        }
        Err(format!("{} went back from version {before} to {version}", self.name))
    }

    fn be_seated(&mut self, seat: Option<Seat>) {
        if self.seat != seat {
            self.seat = seat;
            self.rolled_back += self.held.seated(seat) as u64;
        }
    }

    fn note(&mut self, taken: Taken) -> Result<(), String> {
        let Taken::In { confirmed, rolled_back } = taken else { return Ok(()) };
        self.rolled_back += rolled_back as u64;
        for (id, version) in confirmed {
            self.conclude(&id, &ActionVerdict::Committed(version))?;
        }
        Ok(())
    }

    /// The seat that it has joined, if these entries say so.
    fn joined(&self, told: &Entries) -> Option<Seat> {
        let is_own = |id: &ActionId| self.is_id(id);
        told.entries.iter().find_map(|entry| match &entry.body {
            EntryBody::Joined { seat, .. } if entry.action.as_ref().is_some_and(is_own) => {
                Some(*seat)
            }
            _ => None,
        })
    }

    /// Whether an action is one of its own.
    pub(crate) fn is_id(&self, id: &ActionId) -> bool {
        id.to_string().split_once(':').is_some_and(|(name, _)| name == self.name)
    }

    /// Hears what came of an action; says whether there is more to hear.
    pub(crate) fn hear(&mut self, id: &ActionId, verdict: &ActionVerdict) -> Result<bool, String> {
        self.conclude(id, verdict)?;
        let known = self.held.version();
        match verdict {
            ActionVerdict::Refused(refusal) => {
                self.rolled_back += self.held.refused(id, refusal) as u64;
                Ok(false)
            }
            ActionVerdict::Committed(version) => {
                self.rolled_back += self.held.committed(id, *version) as u64;
                Ok(*version > known)
            }
            // Nothing is decided: it is sent again.
            ActionVerdict::NotYet(_) => {
                self.early += 1;
                Ok(false)
            }
        }
    }

    /// Whether it listens to what comes of an action: who waits for an answer over a connection hears
    /// nothing before it is welcome there; others ask each time.
    pub(crate) fn listens(&self) -> bool {
        self.is_welcome || self.role == Role::Hasty
    }

    /// Notes what came of an action, which is the same for ever.
    fn conclude(&mut self, id: &ActionId, verdict: &ActionVerdict) -> Result<(), String> {
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

    /// All entries after this one are gone: what it heard of them, or because of them, does not count
    /// any more, and it is connected to nobody.
    pub(crate) fn lose_what_came_after(&mut self, kept: u64) {
        let is_kept = |verdict: &ActionVerdict| matches!(verdict, ActionVerdict::Committed(at) if *at <= kept);
        self.verdicts.retain(|_, verdict| is_kept(verdict));
        self.awaited.retain(|id| self.verdicts.contains_key(id) || self.held.waits_for(id));
        self.is_welcome = false;
    }

    /// Whether nothing of it is on its way any more.
    pub(crate) fn is_settled(&self) -> bool {
        self.is_welcome && self.held.is_idle() && !self.starts_over
    }

    /// What came of each action that it waited for, and of others.
    pub(crate) fn verdicts(&self) -> Result<&BTreeMap<ActionId, ActionVerdict>, String> {
        match self.awaited.iter().find(|id| !self.verdicts.contains_key(id)) {
            Some(id) => Err(format!("{id} was sent and got no verdict")),
            None => Ok(&self.verdicts),
        }
    }

    /// Whether an entry is what comes of something that it has sent.
    pub(crate) fn has_wanted(&self, entry: &Entry) -> bool {
        let is_this = |action: &Action| {
            entry.action.as_ref() == Some(&action.id) && wish::comes_of(&action.body, entry)
        };
        self.history.iter().any(is_this)
    }
}

/// Everything that somebody can choose first in a round.
fn openings(game: &AnyGame) -> Vec<MoveText> {
    let mut position = game.start();
    if let Some((drawn, _)) = game.chances(&position).first() {
        game.advance_chance(&mut position, drawn).expect("it can be drawn");
    }
    all_seats(game).iter().flat_map(|seat| game.legal_moves(&position, seat)).collect()
}
