//! Solved games, and the perfect player.

use std::any::{Any, TypeId};
use std::cmp::Reverse;
use std::fmt;
use std::sync::{Arc, OnceLock};

use bthread::Generator;
use rustc_hash::FxHashMap;

use super::chance_solution::{ChanceSolution, MOST_BYTES};
use super::equilibrium_cache::EquilibriumCache;
use super::score::Aim;
use super::suitability::GameFeatures;
use crate::analysis::ExactSolver;
use crate::game::{Game, NoChance, seat_name};
use crate::player::{CannotPlay, Choice, Player, PlayerError, PlayerView};
use crate::refusal::Refusal;
use crate::seat::Seat;
use crate::stop_flag::StopFlag;
use crate::turn::Turn;

/// The value of a position for the seat to move when nobody makes a mistake, and the number of plies
/// until the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// The seat loses after this many plies.
    Loss(u32),
    /// The game is drawn after this many plies.
    Draw(u32),
    /// The seat wins after this many plies.
    Win(u32),
}

/// The value of every position of a game.
pub struct Solution<G: Game> {
    game: G,
    values: Arc<Values>,
}

/// The values by the keys of positions.
type Values = FxHashMap<Box<[u8]>, Value>;

/// Keeps the solution of a game, or its solver, after the first request for it, and its equilibria.
#[derive(Debug, Default)]
pub(crate) struct SolutionCache {
    values: OnceLock<Result<Arc<Values>, Unsolvable>>,
    solver: OnceLock<KeptSolver>,
    equilibria: EquilibriumCache,
}

/// A solver that is kept.
#[derive(Debug)]
struct KeptSolver {
    /// An `Option<Arc<dyn ExactSolver<G>>>` of the only game for which this is asked.
    solver: Box<dyn Any + Send + Sync>,
    /// The memory that it takes.
    bytes: usize,
}

/// Why a game cannot be solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unsolvable {
    /// The game does not have two seats.
    #[error("perfect play needs two seats, and there are {0}")]
    Seats(usize),
    /// The game hides something.
    #[error("something is hidden there")]
    Hidden,
    /// The game has chance.
    #[error("chance decides there")]
    Chance,
    /// Several seats choose at once.
    #[error("seats choose at the same time there")]
    AtOnce,
    /// The scores are what the seats play for, and do not add up to 0.
    #[error("what one seat wins the other does not lose there")]
    NotOpposed,
    /// A position can occur twice in a game.
    #[error("its games need not end")]
    Endless,
    /// The game has too many positions.
    #[error(transparent)]
    TooManyPositions(#[from] TooManyPositions),
    /// A position has more moves than a game that can be solved.
    #[error("it has positions with more than {WIDEST} moves or draws, and so too many of them")]
    TooWide,
    /// The game refuses a legal move.
    #[error("its rules are broken: {0}")]
    Broken(Box<Refusal>),
    /// The game was declared with more positions than are searched.
    #[error("it may have more than {MOST_KEPT_POSITIONS} positions")]
    MayHaveTooMany,
    /// The game can be solved, but its first moves take too long.
    #[error("its first moves take too long to solve")]
    SlowOpening,
    /// The search was stopped.
    #[error("the search was stopped")]
    Stopped,
}

/// A game has more positions than may be visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it has more than {most} positions")]
pub struct TooManyPositions {
    /// The most positions that may be visited.
    pub most: usize,
}

/// The most positions that are visited unless the caller says otherwise.
const USUAL_MOST: usize = 100_000;

/// The most positions of a solution that is kept: a server keeps those of several games for long.
pub(crate) const MOST_KEPT_POSITIONS: usize = 20_000;

/// The number of positions between two looks at the flag that stops a search.
const POSITIONS_BETWEEN_LOOKS: usize = 1_024;

/// The most moves that a position may have.
pub(crate) const WIDEST: usize = 40;

/// A position on the path from the start to the current one.
struct SearchNode<G: Game> {
    position: G::Position,
    key: Box<[u8]>,
    /// The moves that are not tried yet, with the seat that makes them.
    moves: Vec<(Seat, G::Move)>,
    best: Option<Value>,
}

impl<G: Game> Solution<G> {
    /// Solves a game by visiting every position.
    ///
    /// # Errors
    /// If the game cannot be solved.
    pub fn of(game: &G) -> Result<Self, Unsolvable> {
        Self::within(game, USUAL_MOST)
    }

    /// Solves a game that has at most `most` positions.
    ///
    /// # Errors
    /// If the game cannot be solved.
    pub fn within(game: &G, most: usize) -> Result<Self, Unsolvable> {
        Self::until(&StopFlag::default(), game, most)
    }

