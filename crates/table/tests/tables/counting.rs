//! A game for any number of players.

use game::{AnyGame, Game, NoChance, Outcome, Picture, Seat, Turn, Viewer};
use table::{
    Action, ActionBody, ActionId, Author, Digest, Entry, EntryBody, Options, PlayerName, Replica,
    TableState,
};

/// Players count aloud in turn, and the player of the last number loses. A lone player just counts.
#[derive(Clone, Debug)]
pub(crate) struct Counting {
    pub(crate) seats: &'static [&'static str],
    /// The last number.
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

    fn turn(&self, count: &u32) -> Turn {
        let seats = u32::try_from(self.seats.len()).expect("the number fits");
        let seat = |count: u32| Seat::new(u8::try_from(count % seats).expect("the number fits"));
        let seat = |count: u32| seat(count).expect("the number is a seat of the game");
        if *count < self.last {
            return Turn::One(seat(*count));
        }
        let last = seat(count - 1);
        let scores = (0..seats).map(|number| if seat(number) == last { -1 } else { 1 });
        let scores: Vec<i32> = scores.collect();
        Turn::Over(Outcome::scored(&scores))
    }

    fn legal_moves<'a>(
        &'a self,
        count: &'a u32,
        seat: Seat,
    ) -> impl ExactSizeIterator<Item = u32> + 'a {
        let is_next = self.turn(count).seats().contains(seat);
        is_next.then_some(*count + 1).into_iter()
    }

    fn apply(&self, count: &mut u32, _: Seat, _: &u32) {
        *count += 1;
    }

    fn text(&self, count: &u32) -> String {
        count.to_string()
    }

    fn picture(&self, count: &u32, _: Viewer) -> Picture {
        Picture::in_words([count.to_string()])
    }
}

/// A replica of a lone player, who is always to move.
pub(crate) fn alone() -> Replica {
    let game = AnyGame::new(Counting { seats: &["A"], last: 1_000 });
    let (options, commitment) = (Options::default(), Digest::of(b"seed"));
    let body = EntryBody::Created { game: game.name(), rules: 1, options, commitment };
    let mut state = TableState::begin(game, &Entry::new(1, 0, Author::Table, body))
        .expect("the first entry creates a table");
    let name = PlayerName::new("one").expect("the name is valid");
    let body = EntryBody::Joined { seat: Seat::FIRST, name, token: Some(Digest::of(b"one")) };
    state.fold(&Entry::new(2, 0, Author::Table, body)).expect("a seat is free");
    Replica::new(state, Some(Seat::FIRST))
}

/// The move after `ply` others.
pub(crate) fn say_number(ply: u32) -> Action {
    let id = ActionId::new("alone", ply.into()).expect("the id is valid");
    let chosen = (ply + 1).to_string().parse().expect("the move text is valid");
    Action { id, body: ActionBody::Play { round: 1, ply, chosen } }
}
