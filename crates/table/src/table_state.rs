//! How a table stands.

use std::collections::VecDeque;

use game::{
    AnyGame, AnyPosition, Game, Outcome, PlayerKind as Level, Ply, Seat, Seats, Text, all_seats,
};
use serde::Serialize;

use crate::action::ActionId;
use crate::digest::Digest;
use crate::entry::{Author, Entry, EntryBody, Options};
use crate::fields::{Fielded, Fields, deserialize_fielded};
use crate::player_name::PlayerName;
use crate::table_snapshot::TableSnapshot;

mod clocks;
mod folding;
mod validation;

pub(crate) use self::folding::PreparedEntry;

/// How a table stands after all entries so far: nothing but folding them changes it.
#[derive(Clone, Debug)]
pub struct TableState {
    pub(crate) game: AnyGame,
    /// Which rules of the game were known when the table was created.
    rules: u32,
    pub(crate) options: Options,
    pub(crate) occupants: Vec<Option<Occupant>>,
    /// Counted from 1, also before all have joined.
    round: u32,
    /// How many moves and draws there were in this round.
    pub(crate) ply: u32,
    pub(crate) position: AnyPosition,
    pub(crate) sealed: Vec<(Seat, Option<Text>)>,
    /// What was chosen and drawn in this round, by the seats of the game.
    history: Vec<Ply<Text, Text>>,
    /// The computer players.
    levels: Vec<Option<Level>>,
    /// Who lost each round that is over; nobody where it was a tie.
    pub(crate) losers: Vec<Option<Seat>>,
    version: u64,
    at: u64,
    /// When the turn began, or the clocks.
    since: u64,
    /// Whether a person has moved in this round: then the clocks run.
    has_begun: bool,
    /// How long each seat has thought in this round, the turn that goes on not included.
    thought: Vec<u64>,
    /// The last actions.
    recent: VecDeque<RecentAction>,
}

/// A seat that somebody has taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Occupant {
    /// What the player is called.
    pub name: PlayerName,
    /// What stands for its token; nothing at a client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token: Option<Digest>,
    /// Whether the player is at the table.
    pub is_here: bool,
    /// The version at which it came, or went.
    pub since: u64,
}

/// An action that is in the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecentAction {
    /// What its client calls it.
    pub id: ActionId,
    /// Where it is.
    pub version: u64,
    /// Whose it was.
    pub seat: Option<Seat>,
}

deserialize_fielded!(Occupant, RecentAction);

impl Fielded for Occupant {
    const EXPECTED: &'static str = "a seat that somebody has taken";
    const NAMES: &'static [&'static str] = &["name", "token", "is_here", "since"];

    fn of(fields: &mut Fields) -> Result<Self, serde_json::Error> {
        Ok(Self {
            name: fields.take("name")?,
            token: fields.take_any("token")?,
            is_here: fields.take("is_here")?,
            since: fields.take("since")?,
        })
    }
}

impl Fielded for RecentAction {
    const EXPECTED: &'static str = "an action that is in the log";
    const NAMES: &'static [&'static str] = &["id", "version", "seat"];

    fn of(fields: &mut Fields) -> Result<Self, serde_json::Error> {
        Ok(Self {
            id: fields.take("id")?,
            version: fields.take("version")?,
            seat: fields.take_any("seat")?,
        })
    }
}

/// Why an entry does not follow from those before it. The state is as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FoldError {
    /// It is another line of the log.
    #[error("entry {found} was given where entry {expected} was expected")]
    Version {
        /// What was expected.
        expected: u64,
        /// What was given.
        found: u64,
    },
    /// It was written before its predecessor.
    #[error("entry {version} was written before entry {}", version - 1)]
    Time {
        /// Which entry.
        version: u64,
    },
    /// The log does not begin with a table, or there is a second one.
    #[error("entry {version} does not stand where it should: a log begins with one created table")]
    Beginning {
        /// Which entry.
        version: u64,
    },
    /// The game of the table is not this one.
    #[error("entry 1 is of {found}, and not of {expected}")]
    AnotherGame {
        /// The name of the game that was given.
        expected: String,
        /// The name in the entry.
        found: String,
    },
    /// It says what could not happen.
    #[error("entry {version} cannot have happened: {why}")]
    Impossible {
        /// Which entry.
        version: u64,
        /// Why not.
        why: String,
    },
}

