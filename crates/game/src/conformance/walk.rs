//! One game that is played at random.

use super::any_form::AnyForm;
use super::memory::{Glimpse, Memory, Way};
use super::scene::viewers;
use super::violation::Violation;
use crate::game::{Game, Viewer};
use crate::happening::{Ply, PlyOf};

/// One game so far, what everybody saw of it, and the same game in the form that speaks text.
pub(super) struct Walk<G: Game> {
    /// One more than what happened.
    pub(super) positions: Vec<G::Position>,
    pub(super) history: Vec<PlyOf<G>>,
    pub(super) any: AnyForm,
    ways: Vec<(Viewer, Way)>,
}

/// Something that happens, and what comes of it.
pub(super) struct Step<G: Game> {
    pub(super) happening: PlyOf<G>,
    pub(super) next: G::Position,
}

impl<G: Game> Walk<G> {
    pub(super) fn begin(game: &G) -> Result<Self, Violation> {
        let (start, again) = (game.start(), game.start());
        if start != again {
            let (one, other) = (game.text(&start), game.text(&again));
            return Err(Violation::StartDiffers { one, other });
        }
        let ways = viewers(game).enumerate();
        let ways = ways.map(|(number, viewer)| (viewer, Way::of_viewer(number))).collect();
        let any = AnyForm::of(game)?;
        Ok(Self { positions: vec![start], history: Vec::new(), any, ways })
    }

    pub(super) fn position(&self) -> &G::Position {
        self.positions.last().expect("a game has a start")
    }

    /// What everybody has seen.
    pub(super) fn ways(&self) -> impl Iterator<Item = (Viewer, &Way)> {
        self.ways.iter().map(|(viewer, way)| (*viewer, way))
    }

    /// Lets something happen, before the eyes of everybody.
    pub(super) fn go_on(
        &mut self,
        game: &G,
        Step { happening, next }: Step<G>,
        memory: &mut Memory,
    ) -> Result<(), Violation> {
        let position = self.positions.last().expect("a game has a start");
        for (viewer, way) in &mut self.ways {
            let seen = game.seen(position, &happening, *viewer);
            memory.go_on(way, Glimpse { seen, chose: chosen_by(*viewer, &happening) });
        }
        self.any.follow(game, position, &happening, &next)?;
        self.positions.push(next);
        self.history.push(happening);
        Ok(())
    }
}

/// What a viewer itself chose, which it knows even where it is shown nothing.
fn chosen_by<M: ToString, C>(viewer: Viewer, happening: &Ply<M, C>) -> Option<String> {
    let (Viewer::Seat(ours), Ply::Moves(moves)) = (viewer, happening) else { return None };
    moves.iter().find(|(seat, _)| *seat == ours).map(|(_, chosen)| chosen.to_string())
}
