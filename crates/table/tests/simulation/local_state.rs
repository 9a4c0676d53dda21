//! The state of a client: a replica, or a view client if the game has hidden information.

use game::{Game, MoveText, Seat, Viewer};
use table::wire::{Entries, Welcome};
use table::{
    Action, ActionId, Actor, Author, Decision, Entry, Pending, PlayerName, Replica, TableState,
    TableView, Update, decide,
};

use crate::sabotage::Sabotage;
use crate::view_client::ViewClient;

/// The state of a client, and the frozen screen of a client that skips a rebase.
pub(crate) struct LocalState {
    kind: Kind,
    frozen: Option<TableState>,
    sabotage: Sabotage,
}

enum Kind {
    Replica(Box<Replica>),
    /// With the seat whose view it shows.
    ViewClient(Box<ViewClient>, Option<Seat>),
}

/// What a client needs to know to choose an action.
pub(crate) struct Situation {
    pub(crate) version: u64,
    pub(crate) round: u32,
    pub(crate) ply: u32,
    pub(crate) is_over: bool,
    pub(crate) is_to_move: bool,
    pub(crate) is_away: bool,
    pub(crate) moves: Vec<MoveText>,
}

/// The result of a message to a client.
pub(crate) enum Receipt {
    /// Folded, with the versions of confirmed actions and the number of rolled-back ones.
    Folded { confirmed: Vec<(ActionId, u64)>, rolled_back: usize },
    /// Ignored, because earlier entries are missing.
    Gap,
}

/// The state from which a client continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResumeFrom {
    /// The state that it has.
    Known,
    /// No state, but its pending actions.
    Nothing,
    /// The state of another log.
    AnotherLog,
}

impl LocalState {
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

    /// Submits an action, and drops it if it is refused.
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