/// How many rounds a table has at most, and how many moves and draws a round: what is kept and sent
/// of a table stays small.
pub(crate) const MAX_ROUNDS: u32 = 1_000;
pub(crate) const MAX_PLIES: u32 = 4_096;

/// Up to which version the log says who leaves.
pub(crate) const MAX_LOGGED_LEAVES: u64 = 10_000;

/// How many actions are remembered by their ids: the last one of every client that waits for an
/// answer is among them, as a client sends one at a time. Others are found in the journal.
pub(crate) const MAX_RECENT_ACTIONS: usize = 8;

impl TableState {
    /// The state after the first entry, which creates a table for this game.
    ///
    /// # Errors
    /// If the entry does not.
    pub fn begin(game: AnyGame, first: &Entry) -> Result<Self, FoldError> {
        let version = first.version;
        let EntryBody::Created { game: name, rules, options, .. } = &first.body else {
            return Err(FoldError::Beginning { version });
        };
        if version != 1 {
            return Err(FoldError::Version { expected: 1, found: version });
        }
        if *name != game.name() {
            let (expected, found) = (game.name(), name.clone());
            return Err(FoldError::AnotherGame { expected, found });
        }
        let occupants = vec![None; game.seats().len()];
        let thought = vec![0; occupants.len()];
        let levels = levels(options, occupants.len())
            .map_err(|why| FoldError::Impossible { version, why })?;
        let mut state = Self {
            position: game.start(),
            game,
            rules: *rules,
            options: options.clone(),
            occupants,
            round: 1,
            ply: 0,
            sealed: Vec::new(),
            history: Vec::new(),
            levels,
            losers: Vec::new(),
            version,
            at: first.at,
            since: first.at,
            has_begun: false,
            thought,
            recent: VecDeque::new(),
        };
        state.remember(first);
        Ok(state)
    }

    /// How the table stands, if a round has just begun: see [`TableSnapshot`].
    #[must_use]
    pub fn snapshot(&self) -> Option<TableSnapshot> {
        self.is_at_round_start().then(|| TableSnapshot {
            format: TableSnapshot::FORMAT,
            version: self.version,
            at: self.at,
            game: self.game.name(),
            rules: self.rules,
            options: self.options.clone(),
            occupants: self.occupants.clone(),
            losers: self.losers.clone(),
            recent: self.recent.iter().cloned().collect(),
        })
    }

    pub(crate) fn is_at_round_start(&self) -> bool {
        self.ply == 0 && self.sealed.is_empty()
    }

    /// The state of which this is the snapshot.
    ///
    /// # Errors
    /// If there can be no such state of this game.
    pub fn restore(game: AnyGame, snapshot: &TableSnapshot) -> Result<Self, FoldError> {
        let version = snapshot.version;
        let body = EntryBody::Created {
            game: snapshot.game.clone(),
            rules: snapshot.rules,
            options: snapshot.options.clone(),
            commitment: Digest::of(b""),
        };
        let mut state = Self::begin(game, &Entry::new(1, snapshot.at, Author::Table, body))?;
        let seats = state.occupants.len();
        snapshot.is_sound(seats).map_err(|why| FoldError::Impossible { version, why })?;
        state.round = u32::try_from(snapshot.losers.len()).unwrap_or(u32::MAX).saturating_add(1);
        state.losers.clone_from(&snapshot.losers);
        state.occupants.clone_from(&snapshot.occupants);
        state.recent = snapshot.recent.iter().cloned().collect();
        state.version = version;
        Ok(state)
    }

