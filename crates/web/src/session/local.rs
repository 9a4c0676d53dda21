//! A table in this browser: against the computer, or two people on one screen.

use game::{AnyGame, MoveExplanation, Refusal, Seat};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use table::{
    Action, ActionId, Actor, Author, Decision, Entry, EntryBody, FoldError, Options, PlayerName,
    TableSecret, TableSnapshot, TableState, automatic_entries, decide,
};

use super::{
    Intent, Now, SessionRecord, SessionView, SocketCommand, TableNotice, TableSession, Wake,
};
use crate::texts;

/// A session whose table is in this browser.
#[derive(Debug)]
pub struct LocalSession {
    state: TableState,
    saved: SavedTable,
    own_seats: Vec<Seat>,
    explanations: Vec<(u32, MoveExplanation)>,
    notices: Vec<TableNotice>,
    action_count: u64,
    /// Whether chance or the computer may have something to do.
    may_go_on: bool,
}

/// A table as the browser stores it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedTable {
    #[serde(deserialize_with = "read_secret")]
    secret: [u8; 32],
    /// The table at the beginning of the round.
    start: TableSnapshot,
    /// The entries since then.
    entries: Vec<Entry>,
}

// The derived code for arrays is unrolled, which makes the page larger.
fn read_secret<'de, D: Deserializer<'de>>(from: D) -> Result<[u8; 32], D::Error> {
    let bytes: Vec<u8> = Vec::deserialize(from)?;
    bytes.try_into().map_err(|_wrong| D::Error::custom("a secret has 32 bytes"))
}

impl SavedTable {
    /// The options that the table was created with.
    #[must_use]
    pub const fn options(&self) -> &Options {
        &self.start.options
    }
}

impl LocalSession {
    /// Creates a table. The person plays each seat that has no computer player.
    ///
    /// # Errors
    /// If a computer player cannot play this game.
    ///
    /// # Panics
    /// Never: a new table accepts everybody.
    pub fn new(
        game: AnyGame,
        options: Options,
        secret: [u8; 32],
        now: Now,
    ) -> Result<Self, table::AutomaticError> {
        table::can_play(&game, &options)?;
        let commitment = TableSecret::new(secret).commitment();
        let created =
            EntryBody::Created { game: game::Game::name(&game), rules: 1, options, commitment };
        let first = Entry::new(1, now.since_1970, Author::Table, created);
        let state = TableState::begin(game, &first).expect("the first entry creates a table");
        let start = state.snapshot().expect("a new table is at the start of a round");
        let mut session = Self::with(state, SavedTable { secret, start, entries: Vec::new() });
        for seat in session.own_seats.clone() {
            let name = match session.own_seats.len() {
                1 => "You",
                _ => texts::symbol(&session.state, seat),
            };
            let name = PlayerName::new(name).expect("the name is short");
            let joined = EntryBody::Joined { seat, name, token: None };
            session.append(Author::Seat(seat), joined, now);
        }
        session.notices.clear();
        Ok(session)
    }

    /// Restores a stored table; `None` if it is not readable any more.
    #[must_use]
    pub fn restore(game: AnyGame, saved: SavedTable) -> Option<Self> {
        let state = TableState::restore(game, &saved.start).ok()?;
        let SavedTable { secret, start, entries } = saved;
        let mut session = Self::with(state, SavedTable { secret, start, entries: Vec::new() });
        for entry in entries {
            session.fold(entry).ok()?;
        }
        session.notices.clear();
        Some(session)
    }

    fn with(state: TableState, saved: SavedTable) -> Self {
        let seats = game::all_seats(state.game());
        let own_seats = seats.iter().filter(|seat| state.level(*seat).is_none()).collect();
        Self {
            state,
            saved,
            own_seats,
            explanations: Vec::new(),
            notices: Vec::new(),
            action_count: 0,
            may_go_on: true,
        }
    }

    fn append(&mut self, author: Author, body: EntryBody, now: Now) {
        let at = now.since_1970.max(self.state.at());
        let entry = Entry::new(self.state.version() + 1, at, author, body);
        self.fold(entry).expect("the table has decided this entry");
    }

    fn fold(&mut self, entry: Entry) -> Result<(), FoldError> {
        let news = texts::news(&self.state, &entry, &self.own_seats);
        self.state.fold(&entry)?;
        self.notices.extend(news.map(TableNotice::News));
        if let EntryBody::Played { ply, explanation: Some(explanation), .. } = &entry.body {
            self.explanations.push((*ply, MoveExplanation::clone(explanation)));
        }
        match self.state.snapshot() {
            // A new round needs nothing of the one before.
            Some(start) => {
                self.saved.start = start;
                self.saved.entries.clear();
                self.explanations.clear();
            }
            None => self.saved.entries.push(entry),
        }
        Ok(())
    }
}

impl TableSession for LocalSession {
    fn view(&self) -> Option<SessionView<'_>> {
        Some(SessionView {
            shown: &self.state,
            confirmed: &self.state,
            own_seats: &self.own_seats,
            pending: None,
            is_delayed: false,
            explanations: &self.explanations,
            connected: None,
            is_connected: true,
        })
    }

    fn act(&mut self, intent: Intent, now: Now) -> Result<Vec<SocketCommand>, Refusal> {
        let acting = self.view().and_then(|view| Some((view.acting_seat()?, view.action(intent))));
        let Some((seat, body)) = acting else { return Ok(Vec::new()) };
        self.action_count += 1;
        let id = ActionId::new("local", self.action_count).expect("the id is valid");
        let decision = decide(&self.state, &Action { id, body }, Actor::Seat(seat))?;
        if let Decision::Append(bodies) = decision {
            for body in bodies {
                self.append(Author::Seat(seat), body, now);
            }
        }
        self.may_go_on = true;
        Ok(Vec::new())
    }

    /// Lets chance and the computer do what they do next.
    fn tick(&mut self, now: Now) -> Vec<SocketCommand> {
        let secret = TableSecret::new(self.saved.secret);
        // A computer player that fails leaves the table as it is.
        let entries = automatic_entries(&self.state, &secret, now.since_1970).unwrap_or_default();
        self.may_go_on = !entries.is_empty();
        for entry in entries {
            self.fold(entry).expect("automatic entries follow from the state");
        }
        Vec::new()
    }

    fn wake(&self) -> Option<Wake> {
        self.may_go_on.then_some(Wake::NextFrame)
    }

    fn take_notices(&mut self) -> Vec<TableNotice> {
        std::mem::take(&mut self.notices)
    }

    fn record(&self) -> Option<SessionRecord> {
        Some(SessionRecord::Local(self.saved.clone()))
    }
}
