//! The plies of a game in one word, as addresses hold them: `a1.b2.c3`.
//!
//! Moves at once are joined by `+`, and what chance drew follows a `~`. A blank is written `_`.

use crate::any_game::{AnyGame, AnyPosition, MoveText};
use crate::game::Game as _;
use crate::ply::Ply;
use crate::refusal::Refusal;

/// Plies and the positions that they lead through.
#[derive(Clone, Debug)]
pub struct PlayedPlies {
    /// The plies.
    pub plies: Vec<Ply<MoveText, MoveText>>,
    /// The positions before each ply, and the last one.
    pub positions: Vec<AnyPosition>,
}

/// The first ply that the rules do not allow, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalPly(pub usize);

impl PlayedPlies {
    /// Plays these plies.
    ///
    /// # Errors
    /// If the rules do not allow one of them.
    pub fn play(
        game: &AnyGame,
        plies: impl IntoIterator<Item = Ply<MoveText, MoveText>>,
    ) -> Result<Self, IllegalPly> {
        let mut played = Self::begin(game);
        for ply in plies {
            let illegal = IllegalPly(played.positions.len());
            played.push(game, ply).map_err(|_refusal| illegal)?;
        }
        Ok(played)
    }

    /// Plays the plies of a word.
    ///
    /// # Errors
    /// If the rules do not allow one of them, or it cannot be read.
    pub fn read(game: &AnyGame, text: &str) -> Result<Self, IllegalPly> {
        let mut played = Self::begin(game);
        for word in text.split('.').filter(|word| !word.is_empty()) {
            let illegal = IllegalPly(played.positions.len());
            let ply = read_ply(game, played.last(), word).ok_or(illegal)?;
            played.push(game, ply).map_err(|_refusal| illegal)?;
        }
        Ok(played)
    }

    fn begin(game: &AnyGame) -> Self {
        Self { plies: Vec::new(), positions: vec![game.start()] }
    }

    fn push(&mut self, game: &AnyGame, ply: Ply<MoveText, MoveText>) -> Result<(), Refusal> {
        let mut position = self.last().clone();
        match &ply {
            Ply::Moves(moves) => game.advance_all(&mut position, moves)?,
            Ply::Chance(drawn) => game.advance_chance(&mut position, drawn)?,
        }
        self.plies.push(ply);
        self.positions.push(position);
        Ok(())
    }

    /// The position after all plies.
    ///
    /// # Panics
    /// If the positions were taken out.
    #[must_use]
    pub fn last(&self) -> &AnyPosition {
        self.positions.last().expect("there is always the first position")
    }
}

fn read_ply(game: &AnyGame, position: &AnyPosition, word: &str) -> Option<Ply<MoveText, MoveText>> {
    let word = word.replace('_', " ");
    if let Some(drawn) = word.strip_prefix('~') {
        return Some(Ply::Chance(game.read_chance(drawn).ok()?));
    }
    let seats = game.turn(position).seats();
    let moves = seats.iter().zip(word.split('+'));
    let moves = moves.map(|(seat, chosen)| Some((seat, game.read_move(chosen).ok()?)));
    Some(Ply::Moves(moves.collect::<Option<Vec<_>>>()?))
}

/// Plies as [`PlayedPlies::read`] reads them.
#[must_use]
pub fn written_plies(plies: &[Ply<MoveText, MoveText>]) -> String {
    let words = plies.iter().map(|ply| match ply {
        Ply::Chance(drawn) => format!("~{drawn}"),
        Ply::Moves(moves) => {
            let moves: Vec<&str> = moves.iter().map(|(_, chosen)| chosen.as_str()).collect();
            moves.join("+")
        }
    });
    words.collect::<Vec<_>>().join(".").replace(' ', "_")
}
