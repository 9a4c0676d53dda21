//! Positions that occurred before.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use super::inspected_position::InspectedPosition;
use super::violation::{Aspect, Violation};
use crate::game::Game;

/// Positions that occurred before, by text and by position.
pub(super) struct KnownPositions<G: Game> {
    most: usize,
    by_text: FxHashMap<String, G::Position>,
    by_position: FxHashMap<G::Position, String>,
}

/// The hash of a value, the same in every run.
pub(super) fn hash(value: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

impl<G: Game> KnownPositions<G> {
    pub(super) fn at_most(most: usize) -> Self {
        Self { most, by_text: FxHashMap::default(), by_position: FxHashMap::default() }
    }

    /// Remembers a position and returns whether it occurred before. If so, both must be the same in
    /// every respect.
    pub(super) fn check(
        &mut self,
        inspected: &InspectedPosition<'_, G>,
    ) -> Result<bool, Violation> {
        if let Some(before) = self.by_text.get(&inspected.text) {
            return is_the_same(inspected, before).map(|()| true);
        }
        if let Some(text) = self.by_position.get(inspected.position) {
            let (one, other) = (text.clone(), inspected.text.clone());
            return Err(Violation::TextDiffers { one, other });
        }
        if self.by_text.len() < self.most {
            self.by_text.insert(inspected.text.clone(), inspected.position.clone());
            self.by_position.insert(inspected.position.clone(), inspected.text.clone());
        }
        Ok(false)
    }
}

/// A position with the same text is equal, has the same hash and the same future.
fn is_the_same<G: Game>(
    inspected: &InspectedPosition<'_, G>,
    before: &G::Position,
) -> Result<(), Violation> {
    let (game, now) = (inspected.game, inspected.position);
    if before != now {
        let (one, other) = (format!("{before:?}"), format!("{now:?}"));
        return Err(Violation::SameText { text: inspected.text.clone(), one, other });
    }
    let position = inspected.text.clone();
    if hash(before) != hash(now) {
        return Err(Violation::HashDiffers { position });
    }
    let has_other_moves = inspected.seats().iter().any(|seat| {
        let moves = inspected.legal[seat.index()].iter().cloned();
        !game.legal_moves(before, seat).eq(moves)
    });
    let aspect = match () {
        () if game.turn(before) != inspected.turn => Aspect::Turn,
        () if has_other_moves => Aspect::LegalMoves,
        () if game.chances(before) != inspected.chances => Aspect::Chances,
        () => return Ok(()),
    };
    Err(Violation::FutureDiffers { position, aspect })
}
