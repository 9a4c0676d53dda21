//! Keeps the equilibria of a game.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::cfr::{Equilibrium, NoEquilibrium};
use crate::game::Game;
use crate::stop_flag::StopFlag;

/// The equilibria of a game, which its players share.
#[derive(Debug, Default)]
pub(crate) struct EquilibriumCache(Mutex<Vec<KeptEquilibrium>>);

#[derive(Debug)]
struct KeptEquilibrium {
    iterations: u32,
    equilibrium: Arc<Equilibrium>,
}

/// The most equilibria of a game. Each has its own number of iterations.
const MOST_KEPT: usize = 4;

/// The most bytes of an equilibrium that is kept: all games of a server share its memory.
const MOST_BYTES: usize = 256 << 10;

impl EquilibriumCache {
    /// The equilibrium of the game after this many iterations, or after fewer if it is stopped. The game
    /// must be the same in each call.
    pub(crate) fn of<G: Game>(
        &self,
        game: &G,
        iterations: u32,
        stop: &StopFlag,
    ) -> Result<Arc<Equilibrium>, NoEquilibrium> {
        let known = self.kept().iter().find(|kept| kept.iterations == iterations).map(shared);
        if let Some(known) = known {
            return Ok(known);
        }
        let equilibrium = Arc::new(Equilibrium::of(game, iterations, stop)?);
        // One that was stopped is worse than the next one.
        if equilibrium.bytes() > MOST_BYTES || equilibrium.iterations() < iterations {
            return Ok(equilibrium);
        }
        let mut kept = self.kept();
        // Another thread may have found the same first.
        if kept.iter().all(|kept| kept.iterations != iterations) {
            let excess = (kept.len() + 1).saturating_sub(MOST_KEPT);
            kept.drain(..excess);
            kept.push(KeptEquilibrium { iterations, equilibrium: Arc::clone(&equilibrium) });
        }
        Ok(equilibrium)
    }

    /// The memory of the equilibria that are kept, in bytes, about.
    pub(crate) fn bytes(&self) -> usize {
        self.kept().iter().map(|kept| kept.equilibrium.bytes()).sum()
    }

    fn kept(&self) -> MutexGuard<'_, Vec<KeptEquilibrium>> {
        // A thread that panicked here has left whole equilibria.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn shared(kept: &KeptEquilibrium) -> Arc<Equilibrium> {
    Arc::clone(&kept.equilibrium)
}
