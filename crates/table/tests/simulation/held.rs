//! The state of a client: a replica, or a view client where the game hides something.

use game::{Game, MoveText, Seat, Viewer};
use table::wire::{Entries, Welcome};
use table::{
    Action, ActionId, Actor, Author, Decision, Entry, Pending, PlayerName, Replica, TableState,
    TableView, Update, decide,
};

use crate::sabotage::Sabotage;
use crate::view_client::ViewClient;

/// The state of a client, and what its screen shows if that differs.
pub(crate) struct Held {
    kind: Kind,
    frozen: Option<TableState>,
    sabotage: Sabotage,
}

enum Kind {
    Replica(Box<Replica>),
    /// With the seat for which the view was made.
    ViewClient(Box<ViewClient>, Option<Seat>),
}

/// The table as a client sees it that wants to act.
pub(crate) struct Situation {
    pub(crate) version: u64,
    pub(crate) round: u32,
    pub(crate) ply: u32,
    pub(crate) is_over: bool,
    pub(crate) is_in_turn: bool,
    pub(crate) is_away: bool,
    pub(crate) moves: Vec<MoveText>,
}

/// The result of a message to a client.
pub(crate) enum Taken {
    /// It was folded: the versions of confirmed actions, and the number of rolled-back ones.
    In { confirmed: Vec<(ActionId, u64)>, rolled_back: usize },
    /// It was not used: entries before it are missing.
    Not,
}

/// Where a client continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum From {
    /// From what it knows.
    Known,
    /// It has lost its state, but not its pending actions.
    Nothing,
    /// What it knows is of another log.
    AnotherLog,
}

impl Held {
    pub(crate) fn new(state: &TableState, sabotage: Sabotage) -> Self {
        let kind = if state.game().hides() {
            Kind::ViewClient(Box::new(ViewClient::new(state.view(Viewer::Spectator))), None)
        } else {
            Kind::Replica(Box::new(Replica::new(state.clone(), None)))
        };
        Self { kind, frozen: None, sabotage }
    }

    /// The last version that it knows.
    pub(crate) fn version(&self) -> u64 {
        match &self.kind {
            Kind::Replica(replica) => replica.confirmed().version(),
            Kind::ViewClient(client, _) => client.view().version,
        }
    }

    /// The action to send next.
    pub(crate) fn send_next(&mut self) -> Option<Action> {
        match &mut self.kind {
            Kind::Replica(replica) => replica.to_send(),
            Kind::ViewClient(client, _) => client.to_send().cloned(),
        }
    }

    /// Whether an action waits for its answer.
    pub(crate) fn waits_for(&self, id: &ActionId) -> bool {
        match &self.kind {
            Kind::Replica(replica) => replica.pending().any(|pending| pending.action.id == *id),
            Kind::ViewClient(client, _) => client.to_send().is_some_and(|action| action.id == *id),
        }
    }

    /// Whether nothing waits for an answer.
    pub(crate) fn is_idle(&self) -> bool {
        match &self.kind {
            Kind::Replica(replica) => replica.pending().len() == 0,
            Kind::ViewClient(client, _) => client.to_send().is_none(),
        }
    }

    /// Submits an action; one that is not sent is dropped.
    pub(crate) fn submit(&mut self, action: Action) {
        match &mut self.kind {
            Kind::Replica(replica) => drop(replica.submit(action)),
            Kind::ViewClient(client, _) => client.submit(action),
        }
    }

    /// The table as the holder of a seat sees it.
    pub(crate) fn situation(&self, seat: Option<Seat>) -> Situation {
        match &self.kind {
            Kind::Replica(replica) => of_state(replica, seat),
            Kind::ViewClient(client, _) => of_view(client.view(), seat),
        }
    }

    /// Whether it is the turn of a seat.
    pub(crate) fn is_in_turn(&self, seat: Seat) -> bool {
        match &self.kind {
            Kind::Replica(replica) => replica.provisional().turn().contains(seat),
            Kind::ViewClient(client, _) => client.view().turn.contains(&seat),
        }
    }

    /// The server named the client's seat. Returns the number of rolled-back actions.
    pub(crate) fn seated(&mut self, seat: Option<Seat>) -> usize {
        match &mut self.kind {
            Kind::Replica(replica) => replica.seated(seat).len(),
            Kind::ViewClient(..) => 0,
        }
    }

