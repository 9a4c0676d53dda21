//! Tables with one seat and with three: nothing is special about two.

use game::{AnyGame, Game, Seat, Seats};
use table::{Action, ActionId, Author, Decision, decide};
use table::{
    ActionBody, Actor, Digest, Entry, EntryBody, FoldEntries, LiveTable, Options, PlayerName,
    TableSecret, TableState,
};

use crate::counting::Counting;

/// A table in the memory of a server, at which all is done by hand.
struct Board {
    live: LiveTable,
    counter: u64,
}

impl Board {
    fn new(seats: &'static [&'static str], options: Options) -> Self {
        let game = AnyGame::new(Counting { seats, last: 7 });
        let commitment = Digest::of(b"seed");
        let body = EntryBody::Created { game: game.name(), rules: 1, options, commitment };
        let state =
            TableState::begin(game, &Entry::new(1, 0, Author::Table, body)).expect("it begins");
        Self { live: LiveTable::new(state, TableSecret::new([0; 32]), "e".to_owned()), counter: 0 }
    }

    fn act(&mut self, by: Actor, body: ActionBody) -> Result<(), String> {
        self.counter += 1;
        let id = ActionId::new("test", self.counter).expect("it is an id");
        let state = self.live.state();
        let decision = decide(state, &Action { id, body }, by);
        let Decision::Append(bodies) = decision.map_err(|refusal| refusal.message().to_owned())?
        else {
            unreachable!("it is new")
        };
        let (first, who) = (state.version() + 1, Author::from(by.seat(state)));
        let entries =
            (first..).zip(bodies).map(|(version, body)| Entry::new(version, 0, who, body));
        let entries: Vec<Entry> = entries.collect();
        self.live.fold_all(&entries).map_err(|error| error.to_string())
    }

    fn join(&mut self, name: &str) -> Result<(), String> {
        let (token, version) = (Digest::of(name.as_bytes()), self.live.state().version());
        let name = PlayerName::new(name).expect("it is a name");
        self.act(Actor::Stranger, ActionBody::Join { seat: None, name, token, version })
    }

    fn say(&mut self, seat: u8) -> Result<(), String> {
        let state = self.live.state();
        let (round, ply) = (state.round(), state.ply());
        let chosen = (ply + 1).to_string().parse().expect("it is a text");
        self.act(by(seat), ActionBody::Play { round, ply, chosen })
    }
}

fn by(seat: u8) -> Actor {
    Actor::Seat(Seat::new(seat).expect("it is a seat"))
}

#[test]
fn three_play_in_turn_and_who_loses_is_recorded() {
    let mut board = Board::new(&["A", "B", "C"], Options { alternate: true, ..Options::default() });
    board.join("one").expect("it is free");
    assert_eq!(board.say(0), Err("Player two has not joined yet".to_owned()));
    board.join("two").expect("it is free");
    assert_eq!(board.say(0), Err("Player three has not joined yet".to_owned()));
    board.join("three").expect("it is free");
    assert_eq!(board.join("four"), Err("Player three has already joined".to_owned()));
    for seat in [0, 1, 2, 0, 1, 2, 0] {
        assert_eq!(board.say((seat + 1) % 3), Err("It is not your turn".to_owned()));
        board.say(seat).expect("it is its turn");
    }
    let forfeit = ActionBody::Forfeit { round: 1, ply: 7 };
    assert_eq!(board.act(by(1), forfeit.clone()), Err("It is not your turn".to_owned()));
    board.act(by(0), forfeit).expect("it has lost");
    let state = board.live.state();
    assert_eq!([0, 1, 2].map(|seat| state.wins(Seat::new(seat).expect("a seat"))), [0, 1, 1]);
    assert_eq!(state.turn(), Seats::one(Seat::new(1).expect("a seat")), "another one opens");
    for seat in [1, 2, 0, 1, 2, 0, 1] {
        board.say(seat).expect("it is its turn");
    }
    board.act(by(2), ActionBody::NextRound { round: 2, ply: 7 }).expect("it is decided");
    assert_eq!(board.live.state().losers(), [Seat::new(0), Seat::new(1)]);
}

#[test]
fn one_plays_alone() {
    let mut board = Board::new(&["A"], Options::default());
    assert_eq!(board.say(0), Err("Player one has not joined yet".to_owned()));
    board.join("one").expect("it is free");
    for _ in 0..7 {
        board.say(0).expect("it is its turn");
    }
    board.act(by(0), ActionBody::NextRound { round: 1, ply: 7 }).expect("it is decided");
    assert_eq!(board.live.state().round(), 2);
}