    /// Whether a seat is to move.
    pub(crate) fn is_to_move(&self, seat: Seat) -> bool {
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
    pub(crate) fn receive(
        &mut self,
        message: &Entries,
        seat: Option<Seat>,
    ) -> Result<Receipt, String> {
        let entries = &message.entries;
        match &mut self.kind {
            Kind::Replica(_) => self.fold(entries),
            Kind::ViewClient(client, viewer) => {
                let known = client.view().version;
                if message.view.as_ref().is_some_and(|view| view.version >= known) {
                    *viewer = seat;
                }
                let id = client.receive(message);
                let confirmed = id.map(|id| versions_of(entries, &[id])).unwrap_or_default();
                Ok(Receipt::Folded { confirmed, rolled_back: 0 })
            }
        }
    }

    fn fold(&mut self, entries: &[Entry]) -> Result<Receipt, String> {
        let Kind::Replica(replica) = &mut self.kind else { return Ok(Receipt::Gap) };
        let before = self.frozen.take().unwrap_or_else(|| replica.provisional().clone());
        let update = replica.receive(entries);
        let update =
            update.map_err(|error| format!("a client cannot fold its entries: {error}"))?;
        let Update::Folded { confirmed, rolled_back } = update else { return Ok(Receipt::Gap) };
        if self.sabotage == Sabotage::SkipRebase && replica.pending().len() > 0 {
            self.frozen = Some(before);
        }
        let confirmed = versions_of(entries, &confirmed);
        Ok(Receipt::Folded { confirmed, rolled_back: rolled_back.len() })
    }

    /// Receives a welcome and continues from there.
    pub(crate) fn welcome(
        &mut self,
        welcome: &Welcome,
        from: ResumeFrom,
    ) -> Result<Receipt, String> {
        let entries = welcome.entries.clone();
        let believes = self.sabotage == Sabotage::FollowStaleNode && welcome.start.is_some();
        let from = if from == ResumeFrom::Known && believes { ResumeFrom::Nothing } else { from };
        match &mut self.kind {
            Kind::Replica(_) if welcome.start.is_some() => self.start_over(welcome, from),
            // The welcome assumes entries that this client has lost.
            Kind::Replica(_) if from != ResumeFrom::Known => Ok(Receipt::Gap),
            Kind::Replica(_) => self.receive(&Entries { entries, view: None }, welcome.seat),
            Kind::ViewClient(client, viewer) => {
                match from {
                    ResumeFrom::Known => {}
                    ResumeFrom::Nothing => {
                        let waiting = client.to_send().cloned();
                        **client = ViewClient::new(welcome.view.clone());
                        if let Some(action) = waiting {
                            client.submit(action);
                        }
                    }
                    ResumeFrom::AnotherLog => {
                        let gone = client.restart(welcome.view.clone());
                        let insists = self.sabotage == Sabotage::KeepImpossibleAction;
                        if let Some(action) = gone.filter(|_| insists) {
                            client.submit(action);
                        }
                    }
                }
                if from != ResumeFrom::Known {
                    *viewer = welcome.seat;
                }
                let view = Some(Box::new(welcome.view.clone()));
                self.receive(&Entries { entries, view }, welcome.seat)
            }
        }
    }

    fn start_over(&mut self, welcome: &Welcome, from: ResumeFrom) -> Result<Receipt, String> {
        let Kind::Replica(replica) = &mut self.kind else { return Ok(Receipt::Gap) };
        let state = welcome.state(replica.confirmed().game().clone());
        let state = state.map_err(|error| format!("a client cannot start: {error}"))?;
        // A node that is behind must not undo confirmed entries.
        if from == ResumeFrom::Known && state.version() < replica.confirmed().version() {
            return Ok(Receipt::Folded { confirmed: Vec::new(), rolled_back: 0 });
        }
        self.frozen = None;
        let waiting: Vec<Pending> = replica.pending().cloned().collect();
        let insists = self.sabotage == Sabotage::KeepImpossibleAction;
        let rolled_back = match from {
            ResumeFrom::AnotherLog if !insists => replica.restart(state),
            _ => replica.resync(state),
        };
        let place = |Pending { action, .. }: &Pending| {
            Some((action.id.clone(), replica.confirmed().version_of(&action.id)?))
        };
        let confirmed = waiting.iter().filter_map(place).collect();
        Ok(Receipt::Folded { confirmed, rolled_back: rolled_back.len() })
    }

    /// Handles a refusal. Returns the number of rolled-back actions.
    pub(crate) fn refused(&mut self, id: &ActionId, refusal: &game::Refusal) -> usize {
        if self.sabotage == Sabotage::KeepRefusedAction {
            return 0;
        }
        self.frozen = None;
        match &mut self.kind {
            Kind::Replica(replica) => replica.refused(id, refusal).len(),
            Kind::ViewClient(client, _) => usize::from(client.answered(id)),
        }
    }

    /// Handles a confirmation. Returns the number of rolled-back actions.
    pub(crate) fn committed(&mut self, id: &ActionId, version: u64) -> usize {
        match &mut self.kind {
            Kind::Replica(replica) => replica.committed(id, version).len(),
            Kind::ViewClient(client, _) => {
                client.answered(id);
                0
            }
        }
    }

    /// Compares the state with the state of the log at the same version.
    pub(crate) fn check(&self, truth: &TableState, seat: Option<Seat>) -> Result<(), String> {
        match &self.kind {
            Kind::Replica(replica) if !is_same(replica.confirmed(), truth) => {
                Err(format!("a replica differs at version {}", truth.version()))
            }
            Kind::Replica(replica) => self.check_screen(replica, seat),
            Kind::ViewClient(client, viewer)
                if *client.view() != truth.view(viewer_of(*viewer)) =>
            {
                Err(format!("a client differs at version {}", truth.version()))
            }
            Kind::ViewClient(..) => Ok(()),
        }
    }

    /// Compares the screen with the confirmed state and the pending actions on top.
    fn check_screen(&self, replica: &Replica, seat: Option<Seat>) -> Result<(), String> {
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
                (decided, _) => return Err(format!("{} is pending, but: {decided:?}", action.id)),
            };
            for body in bodies {
                let next = Entry::new(state.version() + 1, state.at(), Author::from(seat), body);
                state
                    .fold(&next)
                    .map_err(|error| format!("a pending action cannot be shown: {error}"))?;
            }
        }
        if is_same(shown, &state) {
            return Ok(());
        }
        Err("the screen differs from the confirmed state and the pending actions".to_owned())
    }

    /// Whether the screen of this seat shows the given state.
    pub(crate) fn shows(&self, truth: &TableState, seat: Option<Seat>) -> bool {
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
        is_to_move: seat.is_some_and(|seat| state.turn().contains(seat)),
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
        is_to_move: seat.is_some_and(|seat| view.turn.contains(&seat)),
        is_away: sits.is_some_and(|sits| !sits.is_here),
        moves: view.legal_moves.clone(),
    }
}

/// The versions of these actions.
fn versions_of(entries: &[Entry], ids: &[ActionId]) -> Vec<(ActionId, u64)> {
    let place = |entry: &Entry| {
        let id = entry.action.as_ref().filter(|id| ids.contains(id))?;
        Some((id.clone(), entry.version))
    };
    entries.iter().filter_map(place).collect()
}

fn viewer_of(seat: Option<Seat>) -> Viewer {
    seat.map_or(Viewer::Spectator, Viewer::Seat)
}

/// Whether two states are equal apart from tokens and sealed moves, which only servers know.
pub(crate) fn is_same(one: &TableState, other: &TableState) -> bool {
    let numbers = |state: &TableState| (state.version(), state.round(), state.ply(), state.at());
    let seats = || [Seat::FIRST, Seat::SECOND].into_iter();
    let sits = |seat: Seat| public_seat(one, seat) == public_seat(other, seat);
    numbers(one) == numbers(other)
        && one.position() == other.position()
        && one.losers() == other.losers()
        && one.history() == other.history()
        && one.deadline() == other.deadline()
        && one.takeback() == other.takeback()
        && seats().all(sits)
}

/// The public information about a seat.
fn public_seat(state: &TableState, seat: Seat) -> (Option<(&PlayerName, bool, u64)>, bool) {
    let occupant =
        state.occupant(seat).map(|occupant| (&occupant.name, occupant.is_here, occupant.since));
    (occupant, state.has_sealed(seat))
}