    /// Solves a game that has at most `most` positions, unless the search is stopped.
    ///
    /// # Errors
    /// If the game cannot be solved, or the search was stopped.
    pub fn until(stop: &StopFlag, game: &G, most: usize) -> Result<Self, Unsolvable> {
        if game.seats().len() != 2 {
            return Err(Unsolvable::Seats(game.seats().len()));
        }
        if game.hides() {
            return Err(Unsolvable::Hidden);
        }
        let aim = Aim::of(game);
        let mut search = Solver { game, aim, most, stop, known: FxHashMap::default(), bytes: 0 };
        search.run()?;
        let known = search.known.into_iter();
        let values: Values = known.filter_map(|(key, value)| Some((key, value?))).collect();
        Ok(Self { game: game.clone(), values: Arc::new(values) })
    }

    /// The number of positions of a game that can be solved, with or without chance.
    ///
    /// # Errors
    /// If it cannot be solved, or has more than `most` positions.
    pub(crate) fn count(stop: &StopFlag, game: &G, most: usize) -> Result<usize, Unsolvable> {
        if has_chance(game) {
            return Ok(ChanceSolution::within(stop, game, most)?.positions());
        }
        Ok(Self::until(stop, game, most)?.positions())
    }

    /// The value of a position for the seat to move; `None` if the game cannot reach it.
    pub fn value(&self, position: &G::Position) -> Option<Value> {
        self.values.get(&*self.game.key(position)?).copied()
    }

    /// The number of positions.
    pub fn positions(&self) -> usize {
        self.values.len()
    }

    /// The best moves of the seat to move, and their value.
    pub fn best_moves(&self, position: &G::Position) -> Option<(Value, Vec<G::Move>)> {
        let Turn::One(seat) = self.game.turn(position) else { return None };
        let best = self.value(position)?;
        let keeps = |chosen: &G::Move| {
            let value = self.value_of_move(position, seat, chosen);
            value.is_some_and(|value| value.rank() == best.rank())
        };
        Some((best, self.game.legal_moves(position, seat).filter(keeps).collect()))
    }

    /// A best line from a position, with at most this many moves.
    pub(crate) fn best_line(&self, position: &G::Position, longest: usize) -> Vec<G::Move> {
        let (mut line, mut position) = (Vec::new(), position.clone());
        while line.len() < longest
            && let Some((_, moves)) = self.best_moves(&position)
            && let Some(chosen) = moves.into_iter().next()
            && let Turn::One(seat) = self.game.turn(&position)
        {
            self.game.apply(&mut position, seat, &chosen);
            line.push(chosen);
        }
        line
    }

    /// The value of a move for the seat that makes it.
    pub fn value_of_move(
        &self,
        position: &G::Position,
        seat: Seat,
        chosen: &G::Move,
    ) -> Option<Value> {
        let next = self.game.play(position, seat, chosen.clone()).ok()?;
        Some(value_before(&self.game, seat, &next, self.value(&next)?))
    }
}

impl SolutionCache {
    /// The game's own solver, or a solution of a small game with chance; `None` if there is neither. The
    /// game must be the same in each call.
    pub(crate) fn solver<G: Game>(
        &self,
        game: &G,
        stop: &StopFlag,
    ) -> Option<Arc<dyn ExactSolver<G>>> {
        if let Some(kept) = self.solver.get() {
            return kept.solver.downcast_ref::<Option<Arc<dyn ExactSolver<G>>>>()?.clone();
        }
        let (mut bytes, mut solver) = (0, game.solver());
        if solver.is_none() && has_chance(game) {
            match ChanceSolution::within(stop, game, USUAL_MOST) {
                Ok(found) if found.positions() > MOST_KEPT_POSITIONS => {
                    return Some(Arc::new(found));
                }
                Ok(found) => {
                    bytes = found.bytes();
                    solver = Some(Arc::new(found));
                }
                Err(Unsolvable::Stopped) => return None,
                Err(_) => {}
            }
        }
        // Another thread may have stored the same first.
        drop(self.solver.set(KeptSolver { solver: Box::new(solver.clone()), bytes }));
        solver
    }

    /// The solution of the game. The game must be the same in each call.
    pub(crate) fn of<G: Game>(&self, game: &G, stop: &StopFlag) -> Result<Solution<G>, Unsolvable> {
        if let Some(known) = self.values.get() {
            return known.clone().map(|values| Solution { game: game.clone(), values });
        }
        let solution = Solution::until(stop, game, USUAL_MOST);
        let is_kept = match &solution {
            Ok(solution) => solution.positions() <= MOST_KEPT_POSITIONS,
            Err(error) => *error != Unsolvable::Stopped,
        };
        if is_kept {
            let values = solution.as_ref().map(|solution| Arc::clone(&solution.values));
            // Another thread may have stored the same solution first.
            drop(self.values.set(values.map_err(Unsolvable::clone)));
        }
        solution
    }

