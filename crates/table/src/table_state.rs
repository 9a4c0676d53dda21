//! The state of a table.

use std::collections::VecDeque;

use game::{
    AnyGame, AnyPosition, Game, MoveText, Outcome, PlayerKind as Level, Ply, Seat, Seats, all_seats,
};
use serde::Serialize;

use crate::action::ActionId;
use crate::digest::Digest;
use crate::entry::{Author, Entry};
use crate::entry_body::EntryBody;
use crate::fields::{Fielded, Fields, deserialize_fielded};
use crate::player_name::PlayerName;
use crate::table_options::Options;
use crate::table_snapshot::TableSnapshot;

mod clocks;
mod folding;
mod takebacks;
mod validation;

pub(crate) use self::folding::PreparedEntry;
use self::takebacks::Takebacks;

/// The state of a table after all entries so far. Only folding an entry changes it.
#[derive(Clone, Debug)]
pub struct TableState {
    pub(crate) game: AnyGame,
    /// The version of the game's rules when the table was created.
    rules: u32,
    pub(crate) options: Options,
    pub(crate) occupants: Vec<Option<Occupant>>,
    /// Counted from 1, even before all have joined.
    round: u32,
    /// The number of moves, draws and takebacks in this round. It never goes back, so that a late
    /// duplicate of a move that was taken back stays refused.
    pub(crate) ply: u32,
    pub(crate) position: AnyPosition,
    pub(crate) sealed: Vec<(Seat, Option<MoveText>)>,
    /// The moves and draws of this round, by the seats of the game.
    history: Vec<Ply<MoveText, MoveText>>,
    /// The computer players.
    levels: Vec<Option<Level>>,
    /// The loser of every round that is over; `None` for a tie.
    pub(crate) losers: Vec<Option<Seat>>,
    version: u64,
    at: u64,
    /// When the turn began, or the clocks started.
    since: u64,
    /// Whether a person has moved in this round, which starts the clocks.
    has_begun: bool,
    /// The time that each seat has used in this round, without the current turn.
    thought: Vec<u64>,
    /// The most recent actions.
    recent: VecDeque<RecentAction>,
    takebacks: Takebacks,
    /// The seats that wait for another device, and the digests of the secrets that it must show; clients
    /// do not know these.
    offers: Vec<(Seat, Option<Digest>)>,
    ending: TableEnding,
}

/// Whether a table goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum TableEnding {
    #[default]
    GoesOn,
    /// A player has ended it.
    Ended,
    /// It has ended, and its seed is public.
    Revealed,
}

/// The player in a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Occupant {
    /// The name of the player.
    pub name: PlayerName,
    /// The digest of the player's token; clients do not know it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(ignore))]
    pub token: Option<Digest>,
    /// Whether the player is at the table.
    pub is_here: bool,
    /// The version at which the player came or left.
    pub since: u64,
}

/// A recent action in the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RecentAction {
    /// Its id.
    pub id: ActionId,
    /// The version of its first entry.
    pub version: u64,
    /// The seat that acted, if any.
    #[cfg_attr(feature = "openapi", schema(required = true))]
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

/// Why an entry does not follow from those before it. The state did not change.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FoldError {
    /// It has another version than the next one.
    #[error("entry {found} was given where entry {expected} was expected")]
    Version {
        /// The next version.
        expected: u64,
        /// The version of the entry.
        found: u64,
    },
    /// It is older than the entry before it.
    #[error("entry {version} was written before entry {}", version - 1)]
    Time {
        /// The version of the entry.
        version: u64,
    },
    /// The log does not begin with `created`, or it has a second `created`.
    #[error("entry {version} does not stand where it should: a log begins with one created table")]
    Beginning {
        /// The version of the entry.
        version: u64,
    },
    /// The table is for another game.
    #[error("entry 1 is of {found}, and not of {expected}")]
    AnotherGame {
        /// The game that the caller passed.
        expected: String,
        /// The game in the entry.
        found: String,
    },
    /// The rules do not allow it.
    #[error("entry {version} cannot have happened: {why}")]
    Impossible {
        /// The version of the entry.
        version: u64,
        /// The reason.
        why: String,
    },
}

