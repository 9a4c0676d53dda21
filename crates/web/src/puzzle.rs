//! The puzzle of a day: a position in which exactly one move wins, and not at once.

use game::{AnalysisBudget, AnyGame, Game, Generator, MoveText, StopFlag, Turn};

use crate::replay::{GameReplay, ReplayPly};

/// The puzzle of a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DailyPuzzle {
    /// The plies that lead to the position, as [`GameReplay::write`] writes them.
    pub plies: String,
    /// The only move that wins.
    pub solution: String,
    /// The number of plies after which it has won.
    pub wins_in: u32,
}

/// The positions that are tried before there is no puzzle.
const ATTEMPTS: u64 = 500;

/// The fewest plies before a position.
const FEWEST_PLIES: u64 = 3;

impl DailyPuzzle {
    /// The puzzle of a day, counted from 1970. Everybody gets the same one. The solver proves it: the
    /// solution wins against every answer, and no other move does.
    #[must_use]
    pub fn of_day(game: &AnyGame, day: u64, budget: AnalysisBudget) -> Option<Self> {
        (0..ATTEMPTS).find_map(|attempt| Self::tried(game, day * ATTEMPTS + attempt, budget))
    }

    fn tried(game: &AnyGame, seed: u64, budget: AnalysisBudget) -> Option<Self> {
        let mut generator = Generator::seeded(seed);
        let (mut position, mut plies) = (game.start(), Vec::<ReplayPly>::new());
        for _ in 0..FEWEST_PLIES + generator.below(3) {
            let Turn::One(seat) = game.turn(&position) else { return None };
            let moves: Vec<MoveText> = game.legal_moves(&position, seat).collect();
            let place = usize::try_from(generator.below(moves.len() as u64)).ok()?;
            let ply = vec![(seat, moves.get(place)?.clone())];
            game.advance_all(&mut position, &ply).ok()?;
            plies.push(game::Ply::Moves(ply));
        }
        let Turn::One(_) = game.turn(&position) else { return None };
        let analysis = game.analyze(&position, budget, &StopFlag::default()).ok()?;
        let wins = |each: &&game::MoveAnalysis| each.value.exact && each.value.expected > 0.0;
        let is_exact = analysis.moves.iter().all(|each| each.value.exact);
        let mut winning = analysis.moves.iter().filter(wins);
        let (Some(only), None) = (winning.next(), winning.next()) else { return None };
        let wins_in = only.value.plies.filter(|plies| is_exact && *plies > 1)?;
        let (plies, solution) = (GameReplay::write(&plies), only.chosen.clone());
        Some(Self { plies, solution, wins_in })
    }
}
