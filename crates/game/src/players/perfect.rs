//! Never a worse move than the best one.

use std::cmp::Reverse;
use std::fmt;
use std::sync::{Arc, OnceLock};

use bthread::Generator;
use rustc_hash::FxHashMap;

use crate::game::{Game, seat_name};
use crate::player::{CannotPlay, Choice, Player, PlayerError, PlayerView};
use crate::refusal::Refusal;
use crate::seat::Seat;
use crate::turn::Turn;

/// What a position is worth to the seat in turn when nobody makes a mistake, and how many plies
/// the game then takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// It loses, after so many plies.
    Loss(u32),
    /// Nobody wins; the game takes so many plies.
    Draw(u32),
    /// It wins, after so many plies.
    Win(u32),
}

/// What every position of a game is worth.
pub struct Solution<G: Game> {
    game: G,
    values: Arc<Values>,
}

/// By the texts of positions, which tell them apart and are small whatever a position holds.
type Values = FxHashMap<Box<str>, Value>;

/// The solution of one game, once somebody has asked for it.
#[derive(Debug, Default)]
pub(crate) struct Solved(OnceLock<Result<Arc<Values>, Unsolvable>>);

/// Why a game has no solution here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unsolvable {
    /// It takes two.
    #[error("perfect play needs two seats, and there are {0}")]
    Seats(usize),
    /// Somebody does not see everything.
    #[error("something is hidden there")]
    Hidden,
    /// Chance draws.
    #[error("chance decides there")]
    Chance,
    /// Seats choose at once.
    #[error("seats choose at the same time there")]
    AtOnce,
    /// What one wins the other does not lose.
    #[error("what one seat wins the other does not lose there")]
    NotOpposed,
    /// A position comes again.
    #[error("its games need not end")]
    Endless,
    /// There are too many positions.
    #[error(transparent)]
    TooBig(#[from] TooBig),
    /// There are so many moves in a position that there must be too many positions.
    #[error("it has positions with more than {WIDEST} moves, and so too many of them")]
    TooWide,
    /// The game refuses what it calls legal.
    #[error("its rules are broken: {0}")]
    Broken(Box<Refusal>),
}

/// A game with more positions than may be visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it has more than {most} positions")]
pub struct TooBig {
    /// How many may be visited.
    pub most: usize,
}

/// How many positions are visited unless told otherwise.
const USUAL_MOST: usize = 100_000;

/// How many positions a solution may have to be kept: several games may be kept for long.
const MOST_KEPT: usize = 20_000;

/// The most moves that a position may have.
const WIDEST: usize = 40;

/// A position on the way from the start to the one that is looked at.
struct Visit<G: Game> {
    position: G::Position,
    text: Box<str>,
    /// Who moves, and what was not tried yet.
    moves: Vec<(Seat, G::Move)>,
    best: Option<Value>,
}

impl<G: Game> Solution<G> {
    /// Visits every position of a game.
    ///
    /// # Errors
    /// If the game cannot be solved like this.
    pub fn of(game: &G) -> Result<Self, Unsolvable> {
        Self::within(game, USUAL_MOST)
    }

    /// As [`Solution::of`], with so many positions at most.
    ///
    /// # Errors
    /// If the game cannot be solved like this.
    pub fn within(game: &G, most: usize) -> Result<Self, Unsolvable> {
        if game.seats().len() != 2 {
            return Err(Unsolvable::Seats(game.seats().len()));
        }
        if game.hides() {
            return Err(Unsolvable::Hidden);
        }
        let mut search = Search { game, most, known: FxHashMap::default() };
        search.run()?;
        let known = search.known.into_iter();
        let values: Values = known.filter_map(|(text, value)| Some((text, value?))).collect();
        Ok(Self { game: game.clone(), values: Arc::new(values) })
    }

    /// What a position is worth to the seat in turn; `None` if the game cannot come there.
    pub fn value(&self, position: &G::Position) -> Option<Value> {
        self.values.get(&*self.game.text(position)).copied()
    }

    /// How many positions there are.
    pub fn positions(&self) -> usize {
        self.values.len()
    }

    /// The moves of the seat in turn that are not worse than another one, and what they are worth.
    pub fn best_moves(&self, position: &G::Position) -> Option<(Value, Vec<G::Move>)> {
        let Turn::One(seat) = self.game.turn(position) else { return None };
        let best = self.value(position)?;
        let keeps = |chosen: &G::Move| {
            let worth = self.worth(position, seat, chosen);
            worth.is_some_and(|worth| worth.rank() == best.rank())
        };
        Some((best, self.game.legal_moves(position, seat).filter(keeps).collect()))
    }

    /// What a move is worth to who makes it.
    pub fn worth(&self, position: &G::Position, seat: Seat, chosen: &G::Move) -> Option<Value> {
        let next = self.game.play(position, &[(seat, chosen.clone())]).ok()?;
        Some(seen_from_before(&self.game, seat, &next, self.value(&next)?))
    }
}

impl Solved {
    /// The solution of the game, which must be the same each time.
    pub(crate) fn of<G: Game>(&self, game: &G) -> Result<Solution<G>, Unsolvable> {
        if let Some(known) = self.0.get() {
            return known.clone().map(|values| Solution { game: game.clone(), values });
        }
        let solution = Solution::of(game);
        if solution.as_ref().map_or(0, Solution::positions) <= MOST_KEPT {
            let values = solution.as_ref().map(|solution| Arc::clone(&solution.values));
            // If somebody else was quicker, it is the same.
            drop(self.0.set(values.map_err(Unsolvable::clone)));
        }
        solution
    }
}

impl<G: Game> fmt::Debug for Solution<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let positions = self.positions();
        f.debug_struct("Solution").field("positions", &positions).finish_non_exhaustive()
    }
}

