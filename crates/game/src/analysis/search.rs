//! The analysis of any position of any game.

use bthread::Generator;

use super::exact::line_from;
use super::position_analysis::{MoveAnalysis, PositionAnalysis, PositionValue};
use crate::game::{Game, Viewer};
use crate::players::{
    AlphaBeta, CutShort, DecidedMove, PlayerResources, PlayoutError, SearchBudget, SearchTree,
    Solution, SolutionCache, TreeChoice,
};
use crate::seat::Seat;
use crate::stop_flag::StopFlag;
use crate::turn::Turn;

/// How much an analysis may do. It is a count, so the same budget leads to the same answer on every
/// machine, in the browser too.
///
/// `AnyGame::analyze` is the one call behind `cradle analyze`, the server's route for positions and
/// the page, which runs it in a worker:
///
/// ```
/// use game::{AnalysisBudget, Game, Seat, StopFlag};
///
/// let game = games::catalog::game("connect-four")?;
/// let mut position = game.start();
/// // X has three in the bottom row, and O is to move.
/// for (ply, column) in ["c", "c", "d", "d", "e"].into_iter().enumerate() {
///     let seat = if ply % 2 == 0 { Seat::FIRST } else { Seat::SECOND };
///     game.advance(&mut position, seat, game.read_move(column)?)?;
/// }
/// let analysis = game.analyze(&position, AnalysisBudget::default(), &StopFlag::default())?;
/// assert_eq!(analysis.value.to_string(), "a loss in 2 plies");
/// assert_eq!((analysis.value.exact, analysis.value.score), (true, Some(-18)));
/// assert_eq!(analysis.moves.len(), 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A [`PositionAnalysis`] is also what crosses boundaries as JSON. Another thread ends an analysis with
/// the [`StopFlag`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnalysisBudget {
    /// The positions that a solver may visit.
    pub positions: u64,
    /// The simulations of an estimate, where nothing is certain.
    pub simulations: u32,
}

impl Default for AnalysisBudget {
    /// What the server and the page use: at most a few seconds.
    fn default() -> Self {
        Self { positions: 20_000_000, simulations: 10_000 }
    }
}

/// Why a position cannot be analyzed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CannotAnalyze {
    /// The game is over.
    #[error("the game is over in this position")]
    Over,
    /// Chance draws.
    #[error("chance draws in this position: add what it draws to the moves")]
    Chance,
    /// Something is hidden, and the game is too large to be solved.
    #[error("something is hidden in this game, and it is too large to be solved")]
    Hidden,
    /// The search was stopped.
    #[error("the analysis was stopped")]
    Stopped,
    /// The game was made without searches.
    #[error("this program has no searches")]
    NoSearches,
    /// The rules of the game are broken.
    #[error("the rules of this game are broken: {0}")]
    Broken(#[from] PlayoutError),
}

/// The iterations of CFR+ for an analysis.
const ITERATIONS: u32 = 2_000;

/// Analyzes a position: exactly if the game has a solver or few positions, otherwise by simulations.
///
/// # Errors
/// If no seat is to move, or the search was stopped.
pub fn analyze<G: Game>(
    game: &G,
    position: &G::Position,
    budget: AnalysisBudget,
    stop: &StopFlag,
) -> Result<PositionAnalysis, CannotAnalyze> {
    let solutions = &SolutionCache::default();
    analyze_with(PlayerResources { solutions, stop }, game, position, budget)
}

/// As [`analyze`], with what players share.
pub(crate) fn analyze_with<G: Game>(
    resources: PlayerResources<'_>,
    game: &G,
    position: &G::Position,
    budget: AnalysisBudget,
) -> Result<PositionAnalysis, CannotAnalyze> {
    let stop = resources.stop;
    let seat = match game.turn(position) {
        Turn::Over(_) => return Err(CannotAnalyze::Over),
        Turn::Chance => return Err(CannotAnalyze::Chance),
        Turn::One(seat) if !game.hides() => seat,
        Turn::One(_) | Turn::Several(_) => {
            return by_equilibrium(resources, game, position, budget);
        }
    };
    if let Some(solver) = resources.solutions.solver(game, stop) {
        match solver.solve(position, &mut SearchBudget::new(budget.positions, stop)) {
            Ok(solved) => return Ok(solved),
            Err(CutShort::Stopped) => return Err(CannotAnalyze::Stopped),
            Err(CutShort::OutOfBudget) => {}
        }
    } else if let Ok(solution) = resources.solutions.of(game, stop)
        && let Some(solved) = by_solution(&solution, game, position, seat)
    {
        return Ok(solved);
    } else if let Some(solved) = by_alpha_beta(game, position, seat, budget, stop) {
        return Ok(solved);
    }
    by_simulations(game, position, seat, budget.simulations, stop)
}

/// How many positions of a solver that knows its game one position of this search costs, about.
const POSITIONS_PER_POSITION: u64 = 200;

/// The most moves of a position from which all games are searched: with more, the end is too far.
const WIDEST_SEARCHED: usize = 16;