    /// The equilibria of the game.
    pub(crate) fn equilibria(&self) -> &EquilibriumCache {
        &self.equilibria
    }

    /// The memory of the solution that is kept, in bytes, about.
    pub(crate) fn bytes(&self) -> usize {
        let solver = self.solver.get().map_or(0, |kept| kept.bytes) + self.equilibria.bytes();
        let Some(Ok(values)) = self.values.get() else { return solver };
        // The keys of a game are about equally long, and each is an allocation of its own.
        let key = values.keys().next().map_or(0, |key| key.len() + 16);
        solver + values.capacity() * (size_of::<(Box<[u8]>, Value)>() + 1) + values.len() * key
    }
}

impl<G: Game> fmt::Debug for Solution<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let positions = self.positions();
        f.debug_struct("Solution").field("positions", &positions).finish_non_exhaustive()
    }
}

/// Whether chance draws. Most games say so by their type, and need not be tried.
fn has_chance<G: Game>(game: &G) -> bool {
    TypeId::of::<G::Chance>() != TypeId::of::<NoChance>() && GameFeatures::of(game).chance
}

/// Visits every position once. The path is a list, so a long game cannot overflow the stack.
struct Solver<'a, G: Game> {
    game: &'a G,
    aim: Aim,
    most: usize,
    stop: &'a StopFlag,
    /// The value of each position that was visited; `None` while it is on the path.
    known: FxHashMap<Box<[u8]>, Option<Value>>,
    /// The memory of all keys.
    bytes: usize,
}

impl<G: Game> Solver<'_, G> {
    fn run(&mut self) -> Result<(), Unsolvable> {
        let start = self.game.start();
        let key = self.key(&start)?;
        let mut path = vec![self.enter(start, key)?];
        while let Some(node) = path.last_mut() {
            if let Some((seat, chosen)) = node.moves.pop() {
                let next = self.game.play(&node.position, seat, chosen);
                let next = next.map_err(|refusal| Unsolvable::Broken(Box::new(refusal)))?;
                let key = self.key(&next)?;
                match self.known.get(&key) {
                    Some(Some(value)) => self.improve(node, &next, *value),
                    Some(None) => return Err(Unsolvable::Endless),
                    None => path.push(self.enter(next, key)?),
                }
                continue;
            }
            let done = path.pop().expect("the path is not empty");
            let value = done.best.expect("a seat whose turn it is has a legal move");
            self.known.insert(done.key, Some(value));
            if let Some(before) = path.last_mut() {
                self.improve(before, &done.position, value);
            }
        }
        Ok(())
    }

    fn key(&self, position: &G::Position) -> Result<Box<[u8]>, Unsolvable> {
        self.game.key(position).map(Vec::into_boxed_slice).ok_or(Unsolvable::MayHaveTooMany)
    }

    fn enter(
        &mut self,
        position: G::Position,
        key: Box<[u8]>,
    ) -> Result<SearchNode<G>, Unsolvable> {
        if self.known.len() == self.most {
            return Err(TooManyPositions { most: self.most }.into());
        }
        if self.known.len().is_multiple_of(POSITIONS_BETWEEN_LOOKS) && self.stop.is_set() {
            return Err(Unsolvable::Stopped);
        }
        let (moves, best) = match self.game.turn(&position) {
            Turn::Chance => return Err(Unsolvable::Chance),
            Turn::Several(_) => return Err(Unsolvable::AtOnce),
            Turn::Over(outcome) => {
                (Vec::new(), Some(final_value(self.aim.value(outcome).scores())?))
            }
            Turn::One(seat) => {
                let moves = self.game.legal_moves(&position, seat);
                if moves.len() > WIDEST {
                    return Err(Unsolvable::TooWide);
                }
                (moves.map(|chosen| (seat, chosen)).collect(), None)
            }
        };
        self.bytes += key.len();
        if self.bytes > MOST_BYTES {
            return Err(Unsolvable::MayHaveTooMany);
        }
        self.known.insert(key.clone(), None);
        Ok(SearchNode { position, key, moves, best })
    }

    fn improve(&self, node: &mut SearchNode<G>, next: &G::Position, value: Value) {
        let Turn::One(seat) = self.game.turn(&node.position) else { return };
        let value = value_before(self.game, seat, next, value);
        let is_better = |best: Value| value.rank() > best.rank();
        if node.best.is_none_or(is_better) {
            node.best = Some(value);
        }
    }
}

/// The value of an end of the game for the first seat.
fn final_value(scores: &[i32]) -> Result<Value, Unsolvable> {
    let (first, second) = (scores[0], scores[1]);
    match first.cmp(&second) {
        _ if first != -second => Err(Unsolvable::NotOpposed),
        std::cmp::Ordering::Less => Ok(Value::Loss(0)),
        std::cmp::Ordering::Equal => Ok(Value::Draw(0)),
        std::cmp::Ordering::Greater => Ok(Value::Win(0)),
    }
}

