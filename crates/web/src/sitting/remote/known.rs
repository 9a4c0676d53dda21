//! What a page knows of a table on a server.

use game::{AnyGame, Game, MoveExplanation, Seat};
use serde::Deserialize;
use table::wire::PROTOCOL;
use table::{Entry, EntryBody, FoldError, Replica, RolledBack, Snapshot, State, Update};

use super::Trouble;
use crate::sitting::Told;
use crate::words;

/// What is known of the table, once the server has said so.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) replica: Replica,
    pub(super) epoch: String,
    pub(super) own: Vec<Seat>,
    pub(super) reasons: Vec<(u32, MoveExplanation)>,
    /// The first own deed that waits, in words.
    pub(super) underway: Option<String>,
}

/// What this page reads of a [`table::wire::Welcome`]: the table itself follows from the entries.
#[derive(Debug, Deserialize)]
pub(super) struct Welcome {
    protocol: u32,
    epoch: String,
    #[serde(default)]
    seat: Option<Seat>,
    /// What the clock of the server says.
    #[serde(default)]
    pub(super) now: Option<u64>,
    pub(super) version: u64,
    view: View,
    #[serde(default)]
    pub(super) start: Option<Snapshot>,
    pub(super) entries: Vec<Entry>,
}

/// What this page reads of a [`table::TableView`].
#[derive(Debug, Deserialize)]
struct View {
    game: String,
}

/// What this page reads of [`table::wire::Entries`].
#[derive(Debug, Deserialize)]
pub(super) struct Entries {
    pub(super) entries: Vec<Entry>,
}

impl Welcome {
    /// Whether this page and the server speak the same way.
    pub(super) const fn is_understood(&self) -> bool {
        self.protocol == PROTOCOL
    }

    /// The game of the table, if this page can show it.
    pub(super) fn game(&self) -> Result<AnyGame, Trouble> {
        let game = games::catalog::game(&self.view.game).ok().filter(|game| !game.hides());
        game.ok_or_else(|| Trouble::UnknownGame(self.view.game.clone()))
    }

    /// How the table stands that stood like this at first.
    fn state(&self, game: AnyGame, start: &Snapshot) -> Result<State, Trouble> {
        let mut state = State::restore(game, start)?;
        self.entries.iter().try_for_each(|entry| state.fold(entry))?;
        Ok(state)
    }
}

impl From<FoldError> for Trouble {
    fn from(_cannot_be: FoldError) -> Self {
        Self::Nonsense
    }
}

impl Known {
    /// A table of which the server has told for the first time.
    pub(super) fn new(welcome: &Welcome, start: &Snapshot) -> Result<Self, Trouble> {
        let state = welcome.state(welcome.game()?, start)?;
        let mut known = Self {
            replica: Replica::new(state, welcome.seat),
            epoch: String::new(),
            own: Vec::new(),
            reasons: Vec::new(),
            underway: None,
        };
        known.note(welcome);
        Ok(known)
    }

    /// The server has told how the table stands, from the beginning; gives what is taken back.
    pub(super) fn start_over(
        &mut self,
        welcome: &Welcome,
        start: &Snapshot,
    ) -> Result<Vec<RolledBack>, Trouble> {
        let confirmed = self.replica.confirmed();
        let state = welcome.state(confirmed.game().clone(), start)?;
        let mut rolled_back = if self.epoch == welcome.epoch {
            // An answer that was slower than later news.
            if state.version() < confirmed.version() {
                return Ok(Vec::new());
            }
            self.replica.resync(state)
        } else {
            self.replica.restart(state)
        };
        rolled_back.extend(self.note(welcome));
        Ok(rolled_back)
    }

    fn note(&mut self, welcome: &Welcome) -> Vec<RolledBack> {
        self.epoch.clone_from(&welcome.epoch);
        self.reasons.clear();
        self.reasons.extend(welcome.entries.iter().filter_map(reason));
        self.sit(welcome)
    }

    /// The person has the seat that the server says; gives what is taken back.
    pub(super) fn sit(&mut self, welcome: &Welcome) -> Vec<RolledBack> {
        self.own = welcome.seat.into_iter().collect();
        self.replica.seated(welcome.seat)
    }

    /// Takes in entries, and what is to be told of them; gives whether some are missing before them.
    pub(super) fn take_in(
        &mut self,
        entries: &[Entry],
        told: &mut Vec<Told>,
    ) -> Result<bool, Trouble> {
        let mut state = self.replica.confirmed().clone();
        let known = state.version();
        let fresh = &entries[entries.partition_point(|entry| entry.version <= known)..];
        let rolled_back = match self.replica.receive(fresh)? {
            Update::Gap { .. } => return Ok(true),
            Update::Folded { rolled_back, .. } => rolled_back,
        };
        for entry in fresh {
            let earlier = state.clone();
            state.fold(entry)?;
            if state.round() != earlier.round() {
                self.reasons.clear();
            }
            self.reasons.extend(reason(entry));
            let happened = words::happened(&earlier, &state, entry, &self.own);
            told.extend(happened.map(Told::Happened));
        }
        told.extend(rolled_back.into_iter().map(Told::from));
        Ok(false)
    }

    /// Notes which of the own deeds waits.
    pub(super) fn note_underway(&mut self) {
        let mut waiting = self.replica.pending().filter(|pending| pending.withdrawn.is_none());
        self.underway = waiting.next().map(|pending| words::underway(&pending.action.body));
    }
}

impl From<RolledBack> for Told {
    fn from(rolled_back: RolledBack) -> Self {
        Self::Refused(rolled_back.refusal)
    }
}

fn reason(entry: &Entry) -> Option<(u32, MoveExplanation)> {
    match &entry.body {
        EntryBody::Played { ply, explanation: Some(explanation), .. } => {
            Some((*ply, MoveExplanation::clone(explanation)))
        }
        _ => None,
    }
}