/// The values by a search through all games from here, if the budget suffices: near the end of a game
/// that has too many positions to visit them all.
fn by_alpha_beta<G: Game>(
    game: &G,
    position: &G::Position,
    seat: Seat,
    budget: AnalysisBudget,
    stop: &StopFlag,
) -> Option<PositionAnalysis> {
    // Several seats play for themselves.
    if game.seats().len() > 2 || game.count_moves(position, seat) > WIDEST_SEARCHED {
        return None;
    }
    let budget = SearchBudget::new(budget.positions / POSITIONS_PER_POSITION, stop);
    let mut search = AlphaBeta::new(game, budget);
    let found = search.solve_moves(position, seat).ok()?;
    let has_unit = game.score_unit().is_some();
    let value = |decided: &DecidedMove| {
        let points = i32::try_from(decided.points).ok()?;
        let expected = f64::from(if has_unit { points } else { points.signum() });
        // How much somebody wins by, where that is more than a point.
        let score = (!has_unit && points.abs() > 1).then_some(points);
        Some(PositionValue { expected, exact: true, plies: decided.plies, score })
    };
    let moves = game.legal_moves(position, seat).zip(&found).map(|(chosen, decided)| {
        let (chosen, value) = (chosen.to_string(), value(decided)?);
        Some(MoveAnalysis { chosen, value, visits: None, probability: None })
    });
    let moves: Vec<MoveAnalysis> = moves.collect::<Option<_>>()?;
    let first = best_place(&found)?;
    let (best, first) = (value(&found[first])?, game.legal_moves(position, seat).nth(first)?);
    let line = line_from(game, position, seat, first, |position, seat| {
        // The line ends where the budget does.
        let found = search.solve_moves(position, seat).ok()?;
        game.legal_moves(position, seat).nth(best_place(&found)?)
    });
    Some(PositionAnalysis { method: "alpha-beta".to_owned(), value: best, moves, line })
}

/// The place of the first of the best moves.
fn best_place(found: &[DecidedMove]) -> Option<usize> {
    let rank = |of: &DecidedMove| {
        let plies = i64::from(of.plies.unwrap_or(0)) * -of.points.signum();
        (of.points, plies)
    };
    (0..found.len()).max_by_key(|place| (rank(&found[*place]), usize::MAX - place))
}

/// The values in a game of which every position is known.
fn by_solution<G: Game>(
    solution: &Solution<G>,
    game: &G,
    position: &G::Position,
    seat: Seat,
) -> Option<PositionAnalysis> {
    let value = solution.value(position)?.into();
    let moves = game.legal_moves(position, seat).map(|chosen| {
        let value = solution.value_of_move(position, seat, &chosen)?.into();
        Some(MoveAnalysis { chosen: chosen.to_string(), value, visits: None, probability: None })
    });
    let line = solution.best_line(position, usize::MAX).iter().map(ToString::to_string).collect();
    let method = "every position".to_owned();
    Some(PositionAnalysis { method, value, moves: moves.collect::<Option<_>>()?, line })
}

/// The values in a small game with simultaneous moves or hidden information.
fn by_equilibrium<G: Game>(
    resources: PlayerResources<'_>,
    game: &G,
    position: &G::Position,
    budget: AnalysisBudget,
) -> Result<PositionAnalysis, CannotAnalyze> {
    let (seats, stop) = (game.turn(position).seats(), resources.stop);
    let found = resources.solutions.equilibria().of(game, ITERATIONS, stop);
    let found = match found {
        Ok(found) if found.iterations() < ITERATIONS => return Err(CannotAnalyze::Stopped),
        Ok(found) => found,
        Err(_) => {
            return match seats.iter().next() {
                _ if stop.is_set() => Err(CannotAnalyze::Stopped),
                Some(seat) if !game.hides() => {
                    by_simulations(game, position, seat, budget.simulations, stop)
                }
                _ => Err(CannotAnalyze::Hidden),
            };
        }
    };
    let seat = seats.iter().next().ok_or(CannotAnalyze::Over)?;
    let view = game.view(position, Viewer::Seat(seat));
    let strategy = found.strategy(seat, &view).unwrap_or_default();
    let values = found.values(seat, &view).unwrap_or_default();
    let moves = game.legal_moves(position, seat).zip(strategy.iter().zip(&values));
    let moves = moves.map(|(chosen, (probability, value))| MoveAnalysis {
        chosen: chosen.to_string(),
        value: PositionValue::estimate(*value),
        visits: None,
        probability: Some(*probability),
    });
    let expected = strategy.iter().zip(&values).map(|(weight, value)| weight * value).sum();
    let (method, value) = (format!("cfr:{ITERATIONS}"), PositionValue::estimate(expected));
    Ok(PositionAnalysis { method, value, moves: moves.collect(), line: Vec::new() })
}

/// Estimates by simulations, with a seed that is always the same.
fn by_simulations<G: Game>(
    game: &G,
    position: &G::Position,
    seat: Seat,
    simulations: u32,
    stop: &StopFlag,
) -> Result<PositionAnalysis, CannotAnalyze> {
    const SEED: u64 = 0;
    let mut tree = SearchTree::new(game, position, Generator::seeded(SEED));
    tree.search(simulations, stop)?;
    if stop.is_set() {
        return Err(CannotAnalyze::Stopped);
    }
    let value_of = |found: &TreeChoice| {
        let value = if found.is_proved { PositionValue::certain } else { PositionValue::estimate };
        value(found.value)
    };
    let found = tree.root_moves(seat);
    let moves = game.legal_moves(position, seat).zip(&found).map(|(chosen, found)| MoveAnalysis {
        chosen: chosen.to_string(),
        value: value_of(found),
        visits: Some(found.visits),
        probability: found.probability,
    });
    let value = tree.root_value(seat);
    let value = value.map_or_else(|| PositionValue::estimate(0.0), |found| value_of(&found));
    let (method, line) = (format!("mcts:{simulations}"), tree.best_line());
    Ok(PositionAnalysis { method, value, moves: moves.collect(), line })
}