/// A search that visits every position once; it keeps its own stack, so that no game is too long.
struct Search<'a, G: Game> {
    game: &'a G,
    most: usize,
    /// What is known of each position that was seen: nothing as long as it is on the way.
    known: FxHashMap<Box<str>, Option<Value>>,
}

impl<G: Game> Search<'_, G> {
    fn run(&mut self) -> Result<(), Unsolvable> {
        let start = self.game.start();
        let text = self.game.text(&start).into();
        let mut way = vec![self.enter(start, text)?];
        while let Some(visit) = way.last_mut() {
            if let Some(made) = visit.moves.pop() {
                let next = self.game.play(&visit.position, &[made]);
                let next = next.map_err(|refusal| Unsolvable::Broken(Box::new(refusal)))?;
                let text = self.game.text(&next).into();
                match self.known.get(&text) {
                    Some(Some(value)) => self.improve(visit, &next, *value),
                    Some(None) => return Err(Unsolvable::Endless),
                    None => way.push(self.enter(next, text)?),
                }
                continue;
            }
            let done = way.pop().expect("there was a last one");
            let value = done.best.expect("who must choose has a legal move");
            self.known.insert(done.text, Some(value));
            if let Some(before) = way.last_mut() {
                self.improve(before, &done.position, value);
            }
        }
        Ok(())
    }

    fn enter(&mut self, position: G::Position, text: Box<str>) -> Result<Visit<G>, Unsolvable> {
        if self.known.len() == self.most {
            return Err(TooBig { most: self.most }.into());
        }
        let (moves, best) = match self.game.turn(&position) {
            Turn::Chance => return Err(Unsolvable::Chance),
            Turn::Several(_) => return Err(Unsolvable::AtOnce),
            Turn::Over(outcome) => (Vec::new(), Some(final_value(outcome.scores())?)),
            Turn::One(seat) => {
                let moves = self.game.legal_moves(&position, seat);
                if moves.len() > WIDEST {
                    return Err(Unsolvable::TooWide);
                }
                (moves.map(|chosen| (seat, chosen)).collect(), None)
            }
        };
        self.known.insert(text.clone(), None);
        Ok(Visit { position, text, moves, best })
    }

    fn improve(&self, visit: &mut Visit<G>, next: &G::Position, value: Value) {
        let Turn::One(seat) = self.game.turn(&visit.position) else { return };
        let value = seen_from_before(self.game, seat, next, value);
        let is_better = |best: Value| value.rank() > best.rank();
        if visit.best.is_none_or(is_better) {
            visit.best = Some(value);
        }
    }
}

/// What the end of a game is worth to the first seat.
fn final_value(scores: &[i32]) -> Result<Value, Unsolvable> {
    let (first, second) = (scores[0], scores[1]);
    match first.cmp(&second) {
        _ if first != -second => Err(Unsolvable::NotOpposed),
        std::cmp::Ordering::Less => Ok(Value::Loss(0)),
        std::cmp::Ordering::Equal => Ok(Value::Draw(0)),
        std::cmp::Ordering::Greater => Ok(Value::Win(0)),
    }
}

/// What a position is worth to a seat that moves to it, given what it is worth to the seat in turn
/// there, or to the first seat if the game is over.
fn seen_from_before<G: Game>(game: &G, seat: Seat, next: &G::Position, value: Value) -> Value {
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

    /// For comparing: a quick win is best, and a long loss is better than a short one. How long a
    /// draw takes does not matter.
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

/// Chooses any of the best moves, each equally likely, in games small enough to visit every
/// position.
#[derive(Clone, Debug)]
pub struct Perfect<G: Game> {
    solution: Arc<Solution<G>>,
    generator: Generator,
}

impl<G: Game> Perfect<G> {
    /// The player that a seed stands for.
    ///
    /// # Errors
    /// If perfect play is not known for this game.
    pub fn seeded(game: &G, seat: Seat, seed: u64) -> Result<Self, CannotPlay> {
        Self::by(Solution::of(game), game, seat, seed)
    }

    /// The player that a seed stands for, if there is a solution.
    pub(crate) fn by(
        solution: Result<Solution<G>, Unsolvable>,
        game: &G,
        seat: Seat,
        seed: u64,
    ) -> Result<Self, CannotPlay> {
        let solution =
            solution.map_err(|why| CannotPlay::new("perfect", game, seat, why.to_string()))?;
        Ok(Self::of(Arc::new(solution), seed))
    }

    /// The player that a seed stands for, with a solution that others may share.
    #[must_use]
    pub fn of(solution: Arc<Solution<G>>, seed: u64) -> Self {
        Self { solution, generator: Generator::seeded(seed) }
    }
}

impl<G: Game> Player<G> for Perfect<G> {
    fn choose(&mut self, player_view: &PlayerView<'_, G>) -> Result<Choice<G::Move>, PlayerError> {
        let game = player_view.game();
        let is_asked = player_view.turn() == Turn::One(player_view.seat());
        let position = player_view.position().filter(|_| is_asked);
        let best = position.and_then(|position| self.solution.best_moves(position));
        let (value, moves) = best.ok_or(PlayerError::NothingToChoose)?;
        let chosen = self.generator.below(moves.len() as u64);
        let chosen = moves[usize::try_from(chosen).expect("below a length")].clone();
        let seat = seat_name(game, player_view.seat());
        let others = player_view.legal_moves().len() - moves.len();
        let sentence = match others {
            0 => format!("{value} for {seat}, whatever the move"),
            1 => format!("{value} for {seat}; the other move is worse"),
            _ => format!("{value} for {seat}; {others} other moves are worse"),
        };
        Ok(Choice::because(chosen, sentence))
    }
}
