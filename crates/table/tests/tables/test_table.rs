//! A table for tests.

use game::{AnyGame, Game, Refusal, Seat};
use games::catalog;
use table::{
    Action, ActionBody, ActionId, Actor, Author, Decision, Digest, Entry, EntryBody, Options,
    PlayerName, TableState, decide,
};

pub(crate) const ONE: Seat = Seat::FIRST;
pub(crate) const TWO: Seat = Seat::SECOND;

/// A table and its log. Decisions are appended at once.
#[derive(Clone)]
pub(crate) struct TestTable {
    pub(crate) state: TableState,
    pub(crate) log: Vec<Entry>,
    counter: u64,
}

impl TestTable {
    /// A table without players.
    pub(crate) fn empty(name: &str, options: Options) -> Self {
        Self::of(catalog::game(name).expect("the game is in the catalog"), options)
    }

    pub(crate) fn of(game: AnyGame, options: Options) -> Self {
        let commitment = Digest::of(b"seed");
        let body = EntryBody::Created { game: game.name(), rules: 1, options, commitment };
        let first = entry(1, Author::Table, None, body);
        let state = TableState::begin(game, &first).expect("the first entry creates a table");
        Self { state, log: vec![first], counter: 0 }
    }

    /// A table without a free seat.
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
        ActionId::new("test", self.counter).expect("the id is valid")
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
                self.state.fold(&entry).expect("a decided entry can be folded");
                self.log.push(entry);
            }
        }
        Ok(decision)
    }

    pub(crate) fn join(&mut self, name: &str) -> Result<Decision, Refusal> {
        let (token, version) = (Digest::of(name.as_bytes()), self.state.version());
        let name = PlayerName::new(name).expect("the name is valid");
        self.act(Actor::Stranger, ActionBody::Join { seat: None, name, token, version })
    }

    /// Plays a move of a seat in the current position.
    pub(crate) fn play(&mut self, seat: Seat, chosen: &str) -> Result<Decision, Refusal> {
        let (round, ply) = (self.state.round(), self.state.ply());
        let chosen = chosen.parse().expect("the move text is valid");
        self.act(Actor::Seat(seat), ActionBody::Play { round, ply, chosen })
    }

    /// Plays moves of the seats in turn.
    pub(crate) fn play_all(&mut self, moves: &str) {
        for chosen in moves.split_whitespace() {
            let seat = self.state.turn().iter().next().expect("a seat is to move");
            self.play(seat, chosen).expect("the move is legal");
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

/// An action of a player who leaves and comes back alternately, for this version.
pub(crate) fn leave_or_rejoin(number: u64, who: &str, version: u64) -> Action {
    let id = ActionId::new("door", number).expect("the id is valid");
    let body = if number.is_multiple_of(2) {
        ActionBody::Leave { version }
    } else {
        let name = PlayerName::new(who).expect("the name is valid");
        ActionBody::Join { seat: None, name, token: Digest::of(who.as_bytes()), version }
    };
    Action { id, body }
}

pub(crate) fn entry(version: u64, who: Author, action: Option<ActionId>, body: EntryBody) -> Entry {
    Entry { action, ..Entry::new(version, 1_000 + version, who, body) }
}

/// The message of a refusal.
#[track_caller]
pub(crate) fn message<T: std::fmt::Debug>(refused: Result<T, Refusal>) -> String {
    refused.expect_err("the action is refused").message().to_owned()
}
