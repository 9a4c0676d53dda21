//! A table in this browser: against the computer, or two people on one screen.

mod saved;

use game::{AnyGame, Ply, Refusal, Seat};
use table::{
    Action, ActionBody, ActionId, Actor, Author, Decision, Entry, EntryBody, FoldError, Options,
    PlayerName, TableSecret, TableState, automatic_entries, awaited_computer, decide,
};

use super::finished_round::RoundHold;
use super::round_explanations::RoundExplanations;
use super::{
    FinishedRound, Intent, Now, RoundEnding, SessionRecord, SessionView, SocketCommand,
    TableNotice, TableSession, Wake,
};
use crate::replay::{GameReplay, ReplayPly};
use crate::searching::SearchRequest;
use crate::texts;

pub use self::saved::SavedTable;

/// A session whose table is in this browser.
#[derive(Debug)]
pub struct LocalSession {
    state: TableState,
    saved: SavedTable,
    own_seats: Vec<Seat>,
    explanations: RoundExplanations,
    notices: Vec<TableNotice>,
    hold: RoundHold,
    action_count: u64,
    /// Whether chance or the computer may have something to do.
    may_go_on: bool,
    /// The milliseconds that the computer waits before each of its moves.
    pace: u64,
    /// When the computer may move, on the monotonic clock.
    ready_at: u64,
    /// What a worker must search for.
    search: Option<SearchRequest>,
    /// Whether nothing is stored: the table is looked at, or tried out.
    is_replay: bool,
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
        session.hold = RoundHold::default();
        Some(session)
    }

    fn with(state: TableState, saved: SavedTable) -> Self {
        let seats = game::all_seats(state.game());
        let own_seats = seats.iter().filter(|seat| state.level(*seat).is_none()).collect();
        Self {
            state,
            saved,
            own_seats,
            explanations: RoundExplanations::default(),
            notices: Vec::new(),
            hold: RoundHold::default(),
            action_count: 0,
            may_go_on: true,
            pace: 0,
            ready_at: 0,
            search: None,
            is_replay: false,
        }
    }

    /// A session that shows a game again. Nobody plays, and nothing is stored.
    ///
    /// # Errors
    /// If the table does not accept a ply, which the rules of the game have accepted.
    ///
    /// # Panics
    /// Never: people can play every game.
    pub fn replay(replay: &GameReplay) -> Result<Self, FoldError> {
        let people = Options::default();
        let session = Self::new(replay.game().clone(), people, [0; 32], Now::default());
        let mut session = session.expect("people can play every game");
        for ply in replay.plies() {
            for (author, body) in entries_of(ply, session.state.round(), session.state.ply()) {
                let version = session.state.version() + 1;
                session.fold(Entry::new(version, 0, author, body))?;
            }
        }
        session.own_seats.clear();
        session.notices.clear();
        Ok(Self { is_replay: true, may_go_on: false, ..session })
    }

    /// A session that goes on from the end of a game: the person plays the seat in turn, and a computer
    /// player the others. It is not stored. `None` if no single seat is in turn, or the player cannot play.
    #[must_use]
    pub fn go_on(replay: &GameReplay, level: &str) -> Option<Self> {
        let shown = Self::replay(replay).ok()?;
        let turn = shown.state.turn();
        let mut in_turn = turn.iter().filter(|_| shown.state.outcome().is_none());
        let (Some(own), None) = (in_turn.next(), in_turn.next()) else { return None };
        let seats = game::all_seats(replay.game());
        let computers = seats.iter().map(|seat| (seat != own).then(|| level.to_owned())).collect();
        let options = Options { computers, ..Options::default() };
        let session = Self::new(replay.game().clone(), options, [0; 32], Now::default());
        let mut session = session.ok()?;
        for ply in replay.plies() {
            for (author, body) in entries_of(ply, session.state.round(), session.state.ply()) {
                let version = session.state.version() + 1;
                session.fold(Entry::new(version, 0, author, body)).ok()?;
            }
        }
        session.notices.clear();
        Some(Self { is_replay: true, ..session })
    }

    /// A table at which one person plays all seats, to see what moves are worth. It is not stored.
    ///
    /// # Panics
    /// Never: people can play every game.
    #[must_use]
    pub fn analysis(game: AnyGame, secret: [u8; 32], now: Now) -> Self {
        let session = Self::new(game, Options::default(), secret, now);
        Self { is_replay: true, ..session.expect("people can play every game") }
    }

    /// The same session with a computer that waits a moment before each of its moves, in milliseconds.
    #[must_use]
    pub fn with_pace(self, pace: u64) -> Self {
        Self { pace, ..self }
    }

    /// Whether a worker must search for one of the computer players.
    #[must_use]
    pub fn needs_worker(&self) -> bool {
        let seats = game::all_seats(self.state.game());
        let mut levels = seats.iter().filter_map(|seat| self.state.level(seat));
        levels.any(|level| self.state.game().lacks_search_for(level))
    }

    /// What chance or the computer does next. A computer player that fails leaves the table as it is.
    #[must_use]
    pub fn next_entries(&self, now: Now) -> Vec<Entry> {
        let secret = TableSecret::new(self.saved.secret);
        automatic_entries(&self.state, &secret, now.since_1970).unwrap_or_default()
    }

    /// People who share a screen agree without the page.
    fn grant_on_shared_screen(&mut self, now: Now) {
        let asker = self.state.takeback();
        let other = asker.and_then(|asker| self.own_seats.iter().find(|seat| **seat != asker));
        let Some(seat) = other.copied() else { return };
        let (round, ply) = (self.state.round(), self.state.ply());
        let id = ActionId::new("local", 0).expect("the id is valid");
        let grant = Action { id, body: ActionBody::GrantTakeback { round, ply } };
        if let Ok(Decision::Append(bodies)) = decide(&self.state, &grant, Actor::Seat(seat)) {
            for body in bodies {
                self.append(Author::Seat(seat), body, now);
            }
        }
    }

    fn append(&mut self, author: Author, body: EntryBody, now: Now) {
        let at = now.since_1970.max(self.state.at());
        let entry = Entry::new(self.state.version() + 1, at, author, body);
        self.fold(entry).expect("the table has decided this entry");
    }

    fn fold(&mut self, entry: Entry) -> Result<(), FoldError> {
        let news = texts::news(&self.state, &entry, &self.own_seats);
        let ending = RoundEnding::of(&entry.body, entry.seat());
        // A person who resigns sees the board until they go on. A person who starts the next round after
        // a decided one has seen it.
        let resigned = ending.filter(|ending| ending.loser().is_some());
        let finished = resigned.map(|ending| FinishedRound {
            state: self.state.clone(),
            ending,
            explanations: self.explanations.known().to_vec(),
            until: None,
        });
        self.state.fold(&entry)?;
        match finished {
            Some(finished) => self.hold.show(finished),
            None => self.notices.extend(news.map(TableNotice::News)),
        }
        self.explanations.note(&entry.body);
        match self.state.snapshot() {
            // A new round needs nothing of the one before.
            Some(start) => {
                self.saved.start = start;
                self.saved.entries.clear();
            }
            None => self.saved.entries.push(entry),
        }
        Ok(())
    }
}