/// The value of a position for the seat that moved to it. `value` is its value for the seat to move
/// there, or for the first seat if the game is over.
fn value_before<G: Game>(game: &G, seat: Seat, next: &G::Position, value: Value) -> Value {
    let whose = match game.turn(next) {
        Turn::One(whose) => whose,
        Turn::Several(_) | Turn::Chance | Turn::Over(_) => Seat::FIRST,
    };
    let value = if whose == seat { value } else { value.for_the_other() };
    value.one_ply_earlier()
}

impl Value {
    fn for_the_other(self) -> Self {
        match self {
            Self::Loss(plies) => Self::Win(plies),
            Self::Draw(plies) => Self::Draw(plies),
            Self::Win(plies) => Self::Loss(plies),
        }
    }

    fn one_ply_earlier(self) -> Self {
        match self {
            Self::Loss(plies) => Self::Loss(plies + 1),
            Self::Draw(plies) => Self::Draw(plies + 1),
            Self::Win(plies) => Self::Win(plies + 1),
        }
    }

    /// The order of values: a short win is best, and a long loss is better than a short one. The
    /// length of a draw does not matter.
    fn rank(self) -> (u8, u32, Reverse<u32>) {
        match self {
            Self::Loss(plies) => (0, plies, Reverse(0)),
            Self::Draw(_) => (1, 0, Reverse(0)),
            Self::Win(plies) => (2, 0, Reverse(plies)),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, plies) = match self {
            Self::Loss(plies) => ("a loss in", plies),
            Self::Draw(_) => return f.write_str("a draw"),
            Self::Win(plies) => ("a win in", plies),
        };
        let unit = if *plies == 1 { "ply" } else { "plies" };
        write!(f, "{word} {plies} {unit}")
    }
}

/// The most moves of the best line in an explanation.
const LONGEST_LINE: usize = 8;

/// Chooses a random one of the best moves, in games that can be [solved](Solution).
#[derive(Clone, Debug)]
pub struct PerfectPlayer<G: Game> {
    solution: Arc<Solution<G>>,
    generator: Generator,
}

impl<G: Game> PerfectPlayer<G> {
    /// The perfect player of a seat with this seed.
    ///
    /// # Errors
    /// If the game cannot be solved.
    pub fn seeded(game: &G, seat: Seat, seed: u64) -> Result<Self, CannotPlay> {
        Self::by(Solution::of(game), game, seat, seed)
    }

    /// The perfect player with this seed, if there is a solution.
    pub(crate) fn by(
        solution: Result<Solution<G>, Unsolvable>,
        game: &G,
        seat: Seat,
        seed: u64,
    ) -> Result<Self, CannotPlay> {
        let solution =
            solution.map_err(|error| CannotPlay::new("perfect", game, seat, error.to_string()))?;
        Ok(Self::of(Arc::new(solution), seed))
    }

    /// The perfect player with this seed. Several players can share a solution.
    #[must_use]
    pub fn of(solution: Arc<Solution<G>>, seed: u64) -> Self {
        Self { solution, generator: Generator::seeded(seed) }
    }
}

impl<G: Game> Player<G> for PerfectPlayer<G> {
    fn choose(&mut self, player_view: &PlayerView<'_, G>) -> Result<Choice<G::Move>, PlayerError> {
        let (game, seat) = (player_view.game(), player_view.seat());
        let is_in_turn = player_view.turn() == Turn::One(seat);
        let position = player_view.position().filter(|_| is_in_turn);
        let position = position.ok_or(PlayerError::NothingToChoose)?;
        let best = self.solution.best_moves(position);
        let (value, moves) = best.ok_or(PlayerError::NothingToChoose)?;
        let chosen = self.generator.below(moves.len() as u64);
        let chosen = moves[usize::try_from(chosen).expect("the index is below a length")].clone();
        let others = player_view.legal_moves().len() - moves.len();
        let others = match others {
            0 => ", whatever the move".to_owned(),
            1 => "; the other move is worse".to_owned(),
            _ => format!("; {others} other moves are worse"),
        };
        let mut next = position.clone();
        game.apply(&mut next, seat, &chosen);
        let rest = self.solution.best_line(&next, LONGEST_LINE - 1);
        let line: Vec<String> =
            std::iter::once(&chosen).chain(&rest).map(G::Move::to_string).collect();
        let (seat, line) = (seat_name(game, seat), line.join(" "));
        let sentence = format!("{value} for {seat}{others}; best line {line}");
        Ok(Choice::because(chosen, sentence))
    }
}