    /// Receives entries as the holder of this seat may see them.
    pub(crate) fn receive(&mut self, told: &Entries, seat: Option<Seat>) -> Result<Taken, String> {
        let entries = &told.entries;
        match &mut self.kind {
            Kind::Replica(_) => self.fold(entries),
            Kind::ViewClient(client, viewer) => {
                let known = client.view().version;
                if told.view.as_ref().is_some_and(|view| view.version >= known) {
                    *viewer = seat;
                }
                let id = client.receive(told);
                let confirmed = id.map(|id| places(entries, &[id])).unwrap_or_default();
                Ok(Taken::In { confirmed, rolled_back: 0 })
            }
        }
    }

    fn fold(&mut self, entries: &[Entry]) -> Result<Taken, String> {
        let Kind::Replica(replica) = &mut self.kind else { return Ok(Taken::Not) };
        let before = self.frozen.take().unwrap_or_else(|| replica.provisional().clone());
        let update = replica.receive(entries);
        let update = update.map_err(|error| format!("a client cannot follow: {error}"))?;
        let Update::Folded { confirmed, rolled_back } = update else { return Ok(Taken::Not) };
        if self.sabotage == Sabotage::SkipARebase && replica.pending().len() > 0 {
            self.frozen = Some(before);
        }
        let confirmed = places(entries, &confirmed);
        Ok(Taken::In { confirmed, rolled_back: rolled_back.len() })
    }

    /// Receives a welcome and continues from there.
    pub(crate) fn welcome(&mut self, welcome: &Welcome, from: From) -> Result<Taken, String> {
        let entries = welcome.entries.clone();
        let believes = self.sabotage == Sabotage::BelieveWhoIsBehind && welcome.start.is_some();
        let from = if from == From::Known && believes { From::Nothing } else { from };
        match &mut self.kind {
            Kind::Replica(_) if welcome.start.is_some() => self.start_over(welcome, from),
            // It was said to who knew more.
            Kind::Replica(_) if from != From::Known => Ok(Taken::Not),
            Kind::Replica(_) => self.receive(&Entries { entries, view: None }, welcome.seat),
            Kind::ViewClient(client, viewer) => {
                match from {
                    From::Known => {}
                    From::Nothing => {
                        let waiting = client.to_send().cloned();
                        **client = ViewClient::new(welcome.view.clone());
                        if let Some(action) = waiting {
                            client.submit(action);
                        }
                    }
                    From::AnotherLog => {
                        let gone = client.restart(welcome.view.clone());
                        let insists = self.sabotage == Sabotage::InsistOnWhatIsGone;
                        if let Some(action) = gone.filter(|_| insists) {
                            client.submit(action);
                        }
                    }
                }
                if from != From::Known {
                    *viewer = welcome.seat;
                }
                let view = Some(Box::new(welcome.view.clone()));
                self.receive(&Entries { entries, view }, welcome.seat)
            }
        }
    }

    fn start_over(&mut self, welcome: &Welcome, from: From) -> Result<Taken, String> {
        let Kind::Replica(replica) = &mut self.kind else { return Ok(Taken::Not) };
        let state = welcome.state(replica.confirmed().game().clone());
        let state = state.map_err(|error| format!("a client cannot begin: {error}"))?;
        // A node that is behind would take back what was confirmed.
        if from == From::Known && state.version() < replica.confirmed().version() {
            return Ok(Taken::In { confirmed: Vec::new(), rolled_back: 0 });
        }
        self.frozen = None;
        let waiting: Vec<Pending> = replica.pending().cloned().collect();
        let insists = self.sabotage == Sabotage::InsistOnWhatIsGone;
        let rolled_back = match from {
            From::AnotherLog if !insists => replica.restart(state),
            _ => replica.resync(state),
        };
        let place = |Pending { action, .. }: &Pending| {
            Some((action.id.clone(), replica.confirmed().version_of(&action.id)?))
        };
        let confirmed = waiting.iter().filter_map(place).collect();
        Ok(Taken::In { confirmed, rolled_back: rolled_back.len() })
    }

    /// Hears that an action is refused; gives how much is taken back.
    pub(crate) fn refused(&mut self, id: &ActionId, refusal: &game::Refusal) -> usize {
        if self.sabotage == Sabotage::KeepWhatWasRefused {
            return 0;
        }
        self.frozen = None;
        match &mut self.kind {
            Kind::Replica(replica) => replica.refused(id, refusal).len(),
            Kind::ViewClient(client, _) => usize::from(client.answered(id)),
        }
    }

    /// Hears where an action is; gives how much is taken back.
    pub(crate) fn committed(&mut self, id: &ActionId, version: u64) -> usize {
        match &mut self.kind {
            Kind::Replica(replica) => replica.committed(id, version).len(),
            Kind::ViewClient(client, _) => {
                client.answered(id);
                0
            }
        }
    }

