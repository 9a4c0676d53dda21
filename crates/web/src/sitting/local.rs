//! A table in this browser: against the computer, or two people on one screen.

use game::{AnyGame, MoveExplanation, MoveText, Refusal, Seat};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use table::wire::Resync;
use table::{
    Action, ActionId, Actor, Author, Decision, Entry, EntryBody, Follow, LiveTable, Options,
    PlayerName, Snapshot, State, TableSecret, decide,
};

use super::{Deed, Seen, Told};

/// A table in this browser.
#[derive(Debug)]
pub struct Local {
    live: LiveTable,
    own: Vec<Seat>,
    reasons: Vec<(u32, MoveExplanation)>,
    told: Vec<Told>,
    actions: u64,
}

/// A table as the browser keeps it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Saved {
    #[serde(deserialize_with = "secret")]
    secret: [u8; 32],
    start: Snapshot,
    entries: Vec<Entry>,
}

// An array would be read by code for each of its places.
fn secret<'de, D: Deserializer<'de>>(from: D) -> Result<[u8; 32], D::Error> {
    let bytes: Vec<u8> = Vec::deserialize(from)?;
    bytes.try_into().map_err(|_wrong| D::Error::custom("a secret has 32 bytes"))
}

const EPOCH: &str = "here";

impl Saved {
    /// The secret that the table was begun with.
    #[must_use]
    pub const fn secret(&self) -> [u8; 32] {
        self.secret
    }
}

impl Local {
    /// A new table of a game. A person plays each seat that has no computer player.
    ///
    /// # Errors
    /// If a computer player cannot play there.
    pub fn new(
        game: AnyGame,
        options: Options,
        secret: [u8; 32],
        now: u64,
    ) -> Result<Self, table::AutomaticError> {
        table::can_play(&game, &options)?;
        let secret = TableSecret::new(secret);
        let seats = game::all_seats(&game);
        let is_own = |seat: &Seat| options.computers.get(seat.index()).is_none_or(Option::is_none);
        let own: Vec<Seat> = seats.iter().filter(is_own).collect();
        let (name, commitment) = (game::Game::name(&game), secret.commitment());
        let created = EntryBody::Created { game: name, rules: 1, options, commitment };
        let first = Entry::new(1, now, Author::Table, created);
        let state = State::begin(game, &first).expect("a new table can be begun");
        let mut live = LiveTable::new(state, secret, EPOCH.to_owned());
        for (&seat, version) in own.iter().zip(2..) {
            let called = if own.len() == 1 { "You" } else { symbol(live.state(), seat) };
            let name = PlayerName::new(called).expect("it is short");
            let joined = EntryBody::Joined { seat, name, token: None };
            let entry = Entry::new(version, now, Author::Seat(seat), joined);
            live.follow(&[entry]).expect("everybody can join a new table");
        }
        drop(live.take_news());
        Ok(Self { live, own, reasons: Vec::new(), told: Vec::new(), actions: 0 })
    }

    /// A table as it was kept; nothing if it cannot be read any more.
    #[must_use]
    pub fn restored(game: AnyGame, saved: Saved) -> Option<Self> {
        let Saved { secret, start, entries } = saved;
        let state = State::restore(game, &start).ok()?;
        let seats = game::all_seats(state.game());
        let own = seats.iter().filter(|seat| state.level(*seat).is_none()).collect();
        let live = LiveTable::new(state, TableSecret::new(secret), EPOCH.to_owned());
        let mut local = Self { live, own, reasons: Vec::new(), told: Vec::new(), actions: 0 };
        for entry in entries {
            local.take_in(&entry).ok()?;
        }
        local.told.clear();
        Some(local)
    }

    /// The table, to be kept under the secret that it was begun with.
    #[must_use]
    pub fn saved(&self, secret: [u8; 32]) -> Option<Saved> {
        let mut known = Resync::default();
        let mut entries: Vec<Entry> = Vec::new();
        // A welcome holds only so many entries.
        loop {
            let welcome = self.live.welcome(self.own.first().copied(), &known);
            let more = welcome.entries;
            let Some(last) = more.last() else { break };
            known = Resync { from: Some(last.version), epoch: Some(EPOCH.to_owned()) };
            entries.extend(more);
        }
        Some(Saved { secret, start: self.live.start()?, entries })
    }

    /// What is known of it.
    #[must_use]
    pub fn seen(&self) -> Seen<'_> {
        let state = self.live.state();
        Seen {
            shown: state,
            confirmed: state,
            own: &self.own,
            underway: None,
            reasons: &self.reasons,
            connected: None,
            is_connected: true,
        }
    }

    /// Does something for the seat that can.
    ///
    /// # Errors
    /// If that is refused; nothing has changed then.
    pub fn act(&mut self, deed: Deed, now: u64) -> Result<(), Refusal> {
        let seen = self.seen();
        let Some(seat) = seen.acting() else { return Ok(()) };
        let body = seen.body(deed);
        self.actions += 1;
        let id = ActionId::new("here", self.actions).expect("it is short");
        let decision = decide(self.live.state(), &Action { id, body }, Actor::Seat(seat))?;
        let Decision::Append(bodies) = decision else { return Ok(()) };
        for body in bodies {
            let at = now.max(self.live.state().at());
            let version = self.live.state().version() + 1;
            let entry = Entry::new(version, at, Author::Seat(seat), body);
            self.take_in(&entry).expect("what was decided can happen");
        }
        Ok(())
    }

    /// Lets chance and the computer do what they do next; gives whether anything was done.
    pub fn go_on(&mut self, now: u64) -> bool {
        // A computer player that cannot go on leaves the table as it is.
        let Ok(entries) = self.live.automatic_entries(now) else { return false };
        for entry in &entries {
            self.take_in(entry).expect("what the table does itself can happen");
        }
        !entries.is_empty()
    }

    /// What the person should be told, once.
    pub fn take_told(&mut self) -> Vec<Told> {
        std::mem::take(&mut self.told)
    }

    fn take_in(&mut self, entry: &Entry) -> Result<(), table::FoldError> {
        let (round, before) = (self.live.state().round(), self.live.state().clone());
        self.live.follow(std::slice::from_ref(entry))?;
        if self.live.state().round() != round {
            self.reasons.clear();
        }
        drop(self.live.take_news());
        if let EntryBody::Played { ply, explanation: Some(explanation), .. } = &entry.body {
            self.reasons.push((*ply, MoveExplanation::clone(explanation)));
        }
        let told = crate::words::happened(&before, self.live.state(), entry, &self.own);
        self.told.extend(told.map(Told::Happened));
        Ok(())
    }
}

/// What a seat plays with in this round.
pub(crate) fn symbol(state: &State, seat: Seat) -> &str {
    let names = game::Game::seats(state.game());
    names.get(state.in_game(seat).index()).copied().unwrap_or_default()
}

/// A move in words.
impl Deed {
    /// A move.
    #[must_use]
    pub fn play(chosen: &str) -> Self {
        let chosen: MoveText =
            chosen.parse().unwrap_or_else(|never: std::convert::Infallible| match never {});
        Self::Play(chosen)
    }
}
