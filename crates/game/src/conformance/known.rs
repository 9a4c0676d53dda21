//! Positions that were there before.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use super::scene::Scene;
use super::violation::{Aspect, Violation};
use crate::game::Game;

/// Positions that were there before, by their text and by themselves.
pub(super) struct Known<G: Game> {
    most: usize,
    by_text: FxHashMap<String, G::Position>,
    by_position: FxHashMap<G::Position, String>,
}

/// What a value hashes to, the same everywhere.
pub(super) fn hash(value: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

impl<G: Game> Known<G> {
    pub(super) fn at_most(most: usize) -> Self {
        Self { most, by_text: FxHashMap::default(), by_position: FxHashMap::default() }
    }

    /// Says whether the position was there before, and checks that it then is the same in every
    /// respect.
    pub(super) fn meet(&mut self, scene: &Scene<'_, G>) -> Result<bool, Violation> {
        if let Some(before) = self.by_text.get(&scene.text) {
            return is_the_same(scene, before).map(|()| true);
        }
        if let Some(text) = self.by_position.get(scene.position) {
            let (one, other) = (text.clone(), scene.text.clone());
            return Err(Violation::TextDiffers { one, other });
        }
        if self.by_text.len() < self.most {
            self.by_text.insert(scene.text.clone(), scene.position.clone());
            self.by_position.insert(scene.position.clone(), scene.text.clone());
        }
        Ok(false)
    }
}

/// A position with the same text is equal, has the same hash and the same future.
fn is_the_same<G: Game>(scene: &Scene<'_, G>, before: &G::Position) -> Result<(), Violation> {
    let (game, now) = (scene.game, scene.position);
    if before != now {
        let (one, other) = (format!("{before:?}"), format!("{now:?}"));
        return Err(Violation::SameText { text: scene.text.clone(), one, other });
    }
    let position = scene.text.clone();
    if hash(before) != hash(now) {
        return Err(Violation::HashDiffers { position });
    }
    let has_other_moves = scene.seats().iter().any(|seat| {
        let moves = scene.legal[seat.index()].iter().cloned();
        !game.legal_moves(before, seat).eq(moves)
    });
    let aspect = match () {
        () if game.turn(before) != scene.turn => Aspect::Turn,
        () if has_other_moves => Aspect::LegalMoves,
        () if game.chances(before) != scene.chances => Aspect::Chances,
        () => return Ok(()),
    };
    Err(Violation::FutureDiffers { position, aspect })
}