/// The entries of a ply at a table where everybody plays their own seat of the game.
fn entries_of(happening: &ReplayPly, round: u32, ply: u32) -> Vec<(Author, EntryBody)> {
    let moves = match happening {
        Ply::Chance(drawn) => {
            let drawn = drawn.clone();
            return vec![(Author::Table, EntryBody::Chance { round, ply, drawn })];
        }
        Ply::Moves(moves) => moves,
    };
    if let [(seat, chosen)] = moves.as_slice() {
        let (seat, chosen) = (*seat, chosen.clone());
        let played = EntryBody::Played { seat, round, ply, chosen, explanation: None };
        return vec![(Author::Seat(seat), played)];
    }
    let sealed = moves.iter().map(|(seat, chosen)| {
        let chosen = Some(chosen.clone());
        (Author::Seat(*seat), EntryBody::Sealed { seat: *seat, round, ply, chosen })
    });
    let revealed = EntryBody::Revealed { round, ply, moves: moves.clone() };
    sealed.chain([(Author::Table, revealed)]).collect()
}

impl TableSession for LocalSession {
    fn view(&self) -> Option<SessionView<'_>> {
        let view = SessionView {
            shown: &self.state,
            confirmed: &self.state,
            own_seats: &self.own_seats,
            pending: None,
            is_delayed: false,
            explanations: self.explanations.known(),
            connected: None,
            is_connected: true,
            claim_after: None,
            ending: None,
        };
        Some(view.held_at(self.hold.finished()))
    }

    fn act(&mut self, intent: Intent, now: Now) -> Result<Vec<SocketCommand>, Refusal> {
        if self.hold.go_on() {
            return Ok(Vec::new());
        }
        let seat_and_action =
            |view: SessionView<'_>| Some((view.seat_for(&intent)?, view.action(intent.clone())));
        let acting = self.view().and_then(seat_and_action);
        let Some((seat, body)) = acting else { return Ok(Vec::new()) };
        self.action_count += 1;
        let id = ActionId::new("local", self.action_count).expect("the id is valid");
        let decision = decide(&self.state, &Action { id, body }, Actor::Seat(seat))?;
        if let Decision::Append(bodies) = decision {
            for body in bodies {
                self.append(Author::Seat(seat), body, now);
            }
        }
        self.grant_on_shared_screen(now);
        self.may_go_on = true;
        self.ready_at = now.monotonic + self.pace;
        Ok(Vec::new())
    }

    /// Lets chance and the computer do what they do next.
    fn tick(&mut self, now: Now) -> Vec<SocketCommand> {
        // A computer that is asked to let a move be taken back needs no search for its answer.
        let computer = awaited_computer(&self.state).filter(|_| self.state.takeback().is_none());
        if computer.is_some_and(|(_, level)| self.state.game().lacks_search_for(level)) {
            let (table, now) = (self.saved.clone(), now.since_1970);
            self.search = Some(SearchRequest::Turn { table, now });
            self.may_go_on = false;
            return Vec::new();
        }
        let entries = self.next_entries(now);
        self.may_go_on = !entries.is_empty();
        self.ready_at = now.monotonic + self.pace;
        for entry in entries {
            self.fold(entry).expect("automatic entries follow from the state");
        }
        Vec::new()
    }

    fn take_search(&mut self) -> Option<SearchRequest> {
        self.search.take()
    }

    fn found(&mut self, entries: Vec<Entry>, now: Now) -> Vec<SocketCommand> {
        // The person may have resigned meanwhile: then the move is not needed any more.
        let next = self.state.version() + 1;
        if entries.first().is_none_or(|entry| entry.version != next) {
            return Vec::new();
        }
        self.may_go_on = true;
        self.ready_at = now.monotonic + self.pace;
        for entry in entries {
            if self.fold(entry).is_err() {
                break;
            }
        }
        Vec::new()
    }

    fn wake(&self) -> Option<Wake> {
        // The computer waits until the person has seen how the round ended.
        let is_due = self.may_go_on && self.hold.finished().is_none();
        let wake = if self.ready_at > 0 && self.pace > 0 {
            Wake::At(self.ready_at)
        } else {
            Wake::NextFrame
        };
        is_due.then_some(wake)
    }

    fn take_notices(&mut self) -> Vec<TableNotice> {
        std::mem::take(&mut self.notices)
    }

    fn record(&self) -> Option<SessionRecord> {
        (!self.is_replay).then(|| SessionRecord::Local(self.saved.clone()))
    }
}
