//! A player or a spectator.

use std::collections::{BTreeMap, BTreeSet};

use game::{Game, Generator, Seat, Text, Viewer};
use table::{
    Action, ActionId, Actor, Body, Decision, Digest, Doing, Entry, Pending, PlayerName, Replica,
    State, Update, Verdict, Who, decide,
};

use crate::sabotage::Sabotage;

/// A client: its replica, what it has sent, and what it was told of that.
pub(crate) struct Client {
    pub(crate) replica: Replica,
    pub(crate) token: Digest,
    pub(crate) presence: Presence,
    /// The node that it is connected to.
    pub(crate) node: usize,
    name: &'static str,
    role: Role,
    seat: Option<Seat>,
    /// It is sent without being shown: only the server knows who holds which seat.
    joining: Option<Action>,
    counter: u64,
    beginning: State,
    /// It has come back with its actions only, and waits to be told everything else.
    starts_over: bool,
    sent: BTreeSet<ActionId>,
    verdicts: BTreeMap<ActionId, Verdict>,
    pub(crate) rolled_back: u64,
    /// What is on the screen, if that is not what the replica shows.
    frozen: Option<State>,
    sabotage: Sabotage,
}

/// What a client does at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It takes a seat as soon as it can.
    Player,
    /// It looks; where somebody with the same token has a seat, it plays too.
    Onlooker,
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
        state: State,
        (name, whose): (&'static str, &str),
        role: Role,
        sabotage: Sabotage,
    ) -> Self {
        Self {
            replica: Replica::new(state.clone(), None),
            token: Digest::of(whose.as_bytes()),
            presence: Presence::Connected,
            node: 0,
            name,
            role,
            seat: None,
            joining: None,
            counter: 0,
            beginning: state,
            starts_over: false,
            sent: BTreeSet::new(),
            verdicts: BTreeMap::new(),
            rolled_back: 0,
            frozen: None,
            sabotage,
        }
    }

    /// The version after which it wants to hear everything.
    pub(crate) fn last_known(&self) -> u64 {
        if self.starts_over { 1 } else { self.replica.confirmed().version() }
    }

    pub(crate) fn viewer(&self) -> Viewer {
        self.seat.map_or(Viewer::Spectator, Viewer::Seat)
    }

    /// Whether the table waits for it.
    pub(crate) fn is_in_turn(&self) -> bool {
        self.seat.is_some_and(|seat| self.replica.provisional().turn().contains(seat))
    }

    /// What is on its screen.
    fn shown(&self) -> &State {
        self.frozen.as_ref().unwrap_or_else(|| self.replica.provisional())
    }

    /// What is to be sent, if something is.
    pub(crate) fn next_to_send(&mut self) -> Option<Action> {
        let action = self.joining.clone().or_else(|| self.replica.to_send())?;
        self.sent.insert(action.id.clone());
        Some(action)
    }

    /// Tries something; what is refused here is not sent.
    pub(crate) fn act(&mut self, generator: &mut Generator) {
        self.counter += 1;
        let id = ActionId::new(self.name, self.counter).expect("it is an id");
        let version = self.replica.confirmed().version();
        let Some(seat) = self.seat else {
            if self.role == Role::Player && self.joining.is_none() {
                let seat = Seat::new(u8::try_from(generator.below(4)).expect("it is small"));
                let wanted = seat.filter(|seat| seat.index() < 2);
                self.joining = Some(Action { id, doing: self.join(wanted) });
            }
            return;
        };
        let chair = self.replica.confirmed().chair(seat);
        if chair.is_some_and(|chair| !chair.is_here) && generator.below(3) == 0 {
            self.joining =
                self.joining.take().or_else(|| Some(Action { id, doing: self.join(None) }));
            return;
        }
        let state = self.replica.provisional();
        let (round, ply) = (state.round(), state.ply());
        let doing = match (generator.below(12), state.outcome().is_some()) {
            (0, _) => Doing::Leave { version },
            (1, _) | (2, true) => Doing::Forfeit { round, ply },
            (2, false) | (3, true) => Doing::Tie { round, ply },
            (_, true) => Doing::NextRound { round, ply },
            _ => Doing::Play { round, ply, chosen: some_move(state, seat, generator) },
        };
        drop(self.replica.submit(Action { id, doing }));
    }

    fn join(&self, seat: Option<Seat>) -> Doing {
        let name = PlayerName::new(self.name).expect("it is a name");
        let version = self.replica.confirmed().version();
        Doing::Join { seat, name, token: self.token, version }
    }

    /// It has lost the state, if there was any yet, and has only its actions.
    pub(crate) fn start_over(&mut self) {
        self.starts_over = self.replica.confirmed().version() > 1;
    }

    /// Takes entries in, and the seat that is its own; says whether some are missing.
    pub(crate) fn receive(
        &mut self,
        entries: &[Entry],
        seat: Option<Seat>,
    ) -> Result<bool, String> {
        if self.starts_over {
            return self.resync(entries);
        }
        let frozen = self.frozen.take().unwrap_or_else(|| self.replica.provisional().clone());
        let update = self.replica.receive(entries);
        let update = update.map_err(|error| format!("a client cannot follow: {error}"))?;
        let Update::Folded { confirmed, rolled_back } = update else { return Ok(true) };
        if self.sabotage == Sabotage::SkipARebase && self.replica.pending().len() > 0 {
            self.frozen = Some(frozen);
        }
        self.rolled_back += rolled_back.len() as u64;
        for entry in entries {
            if let Some(id) = &entry.action
                && (confirmed.contains(id) || self.is_joining(id))
            {
                self.conclude(id, &Verdict::Committed(entry.version))?;
            }
        }
        self.take_seat(seat.or_else(|| self.joined(entries)));
        Ok(false)
    }

    /// Starts over from all entries, as the server tells them.
    fn resync(&mut self, entries: &[Entry]) -> Result<bool, String> {
        let is_all = entries.first().is_some_and(|first| first.version == 2);
        let last = entries.last().map_or(0, |last| last.version);
        // A node that is behind would take back what was confirmed.
        if !is_all || last < self.replica.confirmed().version() {
            return Ok(true);
        }
        let mut state = self.beginning.clone();
        let folded = entries.iter().try_for_each(|entry| state.fold(entry));
        folded.map_err(|error| format!("a client cannot follow: {error}"))?;
        let waiting: Vec<Pending> = self.replica.pending().cloned().collect();
        let rolled_back = self.replica.resync(state);
        self.rolled_back += rolled_back.len() as u64;
        self.starts_over = false;
        for Pending { action: Action { id, .. }, .. } in waiting {
            if let Some(version) = self.replica.confirmed().version_of(&id) {
                self.conclude(&id, &Verdict::Committed(version))?;
            }
        }
        Ok(false)
    }

    fn is_joining(&self, id: &ActionId) -> bool {
        self.joining.as_ref().is_some_and(|joining| joining.id == *id)
    }

    /// The seat that it has joined, if these entries say so.
    fn joined(&self, entries: &[Entry]) -> Option<Seat> {
        let is_own = |id: &ActionId| id.to_string().starts_with(&format!("{}:", self.name));
        entries.iter().find_map(|entry| match &entry.body {
            Body::Joined { seat, .. } if entry.action.as_ref().is_some_and(is_own) => Some(*seat),
            _ => None,
        })
    }

    fn take_seat(&mut self, seat: Option<Seat>) {
        if self.seat.is_none() && seat.is_some() {
            self.seat = seat;
            self.replica = Replica::new(self.replica.confirmed().clone(), seat);
        }
    }

    /// Hears what came of an action; says whether there is more to hear.
    pub(crate) fn hear(&mut self, id: &ActionId, verdict: &Verdict) -> Result<bool, String> {
        // Nothing is decided: it is sent again.
        if matches!(verdict, Verdict::NotYet(_)) {
            return Ok(false);
        }
        let is_joining = self.is_joining(id);
        let is_new = self.conclude(id, verdict)?;
        let known = self.replica.confirmed().version();
        match verdict {
            Verdict::Refused(refusal) => {
                if is_new && !is_joining && self.sabotage != Sabotage::KeepWhatWasRefused {
                    self.frozen = None;
                    self.rolled_back += self.replica.refused(id, refusal).len() as u64;
                }
                Ok(false)
            }
            Verdict::Committed(version) => {
                self.rolled_back += self.replica.committed(id, *version).len() as u64;
                Ok(*version > known)
            }
            Verdict::NotYet(_) => Ok(false),
        }
    }

    /// Notes what came of an action; says whether that is new.
    fn conclude(&mut self, id: &ActionId, verdict: &Verdict) -> Result<bool, String> {
        if self.is_joining(id) {
            self.joining = None;
        }
        let Some(known) = self.verdicts.get(id) else {
            self.verdicts.insert(id.clone(), verdict.clone());
            return Ok(true);
        };
        let is_same = match (known, verdict) {
            (Verdict::Committed(known), Verdict::Committed(version)) => known == version,
            (Verdict::Refused(_), Verdict::Refused(_)) => true,
            _ => false,
        };
        if is_same {
            return Ok(false);
        }
        Err(format!("{id} got two verdicts: {known:?} and {verdict:?}"))
    }

    /// Whether nothing of it is on its way any more.
    pub(crate) fn is_settled(&self) -> bool {
        self.joining.is_none() && self.replica.pending().len() == 0 && !self.starts_over
    }

    /// What came of each action that it has sent.
    pub(crate) fn verdicts(&self) -> Result<&BTreeMap<ActionId, Verdict>, String> {
        match self.sent.iter().find(|id| !self.verdicts.contains_key(id)) {
            Some(id) => Err(format!("{id} was sent and got no verdict")),
            None => Ok(&self.verdicts),
        }
    }

    /// Compares what is shown with the confirmed state and the own pending actions on top of it.
    pub(crate) fn check_shown(&self) -> Result<(), String> {
        let by = self.seat.map_or(Actor::Stranger, Actor::Seat);
        let mut state = self.replica.confirmed().clone();
        for Pending { action, withdrawn, .. } in self.replica.pending() {
            let decided = decide(&state, action, by);
            let bodies = match (decided, withdrawn) {
                (Ok(Decision::Append(bodies)), None) => bodies,
                (Err(_), Some(_)) => continue,
                (decided, _) => return Err(format!("{} waits, but: {decided:?}", action.id)),
            };
            for body in bodies {
                let next = Entry::new(state.version() + 1, state.at(), Who::from(self.seat), body);
                state.fold(&next).map_err(|error| format!("it cannot be shown: {error}"))?;
            }
        }
        if is_same(self.shown(), &state) {
            return Ok(());
        }
        Err("what is shown is not what is confirmed and the own actions".to_owned())
    }
}

/// A move that is legal, or now and then one that is not.
fn some_move(state: &State, seat: Seat, generator: &mut Generator) -> Text {
    let mut legal = state.game().legal_moves(state.position(), state.in_game(seat));
    let illegal = u64::from(generator.below(4) == 0);
    let place = generator.below(legal.len() as u64 + illegal);
    let place = usize::try_from(place).expect("there are few");
    legal.nth(place).unwrap_or_else(|| "nonsense".parse().expect("it is a text"))
}

/// Whether two states show the same, whoever looks; only servers know tokens and what is sealed.
pub(crate) fn is_same(one: &State, other: &State) -> bool {
    let numbers = |state: &State| (state.version(), state.round(), state.ply(), state.at());
    let seats = || [Seat::FIRST, Seat::SECOND].into_iter();
    let sits = |state: &State, seat: Seat| {
        let chair = state.chair(seat).map(|chair| (chair.name.clone(), chair.is_here, chair.since));
        (chair, state.has_sealed(seat))
    };
    numbers(one) == numbers(other)
        && one.position() == other.position()
        && one.losers() == other.losers()
        && one.history() == other.history()
        && one.deadline() == other.deadline()
        && seats().all(|seat| sits(one, seat) == sits(other, seat))
}
