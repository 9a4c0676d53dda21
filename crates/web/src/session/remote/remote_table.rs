//! A table on a server, as far as it is known here.

use game::{AnyGame, Game, Seat};
use table::wire::{GameName, PROTOCOL, Welcome};
use table::{ActionBody, Entry, FoldError, Replica, RolledBack, TableState, Update};

use crate::session::finished_round::RoundHold;
use crate::session::round_explanations::RoundExplanations;
use crate::session::{FinishedRound, HOLD_TIME, Now, RoundEnding, SessionError, TableNotice};
use crate::texts;

/// A table on a server, as far as it is known here.
#[derive(Debug)]
pub(super) struct RemoteTable {
    pub(super) replica: Replica,
    /// The name of the log that the replica follows.
    pub(super) epoch: String,
    pub(super) own_seats: Vec<Seat>,
    /// The explanations of computer moves in this round.
    pub(super) explanations: RoundExplanations,
    /// The finished round that is shown, if there is one.
    pub(super) hold: RoundHold,
}

/// What became of entries from the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Received {
    /// All are folded.
    Folded,
    /// Some are missing before them.
    Gap,
}

impl RemoteTable {
    /// Updates what is known with the server's description of the table, and returns the own
    /// actions that it rolls back.
    pub(super) fn update(
        known: &mut Option<Self>,
        welcome: &Welcome<GameName>,
        notices: &mut Vec<TableNotice>,
        now: Now,
    ) -> Result<Vec<RolledBack>, SessionError> {
        if welcome.protocol != PROTOCOL {
            return Err(SessionError::OtherProtocol);
        }
        match (&welcome.start, known) {
            // A game that hides something has no start that a page could follow.
            (None, None) => Err(game(welcome).err().unwrap_or(SessionError::Unreadable)),
            (None, Some(table)) => {
                table.receive(&welcome.entries, notices, now)?;
                Ok(table.sit_down(welcome.seat))
            }
            (Some(_), Some(table)) => table.start_over(welcome),
            (Some(_), unknown) => {
                *unknown = Some(Self::new(welcome)?);
                Ok(Vec::new())
            }
        }
    }

    fn new(welcome: &Welcome<GameName>) -> Result<Self, SessionError> {
        let state = welcome.state(game(welcome)?)?;
        let mut table = Self {
            replica: Replica::new(state, welcome.seat),
            epoch: String::new(),
            own_seats: Vec::new(),
            explanations: RoundExplanations::default(),
            hold: RoundHold::default(),
        };
        table.follow(welcome);
        Ok(table)
    }

    fn start_over(&mut self, welcome: &Welcome<GameName>) -> Result<Vec<RolledBack>, SessionError> {
        let confirmed = self.replica.confirmed();
        let state = welcome.state(confirmed.game().clone())?;
        let mut rolled_back = if self.epoch == welcome.epoch {
            // This answer was slower than later entries.
            if state.version() < confirmed.version() {
                return Ok(Vec::new());
            }
            self.replica.resync(state)
        } else {
            self.replica.restart(state)
        };
        rolled_back.extend(self.follow(welcome));
        Ok(rolled_back)
    }

    fn follow(&mut self, welcome: &Welcome<GameName>) -> Vec<RolledBack> {
        self.epoch.clone_from(&welcome.epoch);
        self.hold = RoundHold::default();
        self.explanations = RoundExplanations::of(&welcome.entries);
        self.sit_down(welcome.seat)
    }

    /// Takes the seat that the server names, and returns the actions that this rolls back.
    fn sit_down(&mut self, seat: Option<Seat>) -> Vec<RolledBack> {
        self.own_seats = seat.into_iter().collect();
        self.replica.seated(seat)
    }

    /// Folds entries, each once, and writes notices about them.
    pub(super) fn receive(
        &mut self,
        entries: &[Entry],
        notices: &mut Vec<TableNotice>,
        now: Now,
    ) -> Result<Received, FoldError> {
        for entry in entries {
            if entry.version <= self.version() {
                continue;
            }
            let before = self.replica.confirmed();
            let news = texts::news(before, entry, &self.own_seats);
            let ending = RoundEnding::of(&entry.body, entry.seat());
            let is_own = |seat: &Seat| self.own_seats.contains(seat);
            let by_others = |ending: &RoundEnding| !matches!(ending, RoundEnding::Ready(Some(seat)) if is_own(seat));
            let finished =
                ending.filter(by_others).map(|ending| self.finished(before, ending, now));
            let rolled_back = match self.replica.receive(std::slice::from_ref(entry))? {
                Update::Gap { .. } => return Ok(Received::Gap),
                Update::Folded { rolled_back, .. } => rolled_back,
            };
            self.explanations.note(&entry.body);
            if let Some(finished) = finished {
                self.hold.show(finished);
            }
            self.hold.check(self.replica.provisional().round());
            // The screen says itself how a round ended.
            if self.hold.finished().is_none() {
                notices.extend(news.map(TableNotice::News));
            }
            notices.extend(rolled_back.into_iter().map(TableNotice::from));
        }
        Ok(Received::Folded)
    }

    fn finished(&self, before: &TableState, ending: RoundEnding, now: Now) -> FinishedRound {
        FinishedRound {
            state: before.clone(),
            ending,
            explanations: self.explanations.known().to_vec(),
            until: Some(now.monotonic + HOLD_TIME),
        }
    }

    /// Shows the round that the person ends until the person goes on.
    pub(super) fn hold_ended(&mut self, before: &TableState, ending: RoundEnding, now: Now) {
        let finished = self.finished(before, ending, now);
        self.hold.show(finished);
    }

    /// The last version that is known.
    pub(super) fn version(&self) -> u64 {
        self.replica.confirmed().version()
    }

    /// The first own action that is shown and not answered.
    pub(super) fn pending(&self) -> Option<&ActionBody> {
        let mut pending = self.replica.pending().filter(|pending| pending.withdrawn.is_none());
        pending.next().map(|pending| &pending.action.body)
    }
}

/// The game of a table, if this page can show it.
fn game(welcome: &Welcome<GameName>) -> Result<AnyGame, SessionError> {
    let name = &welcome.view.game;
    let game = games::catalog::game_without_searches(name).ok().filter(|game| !game.hides());
    game.ok_or_else(|| SessionError::UnsupportedGame(name.clone()))
}
