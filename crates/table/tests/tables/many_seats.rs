//! Tables with one seat and with three seats.

use game::{AnyGame, Game, Seat, Seats};
use table::{Action, ActionId, Author, Decision, decide};
use table::{
    ActionBody, Actor, Digest, Entry, EntryBody, FoldEntries, LiveTable, Options, PlayerName,
    TableSecret, TableState,
};

use crate::counting::Counting;

/// A live table whose entries the test folds itself.
struct Board {
    live: LiveTable,
    counter: u64,
}

impl Board {
    fn new(seats: &'static [&'static str], options: Options) -> Self {
        let game = AnyGame::new(Counting { seats, last: 7 });
        let commitment = Digest::of(b"seed");
        let body = EntryBody::Created { game: game.name(), rules: 1, options, commitment };
        let state = TableState::begin(game, &Entry::new(1, 0, Author::Table, body))
            .expect("the first entry creates a table");
        Self { live: LiveTable::new(state, TableSecret::new([0; 32]), "e".to_owned()), counter: 0 }
    }

    fn act(&mut self, by: Actor, body: ActionBody) -> Result<(), String> {
        self.counter += 1;
        let id = ActionId::new("test", self.counter).expect("the id is valid");
        let state = self.live.state();
        let decision = decide(state, &Action { id, body }, by);
        let Decision::Append(bodies) = decision.map_err(|refusal| refusal.message().to_owned())?
        else {
            unreachable!("the action is new")
        };
        let (first, who) = (state.version() + 1, Author::from(by.seat(state)));
        let entries =
            (first..).zip(bodies).map(|(version, body)| Entry::new(version, 0, who, body));
        let entries: Vec<Entry> = entries.collect();
        self.live.fold_all(&entries).map_err(|error| error.to_string())
    }

    fn join(&mut self, name: &str) -> Result<(), String> {
        let (token, version) = (Digest::of(name.as_bytes()), self.live.state().version());
        let name = PlayerName::new(name).expect("the name is valid");
        self.act(Actor::Stranger, ActionBody::Join { seat: None, name, token, version })
    }

    fn say_number(&mut self, seat: u8) -> Result<(), String> {
        let state = self.live.state();
        let (round, ply) = (state.round(), state.ply());
        let chosen = (ply + 1).to_string().parse().expect("the move text is valid");
        self.act(by(seat), ActionBody::Play { round, ply, chosen })
    }
}

fn by(seat: u8) -> Actor {
    Actor::Seat(Seat::new(seat).expect("the number is a seat"))
}

#[test]
fn three_players_move_in_turn_and_the_loser_is_recorded() {
    let mut board = Board::new(&["A", "B", "C"], Options { alternate: true, ..Options::default() });
    board.join("one").expect("a seat is free");
    assert_eq!(board.say_number(0), Err("Player two has not joined yet".to_owned()));
    board.join("two").expect("a seat is free");
    assert_eq!(board.say_number(0), Err("Player three has not joined yet".to_owned()));
    board.join("three").expect("a seat is free");
    assert_eq!(board.join("four"), Err("Player three has already joined".to_owned()));
    for seat in [0, 1, 2, 0, 1, 2, 0] {
        assert_eq!(board.say_number((seat + 1) % 3), Err("It is not your turn".to_owned()));
        board.say_number(seat).expect("the seat is to move");
    }
    let forfeit = ActionBody::Forfeit { round: 1, ply: 7 };
    assert_eq!(board.act(by(1), forfeit.clone()), Err("It is not your turn".to_owned()));
    board.act(by(0), forfeit).expect("the seat has lost the round");
    let state = board.live.state();
    assert_eq!(
        [0, 1, 2].map(|seat| state.wins(Seat::new(seat).expect("the number is a seat"))),
        [0, 1, 1]
    );
    assert_eq!(
        state.turn(),
        Seats::one(Seat::new(1).expect("the number is a seat")),
        "the next seat opens"
    );
    for seat in [1, 2, 0, 1, 2, 0, 1] {
        board.say_number(seat).expect("the seat is to move");
    }
    board.act(by(2), ActionBody::NextRound { round: 2, ply: 7 }).expect("the round is decided");
    assert_eq!(board.live.state().losers(), [Seat::new(0), Seat::new(1)]);
}

#[test]
fn one_player_plays_alone() {
    let mut board = Board::new(&["A"], Options::default());
    assert_eq!(board.say_number(0), Err("Player one has not joined yet".to_owned()));
    board.join("one").expect("a seat is free");
    for _ in 0..7 {
        board.say_number(0).expect("the seat is to move");
    }
    board.act(by(0), ActionBody::NextRound { round: 1, ply: 7 }).expect("the round is decided");
    assert_eq!(board.live.state().round(), 2);
}