    /// The state after all of these entries, the first of which creates the table: how it stood at
    /// any version follows from so many of them.
    ///
    /// # Errors
    /// If one of them does not follow from those before it.
    pub fn after(game: AnyGame, entries: &[Entry]) -> Result<Self, FoldError> {
        let (first, rest) = entries.split_first().ok_or(FoldError::Beginning { version: 1 })?;
        let mut state = Self::begin(game, first)?;
        rest.iter().try_for_each(|entry| state.fold(entry))?;
        Ok(state)
    }

    /// What is remembered of an action, if it is one of the last.
    pub(crate) fn recent(&self, id: &ActionId) -> Option<&RecentAction> {
        self.recent.iter().find(|known| known.id == *id)
    }

    /// Where in the log an action is, if it is one of the last.
    #[must_use]
    pub fn version_of(&self, id: &ActionId) -> Option<u64> {
        self.recent(id).map(|known| known.version)
    }

    /// The seat of the game that a seat of the table plays in this round.
    #[must_use]
    pub fn in_game(&self, seat: Seat) -> Seat {
        self.shifted(seat, self.occupants.len() - self.shift())
    }

    /// The seat of the table that plays a seat of the game in this round.
    #[must_use]
    pub fn at_table(&self, seat: Seat) -> Seat {
        self.shifted(seat, self.shift())
    }

    /// How far the seats have moved on since the first round.
    fn shift(&self) -> usize {
        if !self.options.alternate {
            return 0;
        }
        let rounds = usize::try_from(self.round - 1).unwrap_or(0);
        rounds % self.occupants.len()
    }

    fn shifted(&self, seat: Seat, by: usize) -> Seat {
        if seat.index() >= self.occupants.len() {
            return seat;
        }
        let number = (seat.index() + by) % self.occupants.len();
        u8::try_from(number).ok().and_then(Seat::new).expect("it is one of the seats")
    }

