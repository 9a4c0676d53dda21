//! A table for tests.

use game::{AnyGame, Game, Refusal, Seat};
use games::catalog;
use table::{
    Action, ActionBody, ActionId, Actor, Author, Decision, Digest, Entry, EntryBody, Options,
    PlayerName, TableState, decide,
};

pub(crate) const ONE: Seat = Seat::FIRST;
pub(crate) const TWO: Seat = Seat::SECOND;

/// A table and its log; decisions are appended at once.
#[derive(Clone)]
pub(crate) struct TestTable {
    pub(crate) state: TableState,
    pub(crate) log: Vec<Entry>,
    counter: u64,
}

impl TestTable {
    /// A table without players.
    pub(crate) fn empty(name: &str, options: Options) -> Self {
        Self::of(catalog::game(name).expect("it is in the catalog"), options)
    }

    pub(crate) fn of(game: AnyGame, options: Options) -> Self {
        let commitment = Digest::of(b"seed");
        let body = EntryBody::Created { game: game.name(), rules: 1, options, commitment };
        let first = entry(1, Author::Table, None, body);
        let state = TableState::begin(game, &first).expect("it is the first entry");
        Self { state, log: vec![first], counter: 0 }
    }

    /// A table at which all seats are taken.
    pub(crate) fn full(name: &str, options: Options) -> Self {
        let mut test_table = Self::empty(name, options);
        test_table.join("one").expect("the first seat is free");
        test_table.join("two").expect("the second seat is free");
        test_table
    }

    pub(crate) fn tic_tac_toe() -> Self {
        Self::full("tic-tac-toe", Options::default())
    }

    pub(crate) fn game(&self) -> AnyGame {
        self.state.game().clone()
    }

    pub(crate) fn text(&self) -> String {
        self.game().text(self.state.position())
    }

    /// The next id of a client.
    pub(crate) fn id(&mut self) -> ActionId {
        self.counter += 1;
        ActionId::new("test", self.counter).expect("it is an id")
    }

    pub(crate) fn act(&mut self, by: Actor, body: ActionBody) -> Result<Decision, Refusal> {
        let id = self.id();
        self.submit(&Action { id, body }, by)
    }

    /// Decides an action and appends its entries.
    pub(crate) fn submit(&mut self, action: &Action, by: Actor) -> Result<Decision, Refusal> {
        let decision = decide(&self.state, action, by)?;
        if let Decision::Append(bodies) = &decision {
            let who = Author::from(by.seat(&self.state));
            for (index, body) in bodies.iter().enumerate() {
                let id = (index == 0).then(|| action.id.clone());
                let entry = entry(self.state.version() + 1, who, id, body.clone());
                self.state.fold(&entry).expect("what was decided can happen");
                self.log.push(entry);
            }
        }
        Ok(decision)
    }

    pub(crate) fn join(&mut self, name: &str) -> Result<Decision, Refusal> {
        let (token, version) = (Digest::of(name.as_bytes()), self.state.version());
        let name = PlayerName::new(name).expect("it is a name");
        self.act(Actor::Stranger, ActionBody::Join { seat: None, name, token, version })
    }

    /// A seat makes a move in the position as it is.
    pub(crate) fn play(&mut self, seat: Seat, chosen: &str) -> Result<Decision, Refusal> {
        let (round, ply) = (self.state.round(), self.state.ply());
        let chosen = chosen.parse().expect("it is a text");
        self.act(Actor::Seat(seat), ActionBody::Play { round, ply, chosen })
    }

    /// Moves in turn, one after the other.
    pub(crate) fn play_all(&mut self, moves: &str) {
        for chosen in moves.split_whitespace() {
            let seat = self.state.turn().iter().next().expect("it is somebody's turn");
            self.play(seat, chosen).expect("it is legal");
        }
    }

    pub(crate) fn forfeit(&mut self, seat: Seat) -> Result<Decision, Refusal> {
        let (round, ply) = (self.state.round(), self.state.ply());
        self.act(Actor::Seat(seat), ActionBody::Forfeit { round, ply })
    }

    pub(crate) fn tie(&mut self, seat: Seat) -> Result<Decision, Refusal> {
        let (round, ply) = (self.state.round(), self.state.ply());
        self.act(Actor::Seat(seat), ActionBody::Tie { round, ply })
    }

    pub(crate) fn leave(&mut self, seat: Seat) -> Result<Decision, Refusal> {
        let version = self.state.version();
        self.act(Actor::Seat(seat), ActionBody::Leave { version })
    }

    pub(crate) fn next_round(&mut self, seat: Seat) -> Result<Decision, Refusal> {
        let (round, ply) = (self.state.round(), self.state.ply());
        self.act(Actor::Seat(seat), ActionBody::NextRound { round, ply })
    }
}

/// An action of a player who leaves and comes back in turns, meant for this version.
pub(crate) fn come_and_go(number: u64, who: &str, version: u64) -> Action {
    let id = ActionId::new("door", number).expect("it is an id");
    let body = if number.is_multiple_of(2) {
        ActionBody::Leave { version }
    } else {
        let name = PlayerName::new(who).expect("it is a name");
        ActionBody::Join { seat: None, name, token: Digest::of(who.as_bytes()), version }
    };
    Action { id, body }
}

pub(crate) fn entry(version: u64, who: Author, action: Option<ActionId>, body: EntryBody) -> Entry {
    Entry { action, ..Entry::new(version, 1_000 + version, who, body) }
}

/// The first reason of a refusal.
#[track_caller]
pub(crate) fn message<T: std::fmt::Debug>(refused: Result<T, Refusal>) -> String {
    refused.expect_err("it is refused").message().to_owned()
}
