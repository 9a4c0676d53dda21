//! A game whose rules fail.

use game::{
    DeclaredGame, Game, MoveText, NoChance, Picture, Reason, Seat, Turn, Unsolvable, Viewer,
};
use server::Catalog;

/// Two seats step in turn, for ever. The rules panic when they check the move `break`, and when they
/// apply the move `poison`, which they have accepted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fragile;

/// The only game is [`Fragile`].
#[derive(Debug)]
pub(crate) struct FragileGames;

impl Catalog for FragileGames {
    fn declared(&self, name: &str) -> Result<DeclaredGame, String> {
        match name {
            "fragile" => Ok(DeclaredGame::of(Fragile, Err(Unsolvable::Endless))),
            other => Err(format!("no {other} here")),
        }
    }

    fn names(&self) -> Vec<String> {
        vec!["fragile".to_owned()]
    }
}

fn word(text: &str) -> MoveText {
    text.parse().unwrap_or_else(|_| unreachable!("every text is a move text"))
}

impl Game for Fragile {
    type Position = u32;
    type Move = MoveText;
    type Chance = NoChance;

    fn name(&self) -> String {
        "fragile".to_owned()
    }

    fn seats(&self) -> Vec<&str> {
        vec!["one", "two"]
    }

    fn start(&self) -> u32 {
        0
    }

    fn turn(&self, position: &u32) -> Turn {
        Turn::One(if position.is_multiple_of(2) { Seat::FIRST } else { Seat::SECOND })
    }

    fn legal_moves<'a>(
        &'a self,
        position: &'a u32,
        seat: Seat,
    ) -> impl ExactSizeIterator<Item = MoveText> + 'a {
        let moves = if self.turn(position) == Turn::One(seat) { 3 } else { 0 };
        ["step", "break", "poison"].into_iter().take(moves).map(word)
    }

    fn objections(&self, _: &u32, _: Seat, chosen: &MoveText) -> Vec<Reason> {
        assert!(chosen.to_string() != "break", "the rules break");
        Vec::new()
    }

    fn apply(&self, position: &mut u32, _: Seat, chosen: &MoveText) {
        assert!(chosen.to_string() != "poison", "the rules die");
        *position += 1;
    }

    fn text(&self, position: &u32) -> String {
        position.to_string()
    }

    fn picture(&self, position: &u32, _: Viewer) -> Picture {
        Picture::in_words([self.text(position)])
    }
}
