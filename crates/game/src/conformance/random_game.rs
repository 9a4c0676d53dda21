//! One game that is played at random.

use super::any_game_mirror::AnyGameMirror;
use super::inspected_position::viewers;
use super::viewer_memory::{Observation, Observations, ViewerMemory};
use super::violation::Violation;
use crate::game::{Game, Viewer};
use crate::ply::{Ply, PlyOf};

/// A game so far, what every viewer observed of it, and the same game as [`crate::AnyGame`].
pub(super) struct RandomGame<G: Game> {
    /// The positions: one more than plies.
    pub(super) positions: Vec<G::Position>,
    pub(super) history: Vec<PlyOf<G>>,
    pub(super) mirror: AnyGameMirror,
    observations: Vec<(Viewer, Observations)>,
}

/// A ply, and the position after it.
pub(super) struct PlayedPly<G: Game> {
    pub(super) ply: PlyOf<G>,
    pub(super) next: G::Position,
}

impl<G: Game> RandomGame<G> {
    pub(super) fn begin(game: &G) -> Result<Self, Violation> {
        let (start, again) = (game.start(), game.start());
        if start != again {
            let (one, other) = (game.text(&start), game.text(&again));
            return Err(Violation::StartDiffers { one, other });
        }
        let observations = viewers(game)
            .enumerate()
            .map(|(number, viewer)| (viewer, Observations::of_viewer(number)))
            .collect();
        let mirror = AnyGameMirror::of(game)?;
        Ok(Self { positions: vec![start], history: Vec::new(), mirror, observations })
    }

    pub(super) fn position(&self) -> &G::Position {
        self.positions.last().expect("a game has a start")
    }

    /// The observations of every viewer.
    pub(super) fn observations(&self) -> impl Iterator<Item = (Viewer, &Observations)> {
        self.observations.iter().map(|(viewer, observations)| (*viewer, observations))
    }

    /// Adds a ply, which every viewer observes.
    pub(super) fn advance(
        &mut self,
        game: &G,
        PlayedPly { ply, next }: PlayedPly<G>,
        memory: &mut ViewerMemory,
    ) -> Result<(), Violation> {
        let position = self.positions.last().expect("a game has a start");
        for (viewer, observations) in &mut self.observations {
            let seen = game.seen(position, &ply, *viewer);
            let chosen = chosen_by(*viewer, &ply);
            memory.observe(observations, Observation { seen, chosen });
        }
        self.mirror.follow(game, position, &ply, &next)?;
        self.positions.push(next);
        self.history.push(ply);
        Ok(())
    }
}

/// The move of a viewer, which the viewer knows even if nothing is shown of it.
fn chosen_by<M: ToString, C>(viewer: Viewer, ply: &Ply<M, C>) -> Option<String> {
    let (Viewer::Seat(ours), Ply::Moves(moves)) = (viewer, ply) else { return None };
    moves.iter().find(|(seat, _)| *seat == ours).map(|(_, chosen)| chosen.to_string())
}