/// The most rounds of a table, and the most moves and draws of a round: they bound the stored and
/// sent data.
pub(crate) const MAX_ROUNDS: u32 = 1_000;
pub(crate) const MAX_PLIES: u32 = 4_096;

/// The last version at which a leave is logged.
pub(crate) const LAST_VERSION_TO_LEAVE: u64 = 10_000;

/// The most moves of a round in which a player can ask for a takeback, which plays the round again.
pub const MOST_MOVES_TO_REPLAY: usize = 128;

/// The number of actions that a state remembers. A client sends one action at a time, so its last
/// one is usually among them; older ones are found in the journal.
pub(crate) const MAX_RECENT_ACTIONS: usize = 8;

impl TableState {
    /// The state after the first entry, which creates a table for this game.
    ///
    /// # Errors
    /// If the entry does not create a table of this game.
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
            takebacks: Takebacks::default(),
            offers: Vec::new(),
            ending: TableEnding::default(),
        };
        state.remember(first);
        Ok(state)
    }

    /// The snapshot of this state, if it is at the start of a round.
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

    /// Whether a snapshot can hold the state. It has no time at which a turn began: a running clock
    /// must have started with the last entry. It has no offered seats, and no ended table.
    pub(crate) fn is_at_round_start(&self) -> bool {
        let has_clock_of_start = !self.clocks_run() || self.since == self.at;
        let is_plain = self.offers.is_empty() && self.ending == TableEnding::GoesOn;
        self.ply == 0 && self.sealed.is_empty() && has_clock_of_start && is_plain
    }

    /// The state of a snapshot.
    ///
    /// # Errors
    /// If the game has no such state.
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

    /// The state after all of these entries, the first of which creates the table.
    ///
    /// # Errors
    /// If one of them does not follow from those before it.
    pub fn after(game: AnyGame, entries: &[Entry]) -> Result<Self, FoldError> {
        let (first, rest) = entries.split_first().ok_or(FoldError::Beginning { version: 1 })?;
        let mut state = Self::begin(game, first)?;
        rest.iter().try_for_each(|entry| state.fold(entry))?;
        Ok(state)
    }

    /// The recent action with this id.
    pub(crate) fn recent(&self, id: &ActionId) -> Option<&RecentAction> {
        self.recent.iter().find(|known| known.id == *id)
    }

    /// Whether an action that was meant for the state after this version may be in the log, and forgotten.
    pub(crate) fn may_have_forgotten(&self, version: u64) -> bool {
        let oldest = self.recent.front().filter(|_| self.recent.len() == MAX_RECENT_ACTIONS);
        oldest.is_some_and(|oldest| oldest.version > version.saturating_add(1))
    }

    /// The version of a recent action.
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

    /// The number of seats by which the players have moved on since the first round.
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
        u8::try_from(number).ok().and_then(Seat::new).expect("the number is a seat of the game")
    }

    /// The outcome of the round, once it is decided: by the game, or as a tie after the most moves
    /// and draws that a round has. Without that tie, a table that waits for chance or a computer
    /// player then would wait for ever.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        let decided = self.game.turn(&self.position).outcome();
        let nobody = || Outcome::scored(&vec![0; self.occupants.len()]);
        decided.or_else(|| (self.ply >= MAX_PLIES).then(nobody))
    }

    /// The seat of the table that scored less than every other one.
    pub(crate) fn loser(&self, outcome: &Outcome) -> Option<Seat> {
        let worst = outcome.scores().iter().min()?;
        let mut seats = all_seats(&self.game).iter().filter(|seat| outcome.score(*seat) == *worst);
        let loser = seats.next()?;
        if seats.next().is_some() { None } else { Some(self.at_table(loser)) }
    }

    /// The seats in turn: those that must choose or, once the round is decided, the one that must
    /// acknowledge it.
    #[must_use]
    pub fn turn(&self) -> Seats {
        let Some(outcome) = self.outcome() else {
            let seats = self.game.turn(&self.position).seats();
            return seats.iter().map(|seat| self.at_table(seat)).collect();
        };
        self.loser(&outcome).map_or_else(|| self.after_the_last(), Seats::one)
    }

    /// The seat that would move next if the round continued and seats alternated.
    fn after_the_last(&self) -> Seats {
        let next = self.history.len() % self.occupants.len();
        let next =
            u8::try_from(next).ok().and_then(Seat::new).expect("the number is a seat of the game");
        Seats::one(self.at_table(next))
    }

    /// The sealed moves; a client knows only its own.
    pub(crate) fn sealed(&self) -> &[(Seat, Option<MoveText>)] {
        &self.sealed
    }

    /// The moves and draws of this round, by the seats of the game.
    #[must_use]
    pub fn history(&self) -> &[Ply<MoveText, MoveText>] {
        &self.history
    }

    /// The computer player of a seat, if it has one.
    #[must_use]
    pub fn level(&self, seat: Seat) -> Option<&Level> {
        self.levels.get(seat.index())?.as_ref()
    }

    /// Whether a player can take this seat.
    #[must_use]
    pub fn is_free(&self, seat: Seat) -> bool {
        self.occupant(seat).is_none() && self.level(seat).is_none()
    }

    /// Whether every seat is taken.
    #[must_use]
    pub fn is_full(&self) -> bool {
        let is_taken = |(seat, occupant): (usize, &Option<Occupant>)| {
            occupant.is_some() || self.levels.get(seat).is_some_and(Option::is_some)
        };
        self.occupants.iter().enumerate().all(is_taken)
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

    /// The round, counted from 1; 0 while a seat is free. So an action that was refused because a
    /// player was missing never becomes legal.
    #[must_use]
    pub fn round(&self) -> u32 {
        if self.is_full() { self.round } else { 0 }
    }

    /// The number of moves, draws and takebacks in this round.
    #[must_use]
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// The loser of every round that is over, in order; `None` for a tie. A round is over once a
    /// player has acknowledged its outcome.
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

    /// The player in this seat.
    #[must_use]
    pub fn occupant(&self, seat: Seat) -> Option<&Occupant> {
        self.occupants.get(seat.index())?.as_ref()
    }

    /// The number of ties. The current round counts as soon as it is decided.
    #[must_use]
    pub fn ties(&self) -> usize {
        self.decided_losers().filter(Option::is_none).count()
    }

    /// Whether the player who created the table wrote its rules.
    #[must_use]
    pub fn has_own_rules(&self) -> bool {
        self.options.own_rules
    }

    /// The version of the game's rules when the table was created.
    #[must_use]
    pub fn rules(&self) -> u32 {
        self.rules
    }

    /// The seat that this token holds, if any.
    #[must_use]
    pub fn holder(&self, token: Digest) -> Option<Seat> {
        let holds = |seat: &Seat| {
            self.occupant(*seat).is_some_and(|occupant| occupant.token == Some(token))
        };
        all_seats(&self.game).iter().find(holds)
    }

    /// The seat that another device may take over with this secret.
    pub(crate) fn offered_with(&self, secret: Digest) -> Option<Seat> {
        let mut offers = self.offers.iter();
        offers.find(|(_, known)| *known == Some(secret)).map(|(seat, _)| *seat)
    }

    /// Whether the player of a seat waits for another device to take it over.
    #[must_use]
    pub fn is_offered(&self, seat: Seat) -> bool {
        self.offers.iter().any(|(offered, _)| *offered == seat)
    }

    /// Whether a player has ended the table.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.ending != TableEnding::GoesOn
    }

    /// Whether the table has ended, and its seed is public.
    pub(crate) fn is_seed_revealed(&self) -> bool {
        self.ending == TableEnding::Revealed
    }

    /// The number of entries.
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

/// Sorts moves by their seats.
pub(crate) fn in_order_of_seats(
    moves: impl IntoIterator<Item = (Seat, MoveText)>,
) -> Vec<(Seat, MoveText)> {
    let mut ordered: Vec<(Seat, MoveText)> = Vec::new();
    for (seat, chosen) in moves {
        let place = ordered.partition_point(|(other, _)| *other <= seat);
        ordered.insert(place, (seat, chosen));
    }
    ordered
}