    /// How the round was decided, if it was: by the game, or as a tie because it has had all the moves
    /// and draws that a round has. Otherwise who waits for chance or for a computer player then would
    /// wait for ever.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        let decided = self.game.turn(&self.position).outcome();
        let nobody = || Outcome::scored(&vec![0; self.occupants.len()]);
        decided.or_else(|| (self.ply >= MAX_PLIES).then(nobody))
    }

    /// The seat of the table that did worse than every other one.
    pub(crate) fn loser(&self, outcome: &Outcome) -> Option<Seat> {
        let worst = outcome.scores().iter().min()?;
        let mut seats = all_seats(&self.game).iter().filter(|seat| outcome.score(*seat) == *worst);
        let loser = seats.next()?;
        if seats.next().is_some() { None } else { Some(self.at_table(loser)) }
    }

    /// Whose turn it is: who must choose or, once the round is decided, who must acknowledge it.
    #[must_use]
    pub fn turn(&self) -> Seats {
        let Some(outcome) = self.outcome() else {
            let seats = self.game.turn(&self.position).seats();
            return seats.iter().map(|seat| self.at_table(seat)).collect();
        };
        self.loser(&outcome).map_or_else(|| self.after_the_last(), Seats::one)
    }

    /// Who would move next if the round went on, as far as seats alternate.
    fn after_the_last(&self) -> Seats {
        let next = usize::try_from(self.ply).unwrap_or(0) % self.occupants.len();
        let next = u8::try_from(next).ok().and_then(Seat::new).expect("it is one of the seats");
        Seats::one(self.at_table(next))
    }

    /// What seats have chosen that others must not know yet.
    pub(crate) fn sealed(&self) -> &[(Seat, Option<Text>)] {
        &self.sealed
    }

    /// What was chosen and drawn in this round, by the seats of the game.
    #[must_use]
    pub fn history(&self) -> &[Ply<Text, Text>] {
        &self.history
    }

    /// The computer player of a seat, if it has one.
    #[must_use]
    pub fn level(&self, seat: Seat) -> Option<&Level> {
        self.levels.get(seat.index())?.as_ref()
    }

    /// Whether somebody can take a seat: nobody has, and no computer player plays there.
    #[must_use]
    pub fn is_free(&self, seat: Seat) -> bool {
        self.occupant(seat).is_none() && self.level(seat).is_none()
    }

    /// Whether every seat is taken.
    #[must_use]
    pub fn is_full(&self) -> bool {
        all_seats(&self.game).iter().all(|seat| !self.is_free(seat))
    }

    /// Whether a seat has chosen and waits for the others.
    #[must_use]
    pub fn has_sealed(&self, seat: Seat) -> bool {
        self.sealed.iter().any(|(other, _)| *other == seat)
    }

    /// The game of this table.
    #[must_use]
    pub fn game(&self) -> &AnyGame {
        &self.game
    }

    /// The position of the round.
    #[must_use]
    pub fn position(&self) -> &AnyPosition {
        &self.position
    }

    /// The round, counted from 1; 0 as long as somebody is missing. So nothing that was refused because
    /// somebody was missing is legal later.
    #[must_use]
    pub fn round(&self) -> u32 {
        if self.is_full() { self.round } else { 0 }
    }

    /// How many moves and draws there were in this round.
    #[must_use]
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// The loser of every round that is over, in order; `None` for a tie. A round is over once
    /// somebody has acknowledged how it was decided.
    #[must_use]
    pub fn losers(&self) -> &[Option<Seat>] {
        &self.losers
    }

    /// The number of rounds that a seat has won: those that one other seat has lost. The current
    /// round counts as soon as it is decided.
    #[must_use]
    pub fn wins(&self, seat: Seat) -> usize {
        self.decided_losers().flatten().filter(|loser| *loser != seat).count()
    }

    /// The loser of every round that is decided, the current one included.
    fn decided_losers(&self) -> impl Iterator<Item = Option<Seat>> {
        let current = self.outcome().map(|outcome| self.loser(&outcome));
        self.losers.iter().copied().chain(current)
    }

    /// Who sits there.
    #[must_use]
    pub fn occupant(&self, seat: Seat) -> Option<&Occupant> {
        self.occupants.get(seat.index())?.as_ref()
    }

    /// The number of rounds that nobody has lost. The current round counts as soon as it is decided.
    #[must_use]
    pub fn ties(&self) -> usize {
        self.decided_losers().filter(Option::is_none).count()
    }

    /// Which rules of the game were known when the table was created.
    #[must_use]
    pub fn rules(&self) -> u32 {
        self.rules
    }

    /// Who holds a seat with this token, if somebody does.
    #[must_use]
    pub fn holder(&self, token: Digest) -> Option<Seat> {
        let holds = |seat: &Seat| {
            self.occupant(*seat).is_some_and(|occupant| occupant.token == Some(token))
        };
        all_seats(&self.game).iter().find(holds)
    }

    /// How many entries there are.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.version
    }

    /// When the last entry was written.
    #[must_use]
    pub fn at(&self) -> u64 {
        self.at
    }
}

/// The computer players that the options name.
fn levels(options: &Options, seats: usize) -> Result<Vec<Option<Level>>, String> {
    if options.computers.len() > seats {
        return Err(format!("there are {seats} seats, but more computer players"));
    }
    let read = |name: &Option<String>| name.as_deref().map(str::parse).transpose();
    let levels = options.computers.iter().map(read).collect::<Result<Vec<_>, _>>();
    levels.map_err(|error: game::UnknownPlayer| error.to_string())
}

/// What the seats chose, in the order of seats.
pub(crate) fn in_order_of_seats(
    moves: impl IntoIterator<Item = (Seat, Text)>,
) -> Vec<(Seat, Text)> {
    let mut ordered: Vec<(Seat, Text)> = Vec::new();
    for (seat, chosen) in moves {
        let place = ordered.partition_point(|(other, _)| *other <= seat);
        ordered.insert(place, (seat, chosen));
    }
    ordered
}
