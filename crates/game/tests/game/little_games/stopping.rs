//! Any game, in which somebody stops all searches after a number of looks at positions.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use game::{
    CutShort, ExactSolver, Game, Picture, PositionAnalysis, Probability, SearchBudget, Seat,
    StopFlag, Turn, Unsolvable, Viewer,
};

/// Counts how often it is asked whose turn it is, and then raises the flag.
#[derive(Clone, Debug)]
pub(crate) struct Stopping<G> {
    pub(crate) game: G,
    stop: StopFlag,
    looks_left: Arc<AtomicU64>,
    has_solver: bool,
}

impl<G: Game> Stopping<G> {
    /// A game that nobody stops until [`Stopping::after`] says so.
    pub(crate) fn of(game: G, stop: &StopFlag) -> Self {
        let looks_left = Arc::new(AtomicU64::new(u64::MAX));
        Self { game, stop: stop.clone(), looks_left, has_solver: false }
    }

    /// The same game with a solver that is stopped in the middle of its search.
    pub(crate) fn with_solver(self) -> Self {
        Self { has_solver: true, ..self }
    }

    /// From now on the flag rises after this many looks.
    pub(crate) fn after(&self, looks: u64) {
        self.looks_left.store(looks, Ordering::Relaxed);
    }
}

impl<G: Game> Game for Stopping<G> {
    type Position = G::Position;
    type Move = G::Move;
    type Chance = G::Chance;

    fn name(&self) -> String {
        self.game.name()
    }

    fn seats(&self) -> Vec<&str> {
        self.game.seats()
    }

    fn start(&self) -> G::Position {
        self.game.start()
    }

    fn turn(&self, position: &G::Position) -> Turn {
        if self.looks_left.fetch_sub(1, Ordering::Relaxed) == 0 {
            self.stop.stop();
        }
        self.game.turn(position)
    }

    fn legal_moves<'a>(
        &'a self,
        position: &'a G::Position,
        seat: Seat,
    ) -> impl ExactSizeIterator<Item = G::Move> + 'a {
        self.game.legal_moves(position, seat)
    }

    fn apply(&self, position: &mut G::Position, seat: Seat, chosen: &G::Move) {
        self.game.apply(position, seat, chosen);
    }

    fn chances(&self, position: &G::Position) -> Vec<(G::Chance, Probability)> {
        self.game.chances(position)
    }

    fn apply_chance(&self, position: &mut G::Position, drawn: &G::Chance) {
        self.game.apply_chance(position, drawn);
    }

    fn solver(&self) -> Option<Arc<dyn ExactSolver<Self>>> {
        if !self.has_solver {
            return None;
        }
        Some(Arc::new(StoppedSolver(self.stop.clone())))
    }

    fn text(&self, position: &G::Position) -> String {
        self.game.text(position)
    }

    fn picture(&self, position: &G::Position, viewer: Viewer) -> Picture {
        self.game.picture(position, viewer)
    }
}

/// A solver that somebody stops after some steps.
#[derive(Debug)]
struct StoppedSolver(StopFlag);

impl<G: Game> ExactSolver<Stopping<G>> for StoppedSolver {
    fn solve(
        &self,
        _: &G::Position,
        budget: &mut SearchBudget<'_>,
    ) -> Result<PositionAnalysis, CutShort> {
        loop {
            budget.step()?;
            if budget.steps() == 5_000 {
                self.0.stop();
            }
        }
    }

    fn check_quick(&self) -> Result<(), Unsolvable> {
        Ok(())
    }
}
