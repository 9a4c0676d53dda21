//! A game for any number of players.

use game::{AnyGame, Game, NoChance, Outcome, Picture, Seat, Turn, Viewer};
use table::{
    Action, ActionBody, ActionId, Author, Digest, Entry, EntryBody, Options, PlayerName, Replica,
    TableState,
};

/// All say a number in turn; who says the last has lost. Alone, one just counts.
#[derive(Clone, Debug)]
pub(crate) struct Counting {
    pub(crate) seats: &'static [&'static str],
    /// Which number is the last.
    pub(crate) last: u32,
}

impl Game for Counting {
    type Position = u32;
    type Move = u32;
    type Chance = NoChance;

    fn name(&self) -> String {
        "counting".to_owned()
    }

    fn seats(&self) -> Vec<&str> {
        self.seats.to_vec()
    }

    fn start(&self) -> u32 {
        0
    }

    fn turn(&self, said: &u32) -> Turn {
        let seats = u32::try_from(self.seats.len()).expect("there are few");
        let seat = |said: u32| Seat::new(u8::try_from(said % seats).expect("it is small"));
        let seat = |said: u32| seat(said).expect("it is one of the seats");
        if *said < self.last {
            return Turn::One(seat(*said));
        }
        let last = seat(said - 1);
        let scores = (0..seats).map(|number| if seat(number) == last { -1 } else { 1 });
        let scores: Vec<i32> = scores.collect();
        Turn::Over(Outcome::scored(&scores))
    }

    fn legal_moves<'a>(
        &'a self,
        said: &'a u32,
        seat: Seat,
    ) -> impl ExactSizeIterator<Item = u32> + 'a {
        let is_next = self.turn(said).seats().contains(seat);
        is_next.then_some(*said + 1).into_iter()
    }

    fn apply(&self, said: &mut u32, _: Seat, _: &u32) {
        *said += 1;
    }

    fn text(&self, said: &u32) -> String {
        said.to_string()
    }

    fn picture(&self, said: &u32, _: Viewer) -> Picture {
        Picture::in_words([said.to_string()])
    }
}

/// What somebody holds who plays alone, and to whom it is always its turn.
pub(crate) fn alone() -> Replica {
    let game = AnyGame::new(Counting { seats: &["A"], last: 1_000 });
    let (options, commitment) = (Options::default(), Digest::of(b"seed"));
    let body = EntryBody::Created { game: game.name(), rules: 1, options, commitment };
    let mut state =
        TableState::begin(game, &Entry::new(1, 0, Author::Table, body)).expect("it begins");
    let name = PlayerName::new("one").expect("it is a name");
    let body = EntryBody::Joined { seat: Seat::FIRST, name, token: Some(Digest::of(b"one")) };
    state.fold(&Entry::new(2, 0, Author::Table, body)).expect("it is free");
    Replica::new(state, Some(Seat::FIRST))
}

/// The move after so many.
pub(crate) fn say(ply: u32) -> Action {
    let id = ActionId::new("alone", ply.into()).expect("it is an id");
    let chosen = (ply + 1).to_string().parse().expect("it is a text");
    Action { id, body: ActionBody::Play { round: 1, ply, chosen } }
}