    /// Compares the state with that of the log at its version.
    pub(crate) fn check(&self, truth: &TableState, seat: Option<Seat>) -> Result<(), String> {
        match &self.kind {
            Kind::Replica(replica) if !is_same(replica.confirmed(), truth) => {
                Err(format!("a replica differs at version {}", truth.version()))
            }
            Kind::Replica(replica) => self.check_shown(replica, seat),
            Kind::ViewClient(client, viewer)
                if *client.view() != truth.view(viewer_of(*viewer)) =>
            {
                Err(format!("a client differs at version {}", truth.version()))
            }
            Kind::ViewClient(..) => Ok(()),
        }
    }

    /// Compares the screen with the confirmed state and the pending actions on top.
    fn check_shown(&self, replica: &Replica, seat: Option<Seat>) -> Result<(), String> {
        let shown = self.frozen.as_ref().unwrap_or_else(|| replica.provisional());
        if replica.pending().len() == 0 && is_same(shown, replica.confirmed()) {
            return Ok(());
        }
        let by = seat.map_or(Actor::Stranger, Actor::Seat);
        let mut state = replica.confirmed().clone();
        for Pending { action, withdrawn, .. } in replica.pending() {
            let decided = decide(&state, action, by);
            let bodies = match (decided, withdrawn) {
                (Ok(Decision::Append(bodies)), None) => bodies,
                (Err(_), Some(_)) => continue,
                (decided, _) => return Err(format!("{} waits, but: {decided:?}", action.id)),
            };
            for body in bodies {
                let next = Entry::new(state.version() + 1, state.at(), Author::from(seat), body);
                state.fold(&next).map_err(|error| format!("it cannot be shown: {error}"))?;
            }
        }
        if is_same(shown, &state) {
            return Ok(());
        }
        Err("what is shown is not what is confirmed and the own actions".to_owned())
    }

    /// Whether it looks like this to who holds a seat.
    pub(crate) fn looks_like(&self, truth: &TableState, seat: Option<Seat>) -> bool {
        let expected = truth.view(viewer_of(seat));
        match &self.kind {
            Kind::Replica(replica) => replica.provisional().view(viewer_of(seat)) == expected,
            Kind::ViewClient(client, _) => *client.view() == expected,
        }
    }
}

fn of_state(replica: &Replica, seat: Option<Seat>) -> Situation {
    let state = replica.provisional();
    let legal = |seat| state.game().legal_moves(state.position(), state.in_game(seat)).collect();
    let occupant = seat.and_then(|seat| replica.confirmed().occupant(seat));
    Situation {
        version: replica.confirmed().version(),
        round: state.round(),
        ply: state.ply(),
        is_over: state.outcome().is_some(),
        is_in_turn: seat.is_some_and(|seat| state.turn().contains(seat)),
        is_away: occupant.is_some_and(|occupant| !occupant.is_here),
        moves: seat.map(legal).unwrap_or_default(),
    }
}

fn of_view(view: &TableView, seat: Option<Seat>) -> Situation {
    let sits = seat.and_then(|seat| view.seats.get(seat.index()));
    Situation {
        version: view.version,
        round: view.round,
        ply: view.ply,
        is_over: view.scores.is_some(),
        is_in_turn: seat.is_some_and(|seat| view.turn.contains(&seat)),
        is_away: sits.is_some_and(|sits| !sits.is_here),
        moves: view.legal_moves.clone(),
    }
}

/// Where these actions are.
fn places(entries: &[Entry], ids: &[ActionId]) -> Vec<(ActionId, u64)> {
    let place = |entry: &Entry| {
        let id = entry.action.as_ref().filter(|id| ids.contains(id))?;
        Some((id.clone(), entry.version))
    };
    entries.iter().filter_map(place).collect()
}

fn viewer_of(seat: Option<Seat>) -> Viewer {
    seat.map_or(Viewer::Spectator, Viewer::Seat)
}

/// Whether two states show the same, whoever looks; only servers know tokens and what is sealed.
pub(crate) fn is_same(one: &TableState, other: &TableState) -> bool {
    let numbers = |state: &TableState| (state.version(), state.round(), state.ply(), state.at());
    let seats = || [Seat::FIRST, Seat::SECOND].into_iter();
    let sits = |seat: Seat| known_of(one, seat) == known_of(other, seat);
    numbers(one) == numbers(other)
        && one.position() == other.position()
        && one.losers() == other.losers()
        && one.history() == other.history()
        && one.deadline() == other.deadline()
        && seats().all(sits)
}

/// What everybody knows of a seat.
fn known_of(state: &TableState, seat: Seat) -> (Option<(&PlayerName, bool, u64)>, bool) {
    let occupant =
        state.occupant(seat).map(|occupant| (&occupant.name, occupant.is_here, occupant.since));
    (occupant, state.has_sealed(seat))
}
